package org.calando.power;

/** What an instrument showed at a time, on the ticker's clock. */
public sealed interface PowerSample {
  /**
   * When the figure was true: the middle of the request for an instrument that answers with its
   * present state, the figure's own time where it has one.
   */
  long atNanos();

  /**
   * A counter of energy.
   *
   * @param atNanos when it was true
   * @param joules energy since the probe was opened, laps of the counter added up; never decreases
   * @param reset true if the counter started again since the sample before, so that the energy of
   *     that time is not known and not in {@code joules}
   */
  record Energy(long atNanos, double joules, boolean reset) implements PowerSample {}

  /**
   * A reading of power.
   *
   * @param atNanos when it was true
   * @param watts power, 0 or more
   */
  record Power(long atNanos, double watts) implements PowerSample {}
}
