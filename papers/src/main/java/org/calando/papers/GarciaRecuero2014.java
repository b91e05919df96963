package org.calando.papers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.calando.report.PublishedClaim;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;

/*
 * The paper's figures are drawings without numbers. Its text has one ratio, "around 3x", and one difference of energy
 * without what it is of; what else it says is which of two is more, and is judged by Verdict's rule of orders.
 * "High concurrency" is the most threads that a study has. "Energy per unit of throughput" is read as joules an
 * operation: power over throughput. The figure that it is said of may also have been meant as the rise of power with
 * throughput, from the fewest threads to the most; that is judged by itself.
 */
/**
 * What Garcia-Recuero 2014 published of deferred writes on HBase, "eventual", against strong ones.
 * Of the buffers that a study has the one with the most runs stands for the paper's, which had 12
 * MB and no delay. Stateless.
 */
final class GarciaRecuero2014 {
  static final String NAME = "garcia-recuero-2014";

  private static final String WRITES = "gr-write-heavy";
  private static final String BALANCED = "gr-balanced";
  private static final String READS = "gr-read-heavy";
  private static final String STRONG = "strong";
  private static final String PAPERS = "deferred 12MB";
  private static final String SOURCE = "Garcia-Recuero 2014, section 3";

  private final List<RunRow> rows;
  private final String deferred;
  private final List<PublishedClaim> claims = new ArrayList<>();

  private GarciaRecuero2014(List<RunRow> all) {
    rows =
        all.stream()
            .filter(row -> !row.failed() && !row.text(RunColumns.WRITE_BUFFER).isEmpty())
            .filter(row -> List.of(WRITES, BALANCED, READS).contains(row.text(RunColumns.WORKLOAD)))
            .toList();
    deferred = papers(rows);
  }

  /** The buffer with the most runs; the paper's own of as many. */
  private static String papers(List<RunRow> rows) {
    Map<String, Integer> runs = new TreeMap<>();
    rows.stream()
        .map(row -> row.text(RunColumns.WRITE_BUFFER))
        .filter(buffer -> buffer.startsWith("deferred"))
        .forEach(buffer -> runs.merge(buffer, 1, Integer::sum));
    int most = runs.values().stream().max(Integer::compare).orElse(0);
    return runs.getOrDefault(PAPERS, 0) == most
        ? PAPERS
        : runs.keySet().stream()
            .filter(buffer -> runs.getOrDefault(buffer, 0) == most)
            .findFirst()
            .orElse(PAPERS);
  }

  /**
   * All claims, in the paper's order; with a verdict of their own where a study lacks what they are
   * on.
   */
  static List<PublishedClaim> judge(List<RunRow> rows) {
    GarciaRecuero2014 paper = new GarciaRecuero2014(rows);
    paper.throughput();
    paper.energy();
    paper.reads();
    return List.copyOf(paper.claims);
  }

  private void throughput() {
    OptionalDouble most = most();
    Predicate<RunRow> writes =
        row -> is(row, WRITES) && row.number(RunColumns.THREADS) == most.orElse(-1);
    Ratio ratio = ratio(writes);
    Verdict verdict = Verdict.ofEffect(3, ratio, ratio.p());
    claims.add(
        new PublishedClaim(
            "throughput, deferred against strong, writes, most threads",
            SOURCE,
            Kind.RATIO,
            3,
            ratio.ratio(),
            ratio.low(),
            ratio.high(),
            verdict.words(),
            verdict.note("published as around 3x under high concurrency")));
    List<List<Estimate>> chains = new ArrayList<>();
    for (String mix : List.of(READS, WRITES, BALANCED)) {
      for (double threads : threads()) {
        chains.add(
            List.of(
                step(
                    GarciaRecuero2014::speed,
                    row -> isAt(row, mix, threads, STRONG),
                    row -> isAt(row, mix, threads, deferred))));
      }
    }
    order(
        "throughput of deferred above that of strong, all mixes and loads",
        chains,
        "published as substantial in all cases");
  }

  private void energy() {
    double most = most().orElse(-1);
    order(
        "energy an operation of strong not below that of deferred, writes, most threads",
        List.of(
            List.of(
                step(
                    RunRow::joulesPerKop,
                    row -> isAt(row, WRITES, most, deferred),
                    row -> isAt(row, WRITES, most, STRONG)))),
        "published as 0.01 kWh less on average, without the total");
    double[] loads = threads();
    List<Estimate> steps = new ArrayList<>();
    for (int i = 1; i < loads.length; i++) {
      steps.add(step(saving(loads[i - 1]), saving(loads[i])));
    }
    List<Estimate> whole =
        loads.length < 2 ? List.of() : List.of(step(saving(loads[0]), saving(most)));
    order(
        "energy of strong over deferred, writes, rises with threads",
        steps,
        whole,
        "published as: savings increase as the number of concurrent clients grows");
  }

  /** Joules an operation of strong writes over those of deferred, in each block. */
  private Map<String, Double> saving(double threads) {
    Map<String, Double> deferredJoules =
        byBlock(RunRow::joulesPerKop, row -> isAt(row, WRITES, threads, deferred));
    Map<String, Double> savings =
        byBlock(RunRow::joulesPerKop, row -> isAt(row, WRITES, threads, STRONG));
    savings.keySet().retainAll(deferredJoules.keySet());
    savings.replaceAll((block, joules) -> joules / deferredJoules.getOrDefault(block, Double.NaN));
    return savings;
  }

