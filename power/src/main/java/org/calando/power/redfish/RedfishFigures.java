package org.calando.power.redfish;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.power.MeterException;
import org.calando.power.redfish.RedfishClient.Resource;
import org.calando.power.redfish.RedfishFigure.Unit;

/**
 * Finds the numbers of power and energy that a resource shows or links to, in the schemas
 * EnvironmentMetrics, Power, PowerSubsystem with its supplies' metrics, Sensor, Outlet and
 * PowerDistributionMetrics (DMTF DSP2046).
 *
 * <p>A counter of energy is taken before a reading of power if it is fine enough for runs of a
 * minute, which {@code EnergykWh} seldom is. Not thread safe.
 */
final class RedfishFigures {
  /** 1 % of a minute at 100 W. */
  private static final double FINE_JOULES = 60;

  private static final int MAX_MEMBERS = 64;
  private static final Pattern PART =
      Pattern.compile("(?i)cpu|processor|memory|dimm|gpu|fan|storage|disk|drive|accelerator");
  private static final Pattern WHOLE =
      Pattern.compile("(?i).*(total|system|server|chassis|node|input).*");

  private final RedfishClient client;
  private final long deadlineNanos;
  private boolean sawEmpty;

  RedfishFigures(RedfishClient client, long deadlineNanos) {
    this.client = client;
    this.deadlineNanos = deadlineNanos;
  }

  /** Whether a number had its place but no value. */
  boolean sawEmpty() {
    return sawEmpty;
  }

  /** What the resource itself shows, else what it links to, in the order of preference. */
  Optional<RedfishPlan> find(Resource resource) throws MeterException, InterruptedException {
    Optional<RedfishPlan> coarse = Optional.empty();
    List<Resource> places = new ArrayList<>(List.of(resource));
    for (String link : List.of("EnvironmentMetrics", "Power", "Metrics")) {
      Optional<String> path = RedfishWalk.link(resource.json(), link);
      if (path.isPresent()) {
        client.find(path.get(), deadlineNanos).ifPresent(places::add);
      }
    }
    for (Resource place : places) {
      Optional<RedfishPlan> energy = energy(place);
      if (energy.isPresent() && isFine(energy.get(), place)) {
        return energy;
      }
      coarse = coarse.or(() -> energy);
    }
    for (Resource place : places) {
      Optional<RedfishPlan> power = power(place);
      if (power.isPresent()) {
        return power;
      }
    }
    Optional<RedfishPlan> linked = supplies(resource);
    if (linked.isEmpty()) {
      linked = sensors(resource);
    }
    return linked.isPresent() ? linked : coarse;
  }

  private Optional<RedfishPlan> energy(Resource place) {
    Optional<RedfishFigure> counter =
        shown(place, "/EnergyJoules/Reading", Unit.JOULES)
            .or(() -> shown(place, "/EnergykWh/Reading", Unit.KILOWATT_HOURS))
            .or(() -> sensor(place, "EnergyJoules", Unit.JOULES))
            .or(() -> sensor(place, "EnergyWh", Unit.WATT_HOURS))
            .or(() -> sensor(place, "EnergykWh", Unit.KILOWATT_HOURS));
    return counter.map(
        figure -> {
          double step = step(figure, place);
          String text = "energy counter " + figure.describe() + "; steps of " + format(step) + " J";
          return plan(List.of(figure), true, text);
        });
  }

  private static boolean isFine(RedfishPlan plan, Resource place) {
    return step(plan.figures().get(0), place) <= FINE_JOULES;
  }

  private static double step(RedfishFigure figure, Resource place) {
    return figure.step(figure.read(place.json()).orElse(BigDecimal.ZERO));
  }

  private Optional<RedfishPlan> power(Resource place) {
    return shown(place, "/PowerWatts/Reading", Unit.WATTS)
        .or(() -> shown(place, "/InputPowerWatts/Reading", Unit.WATTS))
        .or(() -> sensor(place, "Power", Unit.WATTS))
        .or(() -> control(place))
        .map(figure -> plan(List.of(figure), false, "power " + figure.describe() + renewal()));
  }

