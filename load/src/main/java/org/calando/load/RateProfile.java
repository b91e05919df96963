package org.calando.load;

import java.util.ArrayList;
import java.util.List;

/**
 * An arrival rate over time: segments that hold a rate (steps) or change it linearly (ramps), after
 * which the last rate goes on for ever. Immutable and thread safe.
 */
public final class RateProfile {
  /**
   * A stretch of time with a constant or linearly changing rate.
   *
   * @param durationNanos length, greater than 0
   * @param fromPerSecond rate at its beginning, 0 or more
   * @param toPerSecond rate at its end, 0 or more
   */
  public record Segment(long durationNanos, double fromPerSecond, double toPerSecond) {
    public Segment {
      if (durationNanos < 1) {
        throw new IllegalArgumentException("segment lasts " + durationNanos + " ns, less than 1");
      }
      requireRate(fromPerSecond);
      requireRate(toPerSecond);
    }

    /** Arrivals expected within the segment. */
    public double arrivals() {
      return (fromPerSecond + toPerSecond) / 2 * (durationNanos / 1e9);
    }
  }

  private final List<Segment> segments;
  private final double lastPerSecond;

  private RateProfile(List<Segment> segments, double lastPerSecond) {
    this.segments = List.copyOf(segments);
    this.lastPerSecond = lastPerSecond;
  }

  /**
   * One rate for ever.
   *
   * @param perSecond greater than 0
   */
  public static RateProfile constant(double perSecond) {
    requireRate(perSecond);
    if (perSecond == 0) {
      throw new IllegalArgumentException("rate 0: nothing would ever arrive");
    }
    return new RateProfile(List.of(), perSecond);
  }

  /** Begins a profile of steps and ramps. */
  public static Builder builder() {
    return new Builder();
  }

  /** The segments in order of time; empty for a constant rate. */
  public List<Segment> segments() {
    return segments;
  }

  /** The rate per second after the last segment; 0 if nothing arrives then. */
  public double lastPerSecond() {
    return lastPerSecond;
  }

  private static void requireRate(double perSecond) {
    if (!(perSecond >= 0 && perSecond <= 1e9)) {
      throw new IllegalArgumentException("rate " + perSecond + " per second is not in 0 .. 1e9");
    }
  }

  /** Collects steps and ramps; not thread safe. */
  public static final class Builder {
    private final List<Segment> segments = new ArrayList<>();

    private Builder() {}

    /** Holds a rate for a time. */
    public Builder step(double perSecond, long durationNanos) {
      return ramp(perSecond, perSecond, durationNanos);
    }

    /** Changes the rate linearly over a time. */
    public Builder ramp(double fromPerSecond, double toPerSecond, long durationNanos) {
      segments.add(new Segment(durationNanos, fromPerSecond, toPerSecond));
      return this;
    }

    /** A profile that holds the last segment's final rate after it. */
    public RateProfile build() {
      if (segments.isEmpty()) {
        throw new IllegalArgumentException("a rate profile needs a step or a ramp");
      }
      return new RateProfile(segments, segments.get(segments.size() - 1).toPerSecond());
    }

    /** A profile after whose last segment nothing arrives. */
    public RateProfile buildFinite() {
      build();
      return new RateProfile(segments, 0);
    }
  }
}
