package org.calando.promise;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of a step; seconds count from the beginning of the books' stretch.
 *
 * @param step its name
 * @param promised share of stale reads
 * @param change second of the change
 * @param back second of its end
 * @param settled second from which on all is as before the change
 * @param end last second
 * @param adaptive reads of the adaptive session
 * @param one those at ONE beside it
 * @param quorum those at QUORUM beside it
 */
record StepRow(
    String step,
    double promised,
    int change,
    int back,
    int settled,
    int end,
    Seconds adaptive,
    Seconds one,
    Seconds quorum) {
  static final String HEADER =
      "step,promised,out_s,back_out_s,out_beyond_chance_s,back_out_beyond_chance_s,stale_changed,stale_back,weak_s,first_s,one_first_s,quorum_first_s,reads,failed,"
          + "one_reads,one_failed,quorum_reads,quorum_failed,replicas_before,replicas_changed,"
          + "replicas_end,met";

  static final List<String> TABLE =
      List.of(
          "step",
          "s out of the promise (beyond chance)",
          "the same, back",
          "stale while changed, back",
          "s until weak again",
          "replicas before, changed, in the end",
          "failed reads: adaptive",
          "ONE",
          "QUORUM",
          "goals met");

  private static final int MOST_OUT = 5;
  private static final int MOST_UNTIL_WEAK = 20;
  private static final double AS_WEAK = 0.1;

  /** Replicas before the change; where there is nothing before it, the fewest it came to. */
  private double before() {
    return change == 0
        ? Math.min(adaptive.meanReplicas(back - 1), adaptive.meanReplicas(end - 1))
        : adaptive.meanReplicas(change - 1);
  }

  private int untilWeak() {
    return adaptive.untilWeak(before() + AS_WEAK, settled, end);
  }

  /**
   * No more failed reads than the same application unwrapped, which reads at ONE, but for chance.
   */
  private boolean failsNoMore() {
    double expected = share(one) * adaptive.reads(change, end);
    return adaptive.failed(change, end) <= expected + 2 * Math.sqrt(expected) + 1;
  }

  private double share(Seconds seconds) {
    return (double) seconds.failed(change, end) / seconds.reads(change, end);
  }

  private boolean met() {
    return adaptive.outBeyondChance(promised, change, back) <= MOST_OUT
        && adaptive.outBeyondChance(promised, back, end) <= MOST_OUT
        && !adaptive.isBeyondChance(promised, change, back)
        && !adaptive.isBeyondChance(promised, back, end)
        && untilWeak() >= 0
        && untilWeak() <= MOST_UNTIL_WEAK
        && failsNoMore();
  }

  String line(double first, double oneFirst, double quorumFirst) {
    return String.format(
        Locale.ROOT,
        "%s,%s,%d,%d,%d,%d,%.4f,%.4f,%d,%.2f,%.2f,%.2f,%d,%d,%d,%d,%d,%d,%.3f,%.3f,%.3f,%b",
        step,
        promised,
        adaptive.out(promised, change, back),
        adaptive.out(promised, back, end),
        adaptive.outBeyondChance(promised, change, back),
        adaptive.outBeyondChance(promised, back, end),
        adaptive.staleShare(change, back),
        adaptive.staleShare(back, end),
        untilWeak(),
        first,
        oneFirst,
        quorumFirst,
        adaptive.reads(change, end),
        adaptive.failed(change, end),
        one.reads(change, end),
        one.failed(change, end),
        quorum.reads(change, end),
        quorum.failed(change, end),
        before(),
        adaptive.meanReplicas(back - 1),
        adaptive.meanReplicas(end - 1),
        met());
  }

  static List<String> cells(Map<String, String> row) {
    return List.of(
        row.getOrDefault("step", ""),
        row.get("out_s") + " (" + row.get("out_beyond_chance_s") + ")",
        row.get("back_out_s") + " (" + row.get("back_out_beyond_chance_s") + ")",
        row.get("stale_changed") + ", " + row.get("stale_back"),
        row.getOrDefault("weak_s", ""),
        row.get("replicas_before")
            + ", "
            + row.get("replicas_changed")
            + ", "
            + row.get("replicas_end"),
        failed(row, ""),
        failed(row, "one_"),
        failed(row, "quorum_"),
        row.getOrDefault("met", ""));
  }

  private static String failed(Map<String, String> row, String of) {
    return "%s of %s; first after %s s"
        .formatted(row.get(of + "failed"), row.get(of + "reads"), row.get(of + "first_s"));
  }
}
