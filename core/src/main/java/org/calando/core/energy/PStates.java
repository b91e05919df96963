package org.calando.core.energy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;

/**
 * The clocks that a processor's cores can run at, the fastest first. The dynamic power of a busy
 * core goes with the square of its voltage times its frequency. Immutable and thread safe.
 *
 * @param states at least one, each slower than the one before and at no higher voltage
 */
public record PStates(List<State> states) {
  /**
   * Voltage at the slowest clock over that at the fastest in {@link #xeonSilver4114}: an assumption
   * for processors that do not tell their voltages, as cpufreq never does.
   */
  public static final double USUAL_VOLTAGE_RATIO = 0.86 / 1.10;

  private static final Pattern STATE =
      Pattern.compile("([0-9.]+) ?ghz ?(?:@|at)? ?([0-9.]+) ?v", Pattern.CASE_INSENSITIVE);

  /**
   * A clock.
   *
   * @param ghz frequency, above 0
   * @param volts supply of the core, above 0
   */
  public record State(double ghz, double volts) {
    private double power() {
      return volts * volts * ghz;
    }
  }

  /**
   * Checks the states.
   *
   * @throws BadRequestException naming all that cannot be
   */
  public PStates {
    states = List.copyOf(states);
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < states.size(); i++) {
      State state = states.get(i);
      if (!(state.ghz() > 0 && state.ghz() < 1e3 && state.volts() > 0 && state.volts() < 1e3)) {
        problems.add("%s GHz at %s V".formatted(state.ghz(), state.volts()));
      } else if (i > 0
          && (state.ghz() >= states.get(i - 1).ghz()
              || state.volts() > states.get(i - 1).volts())) {
        problems.add(
            "%s GHz at %s V is not below the state before it"
                .formatted(state.ghz(), state.volts()));
      }
    }
    if (states.isEmpty()) {
      problems.add("there is none");
    }
    if (!problems.isEmpty()) {
      throw new BadRequestException(
          "P-states: " + String.join("; ", problems), "", "name the fastest first");
    }
  }

  /** Those of the Intel Xeon Silver 4114 as Lee and Lee 2021 (Concerto) estimate them, table 2. */
  public static PStates xeonSilver4114() {
    return new PStates(
        List.of(
            new State(2.2, 1.10),
            new State(2.0, 1.06),
            new State(1.8, 1.02),
            new State(1.6, 0.98),
            new State(1.4, 0.94),
            new State(1.2, 0.90),
            new State(1.0, 0.86)));
  }

  /**
   * Those of clocks whose voltages are not told: a straight line from the slowest to the fastest,
   * where only the ratio of the two counts.
   *
   * @param clocksKHz as cpufreq lists them, in any order, repeats included
   * @param voltageRatio voltage at the slowest over that at the fastest, above 0, at most 1
   * @throws BadRequestException if there is none, or one cannot be
   */
  public static PStates ofClocks(List<Long> clocksKHz, double voltageRatio) {
    if (!(voltageRatio > 0 && voltageRatio <= 1)) {
      throw new BadRequestException(
          "a ratio of voltages of " + voltageRatio, "", "give one above 0, at most 1");
    }
    List<Double> ghz =
        clocksKHz.stream()
            .distinct()
            .sorted((a, b) -> Long.compare(b, a))
            .map(kHz -> kHz / 1e6)
            .toList();
    List<State> states = new ArrayList<>();
    for (double clock : ghz) {
      double slowest = ghz.get(ghz.size() - 1);
      double range = ghz.get(0) - slowest;
      double share = range > 0 ? (clock - slowest) / range : 1;
      states.add(new State(clock, voltageRatio + (1 - voltageRatio) * share));
    }
    return new PStates(states);
  }

  /**
   * Those that a user names, such as {@code 2.2 GHz at 1.10 V}; {@code 2.2GHz@1.1V} is the same.
   *
   * @param states in any order
   * @param where they stand, for the message
   * @throws BadRequestException naming what cannot be
   */
  public static PStates parse(List<String> states, String where) {
    List<State> parsed = new ArrayList<>();
    for (String text : states) {
      Matcher state = STATE.matcher(text.strip());
      try {
        if (!state.matches()) {
          throw new NumberFormatException(text);
        }
        parsed.add(
            new State(Double.parseDouble(state.group(1)), Double.parseDouble(state.group(2))));
      } catch (NumberFormatException e) {
        throw new BadRequestException(
            "'" + text + "' is no P-state", where, "write it as in: 2.2 GHz at 1.10 V");
      }
    }
    parsed.sort((a, b) -> Double.compare(b.ghz(), a.ghz()));
    return new PStates(parsed);
  }

  /** The states in words: {@code 2.2 GHz at 1.100 V, ...}. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    for (State state : states) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(String.format(Locale.ROOT, "%s GHz at %.3f V", state.ghz(), state.volts()));
    }
    return text.toString();
  }

  /** The fastest clock, in GHz. */
  public double fastestGhz() {
    return states.get(0).ghz();
  }

  /**
   * The dynamic power of a core at a clock as a share of that at the fastest one, above 0 .. 1.
   *
   * @param ghz the frequency of one of the states
   * @throws BadRequestException if there is no such state
   */
  public double relativePower(double ghz) {
    for (State state : states) {
      if (state.ghz() == ghz) {
        return state.power() / states.get(0).power();
      }
    }
    throw new BadRequestException(
        "there is no P-state of " + ghz + " GHz",
        "clock",
        "choose one of " + states.stream().map(state -> state.ghz() + " GHz").toList());
  }

  /**
   * The same of any clock up to the fastest one, for drivers that cap clocks anywhere between: the
   * voltage is on the line between the states beside it, and below the slowest state its own.
   *
   * @param ghz above 0, at most {@link #fastestGhz}
   * @throws BadRequestException if it is not within
   */
  public double relativePowerWithin(double ghz) {
    if (!(ghz > 0 && ghz <= fastestGhz())) {
      throw new BadRequestException(
          "no power is known of " + ghz + " GHz", "clock", "at most " + fastestGhz() + " GHz");
    }
    int below = 0;
    while (below < states.size() && states.get(below).ghz() > ghz) {
      below++;
    }
    double volts = states.get(Math.min(below, states.size() - 1)).volts();
    if (below > 0 && below < states.size()) {
      State slower = states.get(below);
      State faster = states.get(below - 1);
      double share = (ghz - slower.ghz()) / (faster.ghz() - slower.ghz());
      volts += share * (faster.volts() - slower.volts());
    }
    return new State(ghz, volts).power() / states.get(0).power();
  }
}
