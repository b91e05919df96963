package org.calando.report.column;

import java.util.function.ToDoubleFunction;
import org.calando.core.store.DeferralFigures;

/** Columns of deferred writes. */
public final class BufferColumns {
  static final Contributor<DeferralFigures> BUFFERS = new Contributor<>(DeferralFigures.class);

  public static final Column FRESHNESS_P99_MS =
      BUFFERS
          .column(
              "freshness_p99_ms",
              "ms",
              "99th percentile of the time from a deferred write's call until the server had it")
          .number(found -> millis(found, DeferralFigures::freshness99Nanos));
  public static final Column AT_RISK =
      BUFFERS
          .column(
              "at_risk",
              "count",
              "mean number of writes that were acknowledged and not yet on the store")
          .given();
  public static final Column FRESHNESS_P50_MS =
      BUFFERS
          .column("freshness_p50_ms", "ms", "as `freshness_p99_ms`, the median")
          .number(found -> millis(found, DeferralFigures::freshness50Nanos));
  public static final Column FRESHNESS_MAX_MS =
      BUFFERS
          .column("freshness_max_ms", "ms", "as `freshness_p99_ms`, the longest")
          .number(found -> millis(found, DeferralFigures::freshnessMaxNanos));
  public static final Column FLUSHES =
      BUFFERS
          .column("flushes", "count", "buffers of deferred writes that were sent")
          .number(DeferralFigures::flushes);
  public static final Column AT_RISK_MAX =
      BUFFERS
          .column("at_risk_max", "count", "as `at_risk`, the most at any time")
          .number(DeferralFigures::mostAtRisk);
  public static final Column LOST_WRITES =
      BUFFERS
          .column("lost_writes", "count", "writes that were acknowledged and failed later")
          .number(DeferralFigures::failed);

  private BufferColumns() {}

  private static double millis(DeferralFigures found, ToDoubleFunction<DeferralFigures> nanos) {
    return found.visible() > 0 ? nanos.applyAsDouble(found) / 1e6 : Double.NaN;
  }
}
