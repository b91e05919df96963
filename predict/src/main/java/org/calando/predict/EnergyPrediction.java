package org.calando.predict;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.core.energy.NodeProfile;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Quantity;

/*
 * Watts of a node follow from the cores it uses and its power profile; joules an operation are the watts of all nodes
 * over the operations a second. Every draw of the profile's parameters is simulated with random numbers of its own, so
 * that the ranges hold both what is not known of the parameters and what is chance in a run.
 */
/** What a profile says of a scenario. Immutable. */
public final class EnergyPrediction {
  private static final int OPERATIONS = 20_000;
  private static final double STEP = 0.01;

  private final CalibrationProfile profile;
  private final Scenario scenario;
  private final NodeProfile power;
  private final Figures[] draws;

  private EnergyPrediction(
      CalibrationProfile profile, Scenario scenario, NodeProfile power, Figures[] draws) {
    this.profile = profile;
    this.scenario = scenario;
    this.power = power;
    this.draws = draws;
  }

  /**
   * Predicts.
   *
   * @param power of a node, if not as the profile says
   */
  public static EnergyPrediction of(
      CalibrationProfile profile, Scenario scenario, NodeProfile power) {
    return new EnergyPrediction(
        profile, scenario, power, Calibration.simulate(scenario, profile.draws(), OPERATIONS));
  }

  /** Operations per second. */
  public Interval throughput() {
    return over(Figures::throughput);
  }

  /** Watts of all nodes. */
  public Interval watts() {
    return over(nodes(power)::watts);
  }

  /** Joules of all nodes, an operation. */
  public Interval joulesPerOperation() {
    return over(nodes(power)::joules);
  }

  /** Share of stale reads; none where levels overlap. */
  public Interval staleRate() {
    return scenario.mayBeStale() ? over(Figures::staleRate) : new Interval(0, 0, 0);
  }

  /** CPU time of all nodes, an operation, in ms. */
  public Interval cpuMillis() {
    return over(Figures::cpuMillis);
  }

  /** In which respects this extrapolates, a sentence each. */
  public List<String> warnings() {
    List<String> warnings = FittedRanges.beyond(profile.range(), scenario, profile.cluster());
    if (scenario.isOpen() && throughput().value() < 0.97 * scenario.perSecond()) {
      warnings.add("the cluster cannot do this rate: it is overloaded, and latencies grow");
    }
    double most = over(nodes(power)::most).high();
    if (most > 1) {
      warnings.add(
          "a node uses %s times the %d cores of %s, whose watts end there: they are too few"
              .formatted(ReportLines.figure(most), power.cores(), power.name()));
    }
    return warnings;
  }

  /**
   * By how many percent joules an operation change for one percent of each figure of the power
   * profile.
   */
  public Map<String, Double> elasticities() {
    Map<String, Double> elasticities = new LinkedHashMap<>();
    elasticities.put(
        "idle",
        elasticity(power.idleWatts(), with(power.idleWatts() * (1 + STEP), power.busyWatts())));
    elasticities.put(
        "busy",
        elasticity(power.busyWatts(), with(power.idleWatts(), power.busyWatts() * (1 + STEP))));
    // No node is off or boots in a steady state; see the lines on a node that is switched off.
    elasticities.put("off", 0.0);
    elasticities.put("boot", 0.0);
    return elasticities;
  }

  private double elasticity(double figure, NodeProfile changed) {
    double before = joulesPerOperation().value();
    double after = over(nodes(changed)::joules).value();
    return figure == 0 ? 0 : (after / before - 1) / STEP;
  }

  private NodeProfile with(double idle, double busy) {
    return new NodeProfile(
        power.name(),
        power.offWatts(),
        idle,
        busy,
        power.cores(),
        power.cpuScale(),
        power.curve(),
        power.bootSeconds(),
        power.bootWatts(),
        power.source());
  }

  /** Watts that an idle node saves when it is switched off. */
  public double savedByOff() {
    return power.idleWatts() - power.offWatts();
  }

  /** Seconds off after which a node's boot is paid for; infinite if off saves nothing. */
  public double bootPaidAfterSeconds() {
    return power.bootSeconds() * (power.bootWatts() - power.offWatts()) / savedByOff();
  }

  private NodePower nodes(NodeProfile each) {
    return new NodePower(each, scenario.cluster().nodes());
  }

  private Interval over(ToDoubleFunction<Figures> figure) {
    return Interval.of(Arrays.stream(draws).mapToDouble(figure).toArray());
  }

