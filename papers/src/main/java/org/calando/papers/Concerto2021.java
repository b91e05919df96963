package org.calando.papers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.calando.report.PublishedClaim;
import org.calando.report.PublishedClaim.Kind;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Estimate;
import org.calando.report.Statistics.Ratio;
import org.calando.report.column.ClockColumns;
import org.calando.report.column.Column;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;

/*
 * Energy is that of cores an operation, by both accounts: the paper multiplies power by elapsed time, which is i = 1,
 * and says so of neither i nor S. A range, "27-36 %", is one claim on its lower end and one on its upper: which value
 * size, operation or number of replicas each belongs to is not told. Means are over workloads within each block. Rules
 * are those of Verdict: of shares less, of flatness, and for the ratio of times those of an effect.
 */
/**
 * What Lee and Lee 2021, "Concerto", published of a master with one and with two replicas.
 * docs/papers/concerto.md tells what of it is vague. Stateless.
 */
final class Concerto2021 {
  static final String NAME = "concerto-2021";

  private static final String PAPER = "Lee and Lee 2021, ";
  private static final String HIGH = "all-high";
  private static final String LOW = "all-low";
  private static final String CONCERTO = "concerto";
  private static final Column CHARGED = ClockColumns.CLOCK_ENERGY_I1_J;
  private static final Set<String> READS_REPLICAS = Set.of("replica", "any");
  private static final Column BUSY = ClockColumns.CLOCK_ENERGY_I0_J;

  private final List<RunRow> rows;
  private final List<Pair> pairs;
  private final List<PublishedClaim> claims = new ArrayList<>();

  private Concerto2021(List<RunRow> rows) {
    this.rows =
        rows.stream()
            .filter(row -> !row.failed() && !row.text(RunColumns.CLOCK).isEmpty())
            .filter(row -> !READS_REPLICAS.contains(row.text(RunColumns.READ_LEVEL)))
            .toList();
    this.pairs =
        this.rows.stream()
            .flatMap(row -> high(row).map(high -> new Pair(row, high)).stream())
            .toList();
  }

  /** A run, and the one of its block that differs from it in the policy all-high only. */
  private record Pair(RunRow ours, RunRow high) {}

  private Optional<RunRow> high(RunRow row) {
    return row.text(RunColumns.CLOCK).equals(HIGH)
        ? Optional.of(row)
        : rows.stream()
            .filter(other -> other.text(RunColumns.CLOCK).equals(HIGH) && isPair(row, other))
            .findFirst();
  }

  /**
   * All claims, in the paper's order; with a verdict of their own where a study lacks what they are
   * on.
   */
  static List<PublishedClaim> judge(List<RunRow> rows) {
    Concerto2021 paper = new Concerto2021(rows);
    paper.processing();
    paper.throughput();
    paper.energy();
    return List.copyOf(paper.claims);
  }

  private void processing() {
    String source = PAPER + "section 4.3, Figure 3";
    Predicate<RunRow> set = Concerto2021::isSet;
    ToDoubleFunction<RunRow> replica = row -> row.number(ClockColumns.REPLICA_CPU_US_OP);
    ToDoubleFunction<RunRow> master = row -> row.number(ClockColumns.MASTER_CPU_US_OP);
    Ratio slower = ratio(set, CONCERTO, replica, replica);
    add(
        "processing of a write at a replica, 1.0 against 2.2 GHz, SET",
        source,
        Kind.RATIO,
        22.28 / 10.98,
        slower,
        Verdict.ofEffect(22.28 / 10.98, slower, slower.p()),
        putIn("the ratio of the clocks is 2.2"));
    Ratio more = ratio(set, HIGH, master, replica);
    add(
        "CPU time of a write, master against replica, SET",
        PAPER + "section 4.3, Figure 4",
        Kind.RATIO,
        2,
        more,
        Verdict.ofEffectOrMore(2, more, more.p()),
        "published as six copies of the data against three, 2 or more");
  }

  /** The simulated cluster's service times were set by these claims, so it cannot but meet them. */
  private String putIn(String note) {
    boolean simulated = !rows.isEmpty() && rows.stream().allMatch(RunRow::isSimulated);
    String more = note.isEmpty() ? "" : "; " + note;
    return simulated ? PublishedClaim.BY_CONSTRUCTION + more : note;
  }

  private void throughput() {
    String memtier = PAPER + "section 5.1, Figure 5";
    String ycsb = PAPER + "section 5.1, Figure 7";
    ToDoubleFunction<RunRow> speed = row -> row.number(LoadColumns.THROUGHPUT_OPS_S);
    less(
        "throughput less, all-low, SET",
        memtier,
        0.36,
        LOW,
        Concerto2021::isSet,
        speed,
        replicas().equals("3 nodes") ? putIn("") : "");
    less("throughput less, all-low, GET", memtier, 0.15, LOW, Concerto2021::isGet, speed, "");
    less(
        "throughput less, all-low, mean of YCSB", ycsb, 0.20, LOW, Concerto2021::isYcsb, speed, "");
    flat("throughput, concerto against all-high, SET and GET", memtier, Concerto2021::isMemtier);
    flat("throughput, concerto against all-high, YCSB", ycsb, Concerto2021::isYcsb);
  }

