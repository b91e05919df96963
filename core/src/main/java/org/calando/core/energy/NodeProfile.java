package org.calando.core.energy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;

/**
 * The power of one kind of node, from off to busy. Immutable; the constructor takes any figures, so
 * that all that is wrong can be told at once: use {@link #requireValid} before computing with them.
 *
 * @param name what users call it
 * @param offWatts drawn while switched off (the management controller), 0 or more
 * @param idleWatts drawn while switched on without work, at least {@code offWatts}
 * @param busyWatts drawn with every core busy, at least {@code idleWatts}
 * @param cores processor cores, 1 or more
 * @param cpuScale CPU seconds of this node that one CPU second of the measuring machine stands for,
 *     above 0; 2 if this node's cores are half as fast
 * @param curve shape of the power between idle and busy
 * @param bootSeconds from power-on to ready to serve, 0 or more
 * @param bootWatts mean power meanwhile, 0 or more
 * @param source where the figures come from, and which of them are assumptions
 */
public record NodeProfile(
    String name,
    double offWatts,
    double idleWatts,
    double busyWatts,
    int cores,
    double cpuScale,
    PowerCurve curve,
    double bootSeconds,
    double bootWatts,
    String source) {

  /**
   * Power at a utilisation.
   *
   * @param utilisation busy share of the node's cores; below 0 counts as 0, above 1 as 1
   */
  public double watts(double utilisation) {
    return idleWatts + (busyWatts - idleWatts) * curve.share(utilisation);
  }

  /**
   * The busy share of this node's cores that CPU time of the measuring machine stands for; above 1
   * where that machine did more than this node could.
   *
   * @param cpuSeconds CPU time used, in seconds of the measuring machine
   * @param seconds the time in which it was used, above 0
   */
  public double utilisation(double cpuSeconds, double seconds) {
    return cpuSeconds * cpuScale / (seconds * cores);
  }

  /**
   * Joules above idle that one more CPU second of the measuring machine costs this node, on average
   * between idle and busy: {@code (busy - idle) / cores * cpuScale}. Watts over cores are joules a
   * core's second, so the unit is joules per CPU second; 0 or more.
   */
  public double marginalJoulesPerCpuSecond() {
    return (busyWatts - idleWatts) / cores * cpuScale;
  }

  /** The same profile for a measuring machine of another speed. */
  public NodeProfile withCpuScale(double newCpuScale) {
    return new NodeProfile(
        name,
        offWatts,
        idleWatts,
        busyWatts,
        cores,
        newCpuScale,
        curve,
        bootSeconds,
        bootWatts,
        source);
  }

  /** Everything that is wrong with the figures; empty if the profile can be used. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    if (name.isBlank()) {
      problems.add("name must not be empty");
    }
    requireAtLeast(problems, "off", offWatts, 0, "0 W");
    requireAtLeast(problems, "idle", idleWatts, offWatts, "the off power");
    requireAtLeast(problems, "busy", busyWatts, idleWatts, "the idle power");
    if (cores < 1) {
      problems.add("cores must be 1 or more, not " + cores);
    }
    if (!(cpuScale > 0) || !Double.isFinite(cpuScale)) {
      problems.add("cpu-scale must be above 0, not " + cpuScale);
    }
    requireAtLeast(problems, "boot seconds", bootSeconds, 0, "0 s");
    requireAtLeast(problems, "boot power", bootWatts, 0, "0 W");
    if (source.isBlank()) {
      problems.add("source must say where the figures come from");
    }
    problems.addAll(curve.problems());
    return problems;
  }

  /**
   * This profile, if its figures make sense.
   *
   * @param where the file and path of the profile, for the message
   * @throws BadRequestException naming every problem
   */
  public NodeProfile requireValid(String where) {
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      throw new BadRequestException(
          "node profile '" + name + "': " + String.join("; ", problems),
          where,
          "correct the figures, or name a built-in profile: "
              + String.join(", ", Profiles.names()));
    }
    return this;
  }

  private static void requireAtLeast(
      List<String> problems, String what, double value, double floor, String floorName) {
    if (!Double.isFinite(value) || value < 0) {
      problems.add(what + " must be a number of 0 or more, not " + value);
    } else if (value < floor) {
      problems.add("%s (%s) must be at least %s (%s)".formatted(what, value, floorName, floor));
    }
  }
}