  private static String renewal() {
    return "; renewed by the controller every 1 to 30 s, often an average of that time";
  }

  /** The entry of the whole machine, which vendors write first. */
  private Optional<RedfishFigure> control(Resource place) {
    JsonNode controls = place.json().path("PowerControl");
    for (int i = 0; i < controls.size(); i++) {
      if (!PART.matcher(controls.path(i).path("Name").asText()).find()) {
        String pointer = "/PowerControl/" + i + "/PowerConsumedWatts";
        Optional<RedfishFigure> figure = shown(place, pointer, Unit.WATTS);
        if (figure.isPresent()) {
          return figure;
        }
      }
    }
    return Optional.empty();
  }

  /** A resource that is a sensor itself. */
  private Optional<RedfishFigure> sensor(Resource place, String type, Unit unit) {
    return place.json().path("ReadingType").asText().equals(type)
        ? shown(place, "/Reading", unit)
        : Optional.empty();
  }

  private Optional<RedfishFigure> shown(Resource place, String pointer, Unit unit) {
    RedfishFigure figure = RedfishFigure.of(place.path(), pointer, unit);
    boolean shows = figure.read(place.json()).isPresent();
    sawEmpty |= !shows && figure.isIn(place.json());
    return shows ? Optional.of(figure) : Optional.empty();
  }

  /** The sum of what the power supplies take in. */
  private Optional<RedfishPlan> supplies(Resource chassis)
      throws MeterException, InterruptedException {
    Optional<Resource> subsystem = follow(chassis, "PowerSubsystem");
    Optional<String> list = subsystem.flatMap(one -> RedfishWalk.link(one.json(), "PowerSupplies"));
    if (list.isEmpty()) {
      return Optional.empty();
    }
    List<RedfishFigure> inputs = new ArrayList<>();
    for (Resource supply : RedfishWalk.members(client, list.get(), MAX_MEMBERS, deadlineNanos)) {
      String state = supply.json().path("Status").path("State").asText();
      Optional<Resource> metrics =
          state.equals("Absent") ? Optional.empty() : follow(supply, "Metrics");
      metrics
          .flatMap(one -> shown(one, "/InputPowerWatts/Reading", Unit.WATTS))
          .ifPresent(inputs::add);
    }
    String text = "sum of " + inputs.size() + " power supplies' InputPowerWatts" + renewal();
    return inputs.isEmpty() ? Optional.empty() : Optional.of(plan(inputs, false, text));
  }

  /** The sensor of the whole machine, told by its name: services have hundreds of sensors. */
  private Optional<RedfishPlan> sensors(Resource chassis)
      throws MeterException, InterruptedException {
    Optional<Resource> list = follow(chassis, "Sensors");
    if (list.isEmpty()) {
      return Optional.empty();
    }
    for (JsonNode member : list.get().json().path("Members")) {
      String path = member.path("@odata.id").asText();
      String id = path.substring(path.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
      if (id.contains("power") && WHOLE.matcher(id).matches() && !PART.matcher(id).find()) {
        Optional<Resource> sensor = client.find(path, deadlineNanos);
        Optional<RedfishPlan> plan = sensor.flatMap(this::power);
        if (plan.isPresent()) {
          return plan;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Resource> follow(Resource from, String property)
      throws MeterException, InterruptedException {
    Optional<String> path = RedfishWalk.link(from.json(), property);
    return path.isEmpty() ? Optional.empty() : client.find(path.get(), deadlineNanos);
  }

  private static RedfishPlan plan(List<RedfishFigure> figures, boolean cumulative, String text) {
    return new RedfishPlan(figures, cumulative, text, Optional.empty());
  }

  private static String format(double joules) {
    return joules >= 1
        ? Long.toString(Math.round(joules))
        : String.format(Locale.ROOT, "%.3g", joules);
  }
}