  private void energy() {
    String memtier = PAPER + "section 5.1, Figure 6";
    String ycsb = PAPER + "section 5.1, Figure 8";
    Map<Column, String> accounts = new LinkedHashMap<>();
    accounts.put(CHARGED, "i = 1");
    accounts.put(BUSY, "i = 0");
    accounts.forEach(
        (column, account) -> {
          ToDoubleFunction<RunRow> joules = row -> row.number(column) / done(row);
          String note = "of cores, " + account + ", " + replicas();
          Predicate<RunRow> plain = Concerto2021::isMemtier;
          less(
              words(CONCERTO, "SET and GET, least", account),
              memtier,
              0.27,
              CONCERTO,
              plain,
              joules,
              note);
          less(
              words(CONCERTO, "SET and GET, most", account),
              memtier,
              0.36,
              CONCERTO,
              plain,
              joules,
              note);
          less(words(LOW, "SET and GET", account), memtier, 0.54, LOW, plain, joules, note);
          Predicate<RunRow> all = Concerto2021::isYcsb;
          less(words(CONCERTO, "mean of YCSB", account), ycsb, 0.44, CONCERTO, all, joules, note);
          less(words(LOW, "mean of YCSB", account), ycsb, 0.67, LOW, all, joules, note);
        });
  }

  private static String words(String policy, String where, String account) {
    return "energy of cores less, %s, %s, %s".formatted(policy, where, account);
  }

  private String replicas() {
    Set<String> nodes = new TreeSet<>();
    rows.forEach(row -> nodes.add(row.text(RunColumns.NODES)));
    return nodes.size() == 1 ? nodes.iterator().next() + " nodes" : "several sizes of cluster";
  }

  private static double done(RunRow row) {
    double errors = row.number(LoadColumns.ERRORS);
    return row.number(LoadColumns.OPERATIONS) - (Double.isNaN(errors) ? 0 : errors);
  }

  private void less(
      String words,
      String source,
      double published,
      String policy,
      Predicate<RunRow> which,
      ToDoubleFunction<RunRow> figure,
      String note) {
    Estimate ours = Statistics.estimate(saved(which, policy, figure));
    Verdict verdict = Verdict.ofFewer(published, ours);
    claims.add(
        new PublishedClaim(
            words,
            source,
            Kind.SHARE,
            published,
            ours.mean(),
            ours.low(),
            ours.high(),
            verdict.words(),
            verdict.note(note)));
  }

  private void flat(String words, String source, Predicate<RunRow> which) {
    ToDoubleFunction<RunRow> speed = row -> row.number(LoadColumns.THROUGHPUT_OPS_S);
    Ratio ours = ratio(which, CONCERTO, speed, speed);
    add(
        words,
        source,
        Kind.RATIO,
        1,
        ours,
        Verdict.ofFlat(ours),
        "published as identical or similar; judged as a change below 10 %");
  }

  private void add(
      String words,
      String source,
      Kind kind,
      double published,
      Ratio ours,
      Verdict verdict,
      String note) {
    claims.add(
        new PublishedClaim(
            words,
            source,
            kind,
            published,
            ours.ratio(),
            ours.low(),
            ours.high(),
            verdict.words(),
            verdict.note(note)));
  }

  /** What a policy has less than all-high: the mean over workloads, in each block. */
  private double[] saved(Predicate<RunRow> which, String policy, ToDoubleFunction<RunRow> figure) {
    Map<String, List<Double>> blocks = new TreeMap<>();
    for (Pair pair : pairs(which, policy)) {
      blocks
          .computeIfAbsent(pair.ours.text(RunColumns.REPEAT), block -> new ArrayList<>())
          .add(1 - figure.applyAsDouble(pair.ours) / figure.applyAsDouble(pair.high));
    }
    return blocks.values().stream()
        .mapToDouble(
            shares -> shares.stream().mapToDouble(each -> each).average().orElse(Double.NaN))
        .toArray();
  }

  private static boolean isPair(RunRow row, RunRow other) {
    return List.of(
            RunColumns.REPEAT,
            RunColumns.WORKLOAD,
            RunColumns.THREADS,
            RunColumns.RATE,
            RunColumns.CONSISTENCY,
            RunColumns.NODES)
        .stream()
        .allMatch(column -> row.text(column).equals(other.text(column)));
  }

  /**
   * A policy's figure over one of all-high. Within a block both are summed over the same workloads:
   * those that have both runs.
   */
  private Ratio ratio(
      Predicate<RunRow> which,
      String policy,
      ToDoubleFunction<RunRow> ours,
      ToDoubleFunction<RunRow> high) {
    Map<String, double[]> blocks = new TreeMap<>();
    for (Pair pair : pairs(which, policy)) {
      double[] sums =
          blocks.computeIfAbsent(pair.ours.text(RunColumns.REPEAT), block -> new double[2]);
      sums[0] += ours.applyAsDouble(pair.ours);
      sums[1] += high.applyAsDouble(pair.high);
    }
    return Statistics.ratio(
        blocks.values().stream().mapToDouble(sums -> sums[0]).toArray(),
        blocks.values().stream().mapToDouble(sums -> sums[1]).toArray());
  }

  private List<Pair> pairs(Predicate<RunRow> which, String policy) {
    return pairs.stream()
        .filter(pair -> which.test(pair.ours) && pair.ours.text(RunColumns.CLOCK).equals(policy))
        .toList();
  }

  private static boolean isYcsb(RunRow row) {
    return row.text(RunColumns.WORKLOAD).startsWith("ycsb-");
  }

  private static boolean isMemtier(RunRow row) {
    return !isYcsb(row);
  }

  private static boolean isWriting(RunRow row) {
    return !row.text(LoadColumns.WRITE_P50_US).isEmpty()
        && row.text(LoadColumns.READ_P50_US).isEmpty();
  }

  private static boolean isSet(RunRow row) {
    return isMemtier(row) && isWriting(row);
  }

  private static boolean isGet(RunRow row) {
    return isMemtier(row) && row.text(LoadColumns.WRITE_P50_US).isEmpty();
  }
}
