package org.calando.power.ipmi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A sensor of a controller, as {@code sdr elist full} or {@code sdr get} shows it.
 *
 * @param name its name, at most 16 characters
 * @param entity what it belongs to: 7.x the system board, 10.x a power supply; empty if not told
 * @param watts its reading; empty if it has none now
 * @param shown what it shows instead, or the whole reading
 */
record PowerSensor(String name, String entity, OptionalDouble watts, String shown) {
  private static final Pattern WATTS =
      Pattern.compile("(\\d{1,7}(?:[.,]\\d{1,6})?)\\s*(?:\\(\\+/-[^)]{0,20}\\))?\\s*(?i:w|watts?)");
  private static final Pattern LINE =
      Pattern.compile("([^|]{1,64})\\|[^|]{0,16}\\|[^|]{0,16}\\|([^|]{0,16})\\|([^|]{0,128})");
  private static final Pattern ID =
      Pattern.compile("Sensor ID\\s*:\\s*(.{1,64}?)\\s*\\(0x[0-9a-fA-F]{1,4}\\)");
  private static final Pattern READING = Pattern.compile("Sensor Reading\\s*:\\s*(.{1,128})");
  private static final Pattern COMMANDABLE =
      Pattern.compile("[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]+");

  /** Sensors of the lines of {@code sdr elist full}. */
  static List<PowerSensor> fromList(List<String> output) {
    List<PowerSensor> sensors = new ArrayList<>();
    for (String line : output) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && COMMANDABLE.matcher(matcher.group(1).strip()).matches()) {
        String shown = matcher.group(3).strip();
        sensors.add(
            new PowerSensor(
                matcher.group(1).strip(), matcher.group(2).strip(), readWatts(shown), shown));
      }
    }
    return sensors;
  }

  /** Sensors of the answer to {@code sdr get}. */
  static List<PowerSensor> fromDetails(List<String> output) {
    List<PowerSensor> sensors = new ArrayList<>();
    Optional<String> name = Optional.empty();
    for (String line : output) {
      Matcher id = ID.matcher(line);
      Matcher reading = READING.matcher(line);
      if (id.lookingAt()) {
        name = Optional.of(id.group(1));
      } else if (name.isPresent() && reading.lookingAt()) {
        String shown = reading.group(1).strip();
        sensors.add(new PowerSensor(name.get(), "", readWatts(shown), shown));
        name = Optional.empty();
      }
    }
    return sensors;
  }

  private static OptionalDouble readWatts(String shown) {
    Matcher watts = WATTS.matcher(shown);
    return watts.matches()
        ? OptionalDouble.of(Double.parseDouble(watts.group(1).replace(',', '.')))
        : OptionalDouble.empty();
  }

  boolean isNamed(String other) {
    return name.equalsIgnoreCase(other.strip());
  }

  /** Lower case, words separated by single blanks. */
  String plainName() {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", " ").strip();
  }
}
