package org.calando.studyfile.workload;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.calando.load.LoadDays;
import org.calando.load.LoadTrace;
import org.calando.schema.Units;

/**
 * How operations arrive in an open loop.
 *
 * <p>Immutable and thread safe. Rates are operations per second, above 0.
 */
public sealed interface RateSpec {

  /** The arrivals in results: {@code 400/s}, {@code poisson 400/s}, {@code ramp 100/s..400/s}. */
  String label();

  /** The highest rate per second. */
  double peakPerSecond();

  /** Local seconds that pass in a second: 1, but for days that are compressed. */
  default double speed() {
    return 1;
  }

  /** Evenly spaced arrivals. */
  record Constant(double perSecond) implements RateSpec {
    @Override
    public double peakPerSecond() {
      return perSecond;
    }

    @Override
    public String label() {
      return Units.formatRate(perSecond);
    }
  }

  /** Independent arrivals: exponentially distributed gaps. */
  record Poisson(double perSecond) implements RateSpec {
    @Override
    public double peakPerSecond() {
      return perSecond;
    }

    @Override
    public String label() {
      return "poisson " + Units.formatRate(perSecond);
    }
  }

  /** One rate after another; the last holds until the run ends. */
  record Steps(List<Step> steps) implements RateSpec {
    public Steps {
      steps = List.copyOf(steps);
    }

    @Override
    public double peakPerSecond() {
      return steps.stream().mapToDouble(Step::perSecond).max().orElse(0);
    }

    @Override
    public String label() {
      return steps.stream()
          .map(
              step ->
                  Units.formatRate(step.perSecond())
                      + " for "
                      + Units.formatNanos(step.durationNanos()))
          .collect(Collectors.joining(", ", "steps ", ""));
    }
  }

  /** A rate for some time. */
  record Step(double perSecond, long durationNanos) {}

  /** A rate that changes linearly and then stays. */
  record Ramp(double fromPerSecond, double toPerSecond, long durationNanos) implements RateSpec {
    @Override
    public double peakPerSecond() {
      return Math.max(fromPerSecond, toPerSecond);
    }

    @Override
    public String label() {
      return "ramp "
          + Units.formatRate(fromPerSecond)
          + ".."
          + Units.formatRate(toPerSecond)
          + " over "
          + Units.formatNanos(durationNanos);
    }
  }

  /** A load with a calendar, which begins on a Monday, 00:00, with the run's warm-up. */
  sealed interface Traced extends RateSpec {
    /** The load as it is asked for, compressed. */
    LoadTrace trace();
  }

  /**
   * A load that somebody recorded.
   *
   * @param recorded the load as it was
   * @param speed how much shorter it is made, 1 or more
   */
  record Trace(LoadTrace recorded, double speed) implements Traced {
    @Override
    public LoadTrace trace() {
      return recorded.compressed(speed);
    }

    @Override
    public double peakPerSecond() {
      return recorded.peak();
    }

    /** With a number by which it is told from others. */
    @Override
    public String label() {
      return "trace %08x to %s, %sx"
          .formatted(
              recorded.hashCode(), Units.formatRate(recorded.peak()), Units.formatNumber(speed));
    }
  }

  /**
   * Days of an office, drawn from a seed and compressed.
   *
   * @param peakPerSecond at a working day's noon
   * @param days 1 or more
   * @param shape how a day goes
   * @param speed how much shorter they are, 1 or more
   * @param seed of noise and spikes
   */
  record Days(double peakPerSecond, int days, LoadDays.Shape shape, double speed, long seed)
      implements Traced {
    @Override
    public LoadTrace trace() {
      return LoadDays.office(peakPerSecond).withShape(shape).trace(days, seed).compressed(speed);
    }

    @Override
    public String label() {
      return "%d %s days of %s, %sx, seed %d"
          .formatted(
              days,
              shape.name().toLowerCase(Locale.ROOT),
              Units.formatRate(peakPerSecond),
              Units.formatNumber(speed),
              seed);
    }
  }
}
