package org.calando.power.redfish;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.Scope;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.internal.EnergyCounter;
import org.calando.power.redfish.RedfishClient.Resource;

/** Asks a service for the few resources that show the power, once each a sample. */
final class RedfishProbe implements PowerProbe {
  private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RedfishSource source;
  private final RedfishClient client;
  private final RedfishPlan plan;
  private final List<EnergyCounter> counters = new ArrayList<>();

  RedfishProbe(RedfishSource source, RedfishClient client, RedfishPlan plan) {
    this.source = source;
    this.client = client;
    this.plan = plan;
    plan.figures().forEach(figure -> counters.add(new EnergyCounter(figure.unit().factor())));
  }

  @Override
  public ProbeInfo info() {
    String resolution =
        plan.resolution() + (source.verify() ? "" : "; the service's certificate is not verified");
    return new ProbeInfo(Scope.HOST, resolution, RENEWAL_NANOS, plan.cumulative(), false, false);
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
    Map<String, Resource> resources = new LinkedHashMap<>();
    for (RedfishFigure figure : plan.figures()) {
      if (!resources.containsKey(figure.path())) {
        resources.put(figure.path(), client.get(figure.path(), deadlineNanos));
      }
    }
    long first = resources.values().stream().mapToLong(Resource::atNanos).min().orElseThrow();
    long last = resources.values().stream().mapToLong(Resource::atNanos).max().orElseThrow();
    long atNanos = first + (last - first) / 2;
    List<Double> values = new ArrayList<>();
    for (RedfishFigure figure : plan.figures()) {
      values.add(read(figure, resources));
    }
    return plan.cumulative() ? energy(atNanos, values) : power(atNanos, values, deadlineNanos);
  }

  private double read(RedfishFigure figure, Map<String, Resource> resources) throws MeterException {
    Resource resource = resources.get(figure.path());
    if (resource == null) {
      throw new IllegalStateException("not asked for " + figure.path());
    }
    JsonNode json = resource.json();
    return figure
        .read(json)
        .map(BigDecimal::doubleValue)
        .orElseThrow(
            () ->
                new MeterException(
                    figure.isIn(json)
                        ? "the reading is null or no figure"
                        : "the reading no longer exists",
                    source.uri().resolve(figure.describe()).toString(),
                    "wait until the controller measures again, or use another meter"));
  }

  private PowerSample energy(long atNanos, List<Double> values) {
    double joules = 0;
    boolean reset = false;
    for (int i = 0; i < values.size(); i++) {
      PowerSample.Energy one = counters.get(i).advance(atNanos, values.get(i));
      joules += one.joules();
      reset |= one.reset();
    }
    return new PowerSample.Energy(atNanos, joules, reset);
  }

  private PowerSample power(long atNanos, List<Double> values, long deadlineNanos)
      throws MeterException, InterruptedException {
    double watts = 0;
    for (int i = 0; i < values.size(); i++) {
      watts += values.get(i) * plan.figures().get(i).unit().factor();
    }
    if (watts == 0) {
      requireOff(deadlineNanos);
    }
    return new PowerSample.Power(atNanos, watts);
  }

  /** A machine that runs never draws 0 W. */
  private void requireOff(long deadlineNanos) throws MeterException, InterruptedException {
    String path = plan.state().orElseThrow();
    String state = client.get(path, deadlineNanos).json().path("PowerState").asText();
    if (!state.equalsIgnoreCase("Off")) {
      throw new MeterException(
          "the service shows 0 W for a machine that is not off",
          source.uri().resolve(plan.figures().get(0).describe()).toString(),
          "wait until the controller measures, or use another meter");
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
