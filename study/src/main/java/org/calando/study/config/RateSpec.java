package org.calando.study.config;

import java.util.List;
import java.util.stream.Collectors;
import org.calando.study.config.schema.Units;

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
}
