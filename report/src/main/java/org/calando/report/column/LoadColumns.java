package org.calando.report.column;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Columns of the load: operations and how long they took. */
public final class LoadColumns {
  static final Contributor<LoadFigures> LOAD =
      new Contributor<>(LoadFigures.class, (load, run, summary) -> latencies(load, summary));

  public static final Column OPERATIONS =
      LOAD.column("operations", "count", "operations that ended, errors included")
          .number(LoadFigures::operations);
  public static final Column ERRORS =
      LOAD.column("errors", "count", "operations that failed, those without an answer included")
          .number(LoadFigures::errors);
  public static final Column DURATION_S =
      LOAD.column("duration_s", "s", "length of the measured window").number(LoadFigures::seconds);
  public static final Column THROUGHPUT_OPS_S =
      LOAD.column("throughput_ops_s", "ops/s", "operations that succeeded over the window's length")
          .number(LoadFigures::throughput);
  public static final Column READ_P50_US =
      LOAD.column(
              "read_p50_us", "us", "median latency of reads; open loops: from the intended start")
          .number(load -> micros(load.reads(), h -> h.getValueAtPercentile(50)));
  public static final Column READ_P99_US =
      LOAD.column("read_p99_us", "us", "99th percentile of the same")
          .number(load -> micros(load.reads(), h -> h.getValueAtPercentile(99)));
  public static final Column WRITE_P50_US =
      LOAD.column("write_p50_us", "us", "median latency of writes, likewise")
          .number(load -> micros(load.writes(), h -> h.getValueAtPercentile(50)));
  public static final Column WRITE_P99_US =
      LOAD.column("write_p99_us", "us", "99th percentile of the same")
          .number(load -> micros(load.writes(), h -> h.getValueAtPercentile(99)));
  public static final Column READ_MEAN_US =
      LOAD.column("read_mean_us", "us", "mean latency of reads, from where percentiles count")
          .number(load -> micros(load.reads(), Histogram::getMean));
  public static final Column WRITE_MEAN_US =
      LOAD.column("write_mean_us", "us", "mean latency of writes, likewise")
          .number(load -> micros(load.writes(), Histogram::getMean));

  private LoadColumns() {}

  private static double micros(Histogram latencies, ToDoubleFunction<Histogram> nanos) {
    return latencies.getTotalCount() == 0 ? Double.NaN : nanos.applyAsDouble(latencies) / 1e3;
  }

  private static void latencies(LoadFigures load, ObjectNode summary) {
    ObjectNode latency = summary.putObject("latency");
    load.latencies()
        .forEach(
            (measure, histogram) ->
                latency
                    .putObject(measure)
                    .put("count", histogram.getTotalCount())
                    .put("mean_us", histogram.getMean() / 1e3)
                    .put("p50_us", histogram.getValueAtPercentile(50) / 1e3)
                    .put("p90_us", histogram.getValueAtPercentile(90) / 1e3)
                    .put("p99_us", histogram.getValueAtPercentile(99) / 1e3)
                    .put("p999_us", histogram.getValueAtPercentile(99.9) / 1e3)
                    .put("max_us", histogram.getMaxValue() / 1e3));
  }
}
