package org.calando.knob.frequency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.calando.report.OperationSeconds;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.column.ClockColumns;
import org.calando.report.column.LoadColumns;

/**
 * What a replica has to do for a write at each P-state, and how often writes come. Not thread safe.
 */
final class ClockHeadroom {
  /** Below this share of writes, what a replica does is something else. */
  private static final double WRITES_THAT_MATTER = 0.2;

  private static final double MICROS = 1e6;
  private static final double KILO_PER_GIGA = 1e6;

  private final ResultsFolder study;
  private final ClockSetup setup;
  private final Map<String, Double> writes = new HashMap<>();

  ClockHeadroom(ResultsFolder study, ClockSetup setup) {
    this.study = study;
    this.setup = setup;
  }

  /**
   * A P-state of replicas. Nobody changes its arrays, which have a value for each run.
   *
   * @param ghz the clock
   */
  record State(double ghz, List<double[]> times) {
    /** Time between two writes that arrive, in microseconds. */
    double[] arrival() {
      return times.get(0);
    }

    /** CPU time of a write, by the ratio of clocks. */
    double[] predicted() {
      return times.get(1);
    }

    /** CPU time of a write in runs whose replicas had this clock; empty if none had. */
    double[] measured() {
      return times.get(2);
    }

    /** Busy share of the main thread, reads included, by the ratio of clocks. */
    double[] busy() {
      return times.get(3);
    }
  }

  /** The states for a group, the fastest first; none without runs at the fastest clock. */
  List<State> of(ClockGroup group) {
    double[] writesEach =
        group.of(ClockGroup.BASELINE).stream().mapToDouble(this::writesPerOperation).toArray();
    double[] rates = group.values(ClockGroup.BASELINE, r -> r.number(LoadColumns.THROUGHPUT_OPS_S));
    double[] work =
        group.values(ClockGroup.BASELINE, r -> r.number(ClockColumns.REPLICA_CPU_US_OP));
    List<Double> ghz = clocks(group);
    List<State> states = new ArrayList<>();
    for (double clock : ghz) {
      double slowdown = ghz.get(0) / clock;
      double[] arrival = new double[rates.length];
      double[] predicted = new double[rates.length];
      double[] busy = new double[rates.length];
      for (int i = 0; i < rates.length; i++) {
        arrival[i] = MICROS / (rates[i] * writesEach[i]);
        predicted[i] = work[i] / writesEach[i] * slowdown;
        busy[i] = work[i] * rates[i] / MICROS * slowdown;
      }
      double[] measured =
          clock == ghz.get(0)
              ? measured(group, ClockGroup.BASELINE)
              : clock == ghz.get(ghz.size() - 1) ? measured(group, "concerto") : new double[0];
      states.add(new State(clock, List.of(arrival, predicted, measured, busy)));
    }
    return states;
  }

  private double[] measured(ClockGroup group, String policy) {
    return group.of(policy).stream()
        .mapToDouble(row -> row.number(ClockColumns.REPLICA_CPU_US_OP) / writesPerOperation(row))
        .toArray();
  }

  /** The P-states: as recorded, else those that runs of the group were seen at. */
  private List<Double> clocks(ClockGroup group) {
    if (!setup.ghz().isEmpty()) {
      return setup.ghz();
    }
    return group.runs().values().stream()
        .flatMap(runs -> runs.stream().limit(1))
        .flatMap(row -> study.runCsv(row.id(), "clocks.csv").stream())
        .map(row -> row.number("khz") / KILO_PER_GIGA)
        .filter(clock -> clock > 0)
        .distinct()
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Whether what a group's replicas do is to write, for the most part. */
  boolean isOfWrites(ClockGroup group) {
    return writesPerOperation(group) >= WRITES_THAT_MATTER;
  }

  /** Writes among a group's operations; NaN if they were not counted. */
  private double writesPerOperation(ClockGroup group) {
    return Arrays.stream(
            group.of(ClockGroup.BASELINE).stream().mapToDouble(this::writesPerOperation).toArray())
        .average()
        .orElse(Double.NaN);
  }

  private double writesPerOperation(RunRow row) {
    return writes.computeIfAbsent(row.id(), this::countWrites);
  }

  private double countWrites(String run) {
    double written = 0;
    double operations = 0;
    for (RunRow second : study.runCsv(run, "ops.csv")) {
      if (OperationSeconds.isMeasured(second)) {
        written += second.number("writes");
        operations += second.number("operations");
      }
    }
    return operations > 0 ? written / operations : Double.NaN;
  }
}
