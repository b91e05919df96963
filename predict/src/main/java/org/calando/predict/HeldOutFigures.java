package org.calando.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.calando.core.energy.NodeProfile;
import org.calando.report.Statistics;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;

/** Holds predictions against what a fit did not see. Immutable. */
final class HeldOutFigures {
  private final NodeProfile power;
  private final boolean wattsMeasured;
  private final boolean staged;

  private HeldOutFigures(NodeProfile power, boolean wattsMeasured, boolean staged) {
    this.staged = staged;
    this.power = power;
    this.wattsMeasured = wattsMeasured;
  }

  /**
   * Errors of what a calibration was asked to hold out.
   *
   * @param out configurations that the fit did not see
   * @param power of a node, as fitted
   */
  static Optional<HeldOut> of(
      Calibration.Request request,
      Fit fit,
      Draws draws,
      List<Configuration> out,
      NodeProfile power,
      Consumer<String> progress) {
    boolean each = request.holdOut().isEach();
    List<Configuration> judged = each ? fit.configurations() : out;
    if (judged.isEmpty()) {
      return Optional.empty();
    }
    progress.accept("held out: " + judged.size() + " configurations");
    boolean measured =
        judged.stream().flatMap(c -> c.runs().stream()).allMatch(run -> run.watts() > 0);
    HeldOutFigures figures = new HeldOutFigures(power, measured, fit.stages().isPresent());
    Figures[] simulated = simulated(request, judged, each ? draws::without : i -> draws.all());
    List<HeldOut.Row> rows = new ArrayList<>();
    for (int i = 0; i < judged.size(); i++) {
      rows.addAll(
          figures.rows(
              judged.get(i), Arrays.copyOfRange(simulated, i * Draws.KEPT, (i + 1) * Draws.KEPT)));
    }
    String how =
        each
            ? "each configuration in its turn, by one step from the fit to all"
            : request.holdOut().toString();
    return Optional.of(HeldOut.of(how, judged.size(), measured, rows));
  }

  /** Of every configuration as many as there are draws, all configurations side by side. */
  private static Figures[] simulated(
      Calibration.Request request,
      List<Configuration> judged,
      IntFunction<List<Parameters>> drawsOf) {
    List<List<Parameters>> draws = IntStream.range(0, judged.size()).mapToObj(drawsOf).toList();
    long bytes = judged.stream().mapToLong(c -> Simulations.bytes(c.scenario())).max().orElse(1);
    return Simulations.run(
        judged.size() * Draws.KEPT,
        bytes,
        i ->
            Calibration.simulate(
                judged.get(i / Draws.KEPT).scenario(),
                draws.get(i / Draws.KEPT),
                i % Draws.KEPT,
                request.operations()));
  }

  private List<HeldOut.Row> rows(Configuration configuration, Figures... figures) {
    NodePower nodes = new NodePower(power, configuration.scenario().cluster().nodes());
    List<HeldOut.Row> rows = new ArrayList<>();
    for (Quantity quantity : Quantity.judged(staged)) {
      double[] measured =
          configuration.runs().stream()
              .mapToDouble(run -> measured(run, quantity, nodes))
              .toArray();
      double mean = mean(configuration, quantity, measured);
      if (!isTold(configuration, quantity) || !Double.isFinite(mean)) {
        continue;
      }
      double[] predicted = new double[figures.length];
      for (int i = 0; i < predicted.length; i++) {
        predicted[i] = predicted(figures[i], quantity, nodes);
      }
      rows.add(
          new HeldOut.Row(
              configuration.label(),
              quantity,
              mean,
              Statistics.estimate(measured).halfWidth(),
              Interval.of(predicted)));
    }
    return rows;
  }

  /** Watts, and joules with them, follow from CPU time where no meter measures them. */
  private static boolean isTold(Configuration configuration, Quantity quantity) {
    return configuration.tells(
        quantity == Quantity.WATTS || quantity == Quantity.JOULES ? Quantity.CPU : quantity);
  }

  /** Of stale reads the share over all reads of all runs. */
  private static double mean(Configuration configuration, Quantity quantity, double... measured) {
    return quantity == Quantity.STALE
        ? configuration.mean(quantity)
        : Statistics.estimate(measured).mean();
  }

  private double measured(MeasuredRun run, Quantity quantity, NodePower nodes) {
    double watts = wattsMeasured ? run.watts() * nodes.nodes() : nodes.watts(run.figures());
    return switch (quantity) {
      case WATTS -> watts;
      case JOULES -> watts / run.figures().throughput();
      default -> run.figures().get(quantity);
    };
  }

  private static double predicted(Figures figures, Quantity quantity, NodePower nodes) {
    return switch (quantity) {
      case WATTS -> nodes.watts(figures);
      case JOULES -> nodes.joules(figures);
      default -> figures.get(quantity);
    };
  }
}