  /** The answer as JSON. */
  public ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    put(answer, "joules_per_op", joulesPerOperation());
    put(answer, "watts", watts());
    put(answer, "throughput_ops_s", throughput());
    put(answer, "stale_rate", staleRate());
    put(answer, "cpu_ms_per_op", cpuMillis());
    if (scenario.readShare() > 0) {
      put(answer, "read_latency_ms", over(Figures::readMillis));
    }
    if (scenario.readShare() < 1) {
      put(answer, "write_latency_ms", over(Figures::writeMillis));
    }
    profile
        .heldOut()
        .ifPresent(
            heldOut -> {
              ObjectNode errors = answer.putObject("held_out_error");
              errors.put("how", heldOut.how());
              errors.put("configurations", heldOut.configurations());
              errors.put("watts_measured", heldOut.wattsMeasured());
              heldOut
                  .errors()
                  .forEach(
                      (quantity, error) ->
                          errors
                              .putObject(quantity.key())
                              .put("mean", error.mean())
                              .put("worst", error.worst()));
            });
    ObjectNode fit = answer.putObject("fit_error");
    profile.fitErrors().forEach((quantity, error) -> fit.put(quantity.key(), error));
    warnings().forEach(answer.putArray("extrapolates")::add);
    ErrorWarning.of(profile).ifPresent(answer.putArray("warnings")::add);
    ObjectNode depends = answer.putObject("elasticity");
    elasticities().forEach(depends::put);
    answer.put("off_saves_w", savedByOff());
    if (Double.isFinite(bootPaidAfterSeconds())) {
      answer.put("boot_paid_after_s", bootPaidAfterSeconds());
    } else {
      answer.putNull("boot_paid_after_s");
    }
    answer.put("power_profile", power.name());
    answer.put("provenance", "simulated");
    return answer;
  }

  private static void put(ObjectNode answer, String name, Interval interval) {
    if (Double.isFinite(interval.value())) {
      answer
          .putObject(name)
          .put("value", interval.value())
          .put("low", interval.low())
          .put("high", interval.high());
    } else {
      answer.putNull(name);
    }
  }

  /** The answer for people, in lines of fewer than 80 characters. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s at %s, %s %% reads, %d nodes, rf %d"
            .formatted(
                scenario.load(),
                scenario.levels(),
                ReportLines.figure(scenario.readShare() * 100),
                scenario.cluster().nodes(),
                scenario.cluster().replicationFactor()));
    lines.add("");
    lines.add(
        "                        predicted   nine of ten draws in   "
            + (profile.heldOut().isPresent() ? "held-out error" : "none held out: fit"));
    lines.add(row("joules/operation", joulesPerOperation(), 1, error(Quantity.JOULES)));
    lines.add(row("watts, all nodes", watts(), 1, error(Quantity.WATTS)));
    lines.add(row("operations/s", throughput(), 1, error(Quantity.THROUGHPUT)));
    lines.add(row("CPU ms/operation", cpuMillis(), 1, error(Quantity.CPU)));
    lines.add(row("stale reads, %", staleRate(), 100, error(Quantity.STALE)));
    if (scenario.readShare() > 0) {
      lines.add(row("read latency, ms", over(Figures::readMillis), 1, ""));
    }
    if (scenario.readShare() < 1) {
      lines.add(row("write latency, ms", over(Figures::writeMillis), 1, ""));
    }
    lines.add("");
    warnings().forEach(warning -> ReportLines.wrap(lines, "extrapolates: " + warning));
    if (profile.heldOut().filter(heldOut -> !heldOut.wattsMeasured()).isPresent()) {
      ReportLines.wrap(
          lines,
          "No meter measured watts of what was held out: errors of watts and joules are those of"
              + " CPU time and throughput, and do not test the power profile.");
    }
    ErrorWarning.of(profile).ifPresent(warning -> ReportLines.wrap(lines, warning));
    dependence(lines);
    ReportLines.wrap(
        lines,
        "Joules are simulated, gross, of the nodes without clients; watts of a node by "
            + power.name()
            + ": "
            + power.source());
    return lines;
  }

  private String error(Quantity quantity) {
    if (profile.heldOut().isEmpty()) {
      Double fit = quantity == Quantity.STALE ? null : profile.fitErrors().get(quantity);
      return fit == null ? "-" : "%.0f %%".formatted(fit * 100);
    }
    return profile
        .heldOut()
        .flatMap(heldOut -> Optional.ofNullable(heldOut.errors().get(quantity)))
        .map(
            error ->
                quantity == Quantity.STALE
                    ? "%.2f pp, worst %.2f".formatted(error.mean() * 100, error.worst() * 100)
                    : "%.0f %%, worst %.0f %%".formatted(error.mean() * 100, error.worst() * 100))
        .orElse("");
  }

  private void dependence(List<String> lines) {
    Map<String, Double> by = elasticities();
    ReportLines.wrap(
        lines,
        "A percent more of the power profile's figure changes joules/operation by: idle (%s W) %s"
                .formatted(
                    ReportLines.figure(power.idleWatts()), percent(by.getOrDefault("idle", 0.0)))
            + ", busy (%s W) %s, off and boot 0 %% while all nodes are on."
                .formatted(
                    ReportLines.figure(power.busyWatts()), percent(by.getOrDefault("busy", 0.0))));
    double boot = power.bootSeconds() * power.bootWatts();
    ReportLines.wrap(
        lines,
        "A node off (%s W) instead of idle saves %s W; its boot of %s J is paid for after %s s."
            .formatted(
                ReportLines.figure(power.offWatts()),
                ReportLines.figure(savedByOff()),
                ReportLines.figure(boot),
                ReportLines.figure(bootPaidAfterSeconds())));
  }

  private static String percent(double elasticity) {
    return String.format(Locale.ROOT, "%.2f %%", elasticity);
  }

  private static String row(String what, Interval interval, double scale, String error) {
    return String.format(
            Locale.ROOT,
            "%-20s %12s   %9s to %-9s  %s",
            what,
            ReportLines.figure(interval.value() * scale),
            ReportLines.figure(interval.low() * scale),
            ReportLines.figure(interval.high() * scale),
            error)
        .stripTrailing();
  }
}