  private void reads() {
    List<List<Estimate>> mixes = new ArrayList<>();
    List<List<Estimate>> chains = new ArrayList<>();
    for (String buffer : List.of(STRONG, deferred)) {
      for (double threads : threads()) {
        Predicate<RunRow> writes = row -> isAt(row, WRITES, threads, buffer);
        Predicate<RunRow> balanced = row -> isAt(row, BALANCED, threads, buffer);
        Predicate<RunRow> reads = row -> isAt(row, READS, threads, buffer);
        mixes.add(List.of(step(RunRow::joulesPerKop, writes, reads)));
        chains.add(
            List.of(
                step(RunRow::joulesPerKop, writes, balanced),
                step(RunRow::joulesPerKop, balanced, reads)));
      }
    }
    order(
        "energy an operation of reads above that of writes, all loads",
        mixes,
        "published as: reads cost more energy per unit of throughput");
    order(
        "energy an operation rises with the share of reads, all loads",
        chains,
        "published as: the balanced mix follows the same trend");
    order(
        "rise of power with throughput, reads above writes",
        List.of(STRONG, deferred).stream()
            .map(buffer -> List.of(step(rise(WRITES, buffer), rise(READS, buffer))))
            .toList(),
        "another reading of the same sentence: watts for each operation a second more, from the"
            + " fewest threads to the most; blocks without a rise are left out");
  }

  /** Joules of an operation more, in each block where more threads gave more operations. */
  private Map<String, Double> rise(String mix, String buffer) {
    double least =
        rows.stream().mapToDouble(row -> row.number(RunColumns.THREADS)).min().orElse(-1);
    double most = most().orElse(-1);
    Predicate<RunRow> few = row -> isAt(row, mix, least, buffer);
    Predicate<RunRow> many = row -> isAt(row, mix, most, buffer);
    Map<String, Double> watts = byBlock(row -> row.number(EnergyColumns.POWER_MEAN_W), few);
    Map<String, Double> speeds = byBlock(GarciaRecuero2014::speed, few);
    Map<String, Double> rises = new TreeMap<>();
    Map<String, Double> manySpeeds = byBlock(GarciaRecuero2014::speed, many);
    byBlock(row -> row.number(EnergyColumns.POWER_MEAN_W), many)
        .forEach(
            (block, power) -> {
              double more = manySpeeds.getOrDefault(block, 0.0) - speeds.getOrDefault(block, 0.0);
              double rise = (power - watts.getOrDefault(block, Double.NaN)) / more;
              if (more > 0 && speeds.containsKey(block) && rise > 0) {
                rises.put(block, rise);
              }
            });
    return rises;
  }

  private void order(String words, List<List<Estimate>> chains, String note) {
    List<Estimate> steps = chains.stream().flatMap(List::stream).toList();
    order(words, steps, steps, note);
  }

  private void order(String words, List<Estimate> steps, List<Estimate> chains, String note) {
    long inOrder = steps.stream().filter(step -> step.present() && step.mean() > 0).count();
    boolean known = !steps.isEmpty() && steps.stream().allMatch(Estimate::present);
    claims.add(
        new PublishedClaim(
            words,
            SOURCE,
            Kind.SHARE,
            1,
            known ? (double) inOrder / steps.size() : Double.NaN,
            Double.NaN,
            Double.NaN,
            Verdict.ofOrder(steps, chains).words(),
            (known ? "share of " + steps.size() + " pairs in order; " : "") + note));
  }

  private static double speed(RunRow row) {
    return row.number(LoadColumns.THROUGHPUT_OPS_S);
  }

  private OptionalDouble most() {
    return rows.stream().mapToDouble(row -> row.number(RunColumns.THREADS)).max();
  }

  private double[] threads() {
    return rows.stream()
        .mapToDouble(row -> row.number(RunColumns.THREADS))
        .distinct()
        .sorted()
        .toArray();
  }

  private static boolean is(RunRow row, String mix) {
    return row.text(RunColumns.WORKLOAD).equals(mix);
  }

  private static boolean isAt(RunRow row, String mix, double threads, String buffer) {
    return is(row, mix)
        && row.number(RunColumns.THREADS) == threads
        && row.text(RunColumns.WRITE_BUFFER).equals(buffer);
  }

  /** By how much the later is above the earlier in each block, over their mean. */
  private Estimate step(
      ToDoubleFunction<RunRow> figure, Predicate<RunRow> earlier, Predicate<RunRow> later) {
    return step(byBlock(figure, earlier), byBlock(figure, later));
  }

  private static Estimate step(Map<String, Double> before, Map<String, Double> after) {
    List<Double> steps = new ArrayList<>();
    after.forEach(
        (block, value) -> {
          Double other = before.get(block);
          if (other != null) {
            steps.add(2 * (value - other) / (value + other));
          }
        });
    return Statistics.estimate(steps.stream().mapToDouble(each -> each).toArray());
  }

  private Map<String, Double> byBlock(ToDoubleFunction<RunRow> figure, Predicate<RunRow> which) {
    Map<String, Double> values = new TreeMap<>();
    for (RunRow row : rows) {
      double value = figure.applyAsDouble(row);
      if (which.test(row) && value > 0) {
        values.put(row.text(RunColumns.REPEAT), value);
      }
    }
    return values;
  }

  private Ratio ratio(Predicate<RunRow> which) {
    Map<String, Double> strong =
        byBlock(GarciaRecuero2014::speed, which.and(row -> isBuffer(row, STRONG)));
    Map<String, Double> buffered =
        byBlock(GarciaRecuero2014::speed, which.and(row -> isBuffer(row, deferred)));
    buffered.keySet().retainAll(strong.keySet());
    strong.keySet().retainAll(buffered.keySet());
    return Statistics.ratio(
        buffered.values().stream().mapToDouble(each -> each).toArray(),
        strong.values().stream().mapToDouble(each -> each).toArray());
  }

  private static boolean isBuffer(RunRow row, String buffer) {
    return row.text(RunColumns.WRITE_BUFFER).equals(buffer);
  }
}
