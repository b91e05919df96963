package org.calando.power.ipmi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.calando.power.MeterException;

/**
 * The sensors whose sum is the machine's power.
 *
 * @param names the sensors, at least one
 * @param reason why these, in words
 */
record SensorChoice(List<String> names, String reason) {
  private static final int MAX_LISTED = 12;

  /** Names of parts, limits and statistics, which are not the machine's power now. */
  private static final Pattern NOT_WHOLE =
      Pattern.compile(
          "\\b(cpu|proc|processor|mem|memory|dimm|gpu|fan|hdd|disk|pcie|vr|peak|cap|limit|budget|avail"
              + "|available|max|min|avg|average|status)\\d{0,3}\\b");

  /** Names of a whole machine's power; the first that fits one sensor wins. */
  private static final List<Pattern> SYSTEM =
      List.of(
          Pattern.compile("pwr consumption|power consumption|system level"),
          Pattern.compile(
              "(total|system|sys|node|server|chassis|platform) (total )?(power|pwr)( in)?"),
          Pattern.compile("(total|system|sys) (power|pwr) (input|in|usage|consumed|consumption)"),
          Pattern.compile("power meter|input power|power input|pwr (meter|usage|input)"));

  private static final Pattern SUPPLY = Pattern.compile("(ps|psu|pwr supply|power supply) ?\\d.*");
  private static final Pattern OUTPUT = Pattern.compile(".*\\b(p?out|output|dc)\\b.*");
  private static final Pattern INPUT = Pattern.compile(".*\\b(p?in|input|ac)\\b.*");

  SensorChoice {
    names = List.copyOf(names);
  }

  /**
   * The sensors that a user named.
   *
   * @throws MeterException if one does not exist or has no reading in watts
   */
  static SensorChoice named(IpmiAddress address, List<String> wanted, List<PowerSensor> all)
      throws MeterException {
    List<String> names = new ArrayList<>();
    for (String name : wanted) {
      Optional<PowerSensor> found = all.stream().filter(one -> one.isNamed(name)).findFirst();
      if (found.isEmpty()) {
        throw IpmiProblems.problem(
            address,
            "there is no sensor '" + name + "'",
            "sensors with a reading in watts: " + list(all));
      }
      if (found.get().watts().isEmpty()) {
        throw noReading(address, found.get());
      }
      names.add(found.get().name());
    }
    return new SensorChoice(names, "as configured");
  }

  /** A sensor that exists and tells no watts. */
  static MeterException noReading(IpmiAddress address, PowerSensor sensor) {
    return IpmiProblems.problem(
        address,
        "sensor '" + sensor.name() + "' reports no watts but '" + sensor.shown() + "'",
        "wait until the controller measures, or name another sensor with sensors");
  }

  /**
   * The sensors that tell the machine's power: one of the whole system, else the sum of its power
   * supplies.
   *
   * @throws MeterException if the names do not tell which those are
   */
  static SensorChoice find(IpmiAddress address, List<PowerSensor> all) throws MeterException {
    List<PowerSensor> candidates =
        all.stream()
            .filter(sensor -> sensor.watts().isPresent())
            .filter(sensor -> !NOT_WHOLE.matcher(sensor.plainName()).find())
            .toList();
    Optional<SensorChoice> choice = system(candidates);
    if (choice.isEmpty()) {
      choice = supplies(candidates, all);
    }
    if (choice.isEmpty() && candidates.size() == 1) {
      choice = Optional.of(new SensorChoice(names(candidates), "the only sensor in watts"));
    }
    return choice.orElseThrow(
        () ->
            IpmiProblems.problem(
                address,
                "no sensor is known to tell the machine's power",
                all.stream().anyMatch(sensor -> sensor.watts().isPresent())
                    ? "name them with sensors; those in watts: " + list(all)
                    : "use another meter: the controller shows nothing in watts"));
  }

  private static Optional<SensorChoice> system(List<PowerSensor> candidates) {
    for (Pattern pattern : SYSTEM) {
      for (PowerSensor sensor : candidates) {
        if (pattern.matcher(sensor.plainName()).matches()) {
          return Optional.of(new SensorChoice(List.of(sensor.name()), "the whole system's"));
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<SensorChoice> supplies(
      List<PowerSensor> candidates, List<PowerSensor> all) {
    List<PowerSensor> supplies = candidates.stream().filter(SensorChoice::isSupply).toList();
    List<PowerSensor> inputs =
        supplies.stream()
            .filter(sensor -> matches(INPUT, sensor) && !matches(OUTPUT, sensor))
            .toList();
    if (inputs.isEmpty()) {
      // Unmarked ones are inputs with most vendors; outputs leave the supplies' losses out.
      inputs = supplies.stream().filter(sensor -> !matches(OUTPUT, sensor)).toList();
    }
    boolean outputs = inputs.isEmpty();
    List<PowerSensor> chosen = outputs ? supplies : inputs;
    if (chosen.isEmpty()) {
      return Optional.empty();
    }
    String reason =
        (chosen.size() == 1 ? "the power supply's" : "sum of " + chosen.size() + " power supplies'")
            + (outputs ? " outputs, without the supplies' losses" : "");
    return Optional.of(new SensorChoice(names(chosen), reason + silent(all)));
  }

  private static String silent(List<PowerSensor> all) {
    String names =
        all.stream()
            .filter(sensor -> sensor.watts().isEmpty() && isSupply(sensor))
            .filter(sensor -> matches(INPUT, sensor))
            .map(PowerSensor::name)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "" : ", without " + names + " (no reading)";
  }

  private static boolean isSupply(PowerSensor sensor) {
    return sensor.entity().startsWith("10.") || matches(SUPPLY, sensor);
  }

  private static boolean matches(Pattern pattern, PowerSensor sensor) {
    return pattern.matcher(sensor.plainName()).matches();
  }

  private static List<String> names(List<PowerSensor> sensors) {
    return sensors.stream().map(PowerSensor::name).distinct().toList();
  }

  private static String list(List<PowerSensor> all) {
    String names =
        all.stream()
            .filter(sensor -> sensor.watts().isPresent())
            .map(PowerSensor::name)
            .limit(MAX_LISTED)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }
}
