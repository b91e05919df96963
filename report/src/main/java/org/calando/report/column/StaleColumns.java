package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.ToDoubleFunction;
import org.calando.core.workload.DualRead;
import org.calando.core.workload.Staleness;

/** Columns of stale reads. */
public final class StaleColumns {
  static final Contributor<StaleFigures> STALE =
      new Contributor<>(StaleFigures.class, (found, run, summary) -> write(found, summary));

  public static final Column READS =
      STALE
          .column("reads", "count", "reads that were checked for staleness")
          .number(found -> found.staleness().reads());
  public static final Column STALE_READS =
      STALE
          .column(
              "stale_reads",
              "count",
              "of these, reads older than the newest version acknowledged when they began")
          .number(found -> found.staleness().staleReads());
  public static final Column STALE_RATE =
      STALE
          .column("stale_rate", "share", "`stale_reads` over `reads`")
          .number(found -> ofReads(found, Staleness::staleRate));
  public static final Column STALE_P99_MS =
      STALE
          .column(
              "stale_p99_ms",
              "ms",
              "99th percentile, over stale reads, of how long the version returned had been obsolete when the read began")
          .number(found -> ofStale(found, stale -> stale.ageNanos().p99() / 1e6));
  public static final Column STALE_MAX_VERSIONS =
      STALE
          .column(
              "stale_max_versions", "count", "how many versions the worst stale read was behind")
          .number(found -> ofStale(found, stale -> stale.versionsBehind().max()));
  public static final Column STALE_COVERAGE =
      STALE
          .column(
              "stale_coverage", "share", "part of the stale reads whose age and versions are known")
          .number(found -> ofReads(found, Staleness::staleCoverage));
  public static final Column RYW_VIOLATIONS =
      STALE
          .column(
              "ryw_violations", "count", "reads older than what the same client had written before")
          .number(found -> ofReads(found, Staleness::readYourWritesViolations));
  public static final Column MONOTONIC_VIOLATIONS =
      STALE
          .column(
              "monotonic_violations",
              "count",
              "reads older than what the same client had read before")
          .number(found -> ofReads(found, Staleness::monotonicReadViolations));
  public static final Column DUAL_READS =
      STALE
          .column("dual_reads", "count", "reads that were repeated at ALL (`staleness: dual-read`)")
          .number(found -> ofDual(found, DualRead::pairs));
  public static final Column DUAL_STALE_READS =
      STALE
          .column(
              "dual_stale_reads", "count", "of these, reads whose repetition had a newer version")
          .number(found -> ofDual(found, DualRead::older));
  public static final Column DUAL_STALE_RATE =
      STALE
          .column("dual_stale_rate", "share", "`dual_stale_reads` over `dual_reads`")
          .number(found -> ofDual(found, dual -> (double) dual.older() / dual.pairs()));

  private StaleColumns() {}

  private static double ofReads(StaleFigures found, ToDoubleFunction<Staleness> figure) {
    return found.staleness().reads() > 0 ? figure.applyAsDouble(found.staleness()) : Double.NaN;
  }

  private static double ofStale(StaleFigures found, ToDoubleFunction<Staleness> figure) {
    Staleness staleness = found.staleness();
    return staleness.staleReads() > 0 && staleness.ageNanos().count() > 0
        ? figure.applyAsDouble(staleness)
        : Double.NaN;
  }

  private static double ofDual(StaleFigures found, ToDoubleFunction<DualRead> figure) {
    return found.dual().map(figure::applyAsDouble).orElse(Double.NaN);
  }

  private static void write(StaleFigures found, ObjectNode summary) {
    Staleness staleness = found.staleness();
    ObjectNode node = summary.putObject("staleness");
    node.put("reads", staleness.reads());
    node.put("stale_reads", staleness.staleReads());
    node.put("stale_rate", staleness.staleRate());
    write(staleness.versionsBehind(), 1, node.putObject("versions_behind"));
    write(staleness.ageNanos(), 1e6, node.putObject("age_ms"));
    node.put("coverage", staleness.staleCoverage());
    node.put("read_your_writes_violations", staleness.readYourWritesViolations());
    node.put("read_your_writes_coverage", staleness.readYourWritesCoverage());
    node.put("monotonic_read_violations", staleness.monotonicReadViolations());
    node.put("monotonic_read_coverage", staleness.monotonicReadCoverage());
    node.put("tracked_coverage", staleness.trackedCoverage());
    node.put("indeterminate_writes", staleness.indeterminateWrites());
    node.put("foreign_reads", staleness.foreignReads());
    found
        .dual()
        .ifPresent(
            dual ->
                node.putObject("dual_read")
                    .put("pairs", dual.pairs())
                    .put("differing", dual.mismatches())
                    .put("first_older", dual.older()));
  }

  private static void write(Staleness.Distribution values, double unit, ObjectNode node) {
    node.put("count", values.count());
    node.put("mean", values.mean() / unit);
    node.put("p50", values.p50() / unit);
    node.put("p99", values.p99() / unit);
    node.put("max", values.max() / unit);
  }
}
