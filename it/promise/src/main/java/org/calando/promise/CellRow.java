package org.calando.promise;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * What came of a cell.
 *
 * @param cell its name
 * @param promised share of stale reads
 * @param start of the first seconds
 * @param after of those behind
 * @param one share of stale reads at ONE beside it
 * @param quorum the same at QUORUM
 * @param busy share of the machine's CPU time that was used
 * @param touched reads whose level is nobody's business, and which were sent at another one
 */
record CellRow(
    String cell,
    double promised,
    Seen start,
    Seen after,
    Share one,
    Share quorum,
    double busy,
    long touched) {
  static final String HEADER =
      "cell,promised,verdict,reads,errors,stale_rate,stale_low,stale_high,replicas,least,"
          + "one_stale,quorum_stale,start_reads,start_errors,start_stale_rate,start_replicas,busy,touched";

  /**
   * Judges a cell.
   *
   * @param begun when the adaptive session was there
   * @param startNanos how long its start takes
   * @param ended when its reads ended
   * @param busy share of the machine's CPU time that was used
   */
  static CellRow of(
      Cell cell,
      List<WriteEntry> writes,
      List<ReadEntry> reads,
      long begun,
      long startNanos,
      long ended,
      double busy) {
    Judge judge = new Judge(writes);
    long behind = begun + startNanos;
    Predicate<String> judged = Cell.JUDGED::equals;
    String asked = cell.defaultLevel();
    return new CellRow(
        cell.name(),
        cell.promised(),
        Seen.of(judge, reads, judged, begun, behind),
        Seen.of(judge, reads, judged, behind, ended),
        Seen.of(judge, reads, Cell.ONE::equals, begun, ended).stale(),
        Seen.of(judge, reads, Cell.QUORUM::equals, begun, ended).stale(),
        busy,
        reads.stream()
            .filter(read -> read.task().equals(Cell.UNTOUCHED) && !read.failed())
            .filter(read -> !read.level().equals(asked))
            .count());
  }

  Verdict verdict() {
    return Verdict.of(after.stale(), promised, after.errors(), one.value());
  }

  double least() {
    return Least.replicas(promised, one.value(), quorum.value(), ProbeBed.FACTOR);
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%s,%s,%s,%d,%d,%.6f,%.6f,%.6f,%.4f,%.4f,%.6f,%.6f,%d,%d,%.6f,%.4f,%.3f,%d",
        cell,
        promised,
        verdict().label(),
        after.stale().count(),
        after.errors(),
        after.stale().value(),
        after.stale().low(),
        after.stale().high(),
        after.replicas(),
        least(),
        one.value(),
        quorum.value(),
        start.stale().count(),
        start.errors(),
        start.stale().value(),
        start.replicas(),
        busy,
        touched);
  }
}
