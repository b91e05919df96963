package org.calando.core.energy;

import java.util.ArrayList;
import java.util.List;

/**
 * The shape of a node's power between idle and busy: the share of the dynamic power (busy minus
 * idle) that is drawn at a utilisation. Immutable.
 */
public sealed interface PowerCurve {
  /**
   * The share of dynamic power drawn.
   *
   * @param utilisation busy share of the node's cores; below 0 counts as 0, above 1 as 1
   * @return 0 at no utilisation, 1 at full, never decreasing between for a curve without problems
   */
  double share(double utilisation);

  /** Everything that is wrong with the curve's parameters; empty if it can be used. */
  List<String> problems();

  /** The curve in words, for reports. */
  String describe();

  /** Power in proportion to utilisation. */
  static PowerCurve linear() {
    return new Linear();
  }

  /** Power as {@code utilisation^exponent}; below 1 is concave, as most servers are. */
  static PowerCurve powerLaw(double exponent) {
    return new PowerLaw(exponent);
  }

  /**
   * Straight lines between watts at evenly spaced utilisations, the first at none and the last at
   * full: SPECpower_ssj2008's active idle and load levels of 10 to 100 % are eleven of them.
   */
  static PowerCurve points(double... watts) {
    List<Double> points = new ArrayList<>(watts.length);
    for (double w : watts) {
      points.add(w);
    }
    return new Points(points);
  }

  private static double clamp(double utilisation) {
    return Math.min(1, Math.max(0, utilisation));
  }

  /** See {@link #linear()}. */
  record Linear() implements PowerCurve {
    @Override
    public double share(double utilisation) {
      return clamp(utilisation);
    }

    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public String describe() {
      return "linear";
    }
  }

  /**
   * See {@link #powerLaw(double)}.
   *
   * @param exponent above 0
   */
  record PowerLaw(double exponent) implements PowerCurve {
    @Override
    public double share(double utilisation) {
      return StrictMath.pow(clamp(utilisation), exponent);
    }

    @Override
    public List<String> problems() {
      return exponent > 0 && Double.isFinite(exponent)
          ? List.of()
          : List.of("the curve's exponent must be above 0, not " + exponent);
    }

    @Override
    public String describe() {
      return "utilisation^" + exponent;
    }
  }

  /**
   * See {@link #points(double...)}.
   *
   * @param watts at least two, never decreasing, the last above the first
   */
  record Points(List<Double> watts) implements PowerCurve {
    /** Copies the list. */
    public Points {
      watts = List.copyOf(watts);
    }

    @Override
    public double share(double utilisation) {
      int last = watts.size() - 1;
      double position = clamp(utilisation) * last;
      int below = Math.min((int) position, last - 1);
      double low = watts.get(below);
      double value = low + (position - below) * (watts.get(below + 1) - low);
      double idle = watts.get(0);
      return (value - idle) / (watts.get(last) - idle);
    }

    @Override
    public List<String> problems() {
      if (watts.size() < 2) {
        return List.of("a curve of points needs at least 2, not " + watts.size());
      }
      List<String> problems = new ArrayList<>();
      for (int i = 0; i < watts.size(); i++) {
        double here = watts.get(i);
        if (!Double.isFinite(here) || here < 0) {
          problems.add("point " + (i + 1) + " of the curve must be 0 W or more, not " + here);
        } else if (i > 0 && here < watts.get(i - 1)) {
          problems.add(
              "point %d of the curve (%s W) is below the one before it (%s W)"
                  .formatted(i + 1, here, watts.get(i - 1)));
        }
      }
      if (problems.isEmpty() && !(watts.get(watts.size() - 1) > watts.get(0))) {
        problems.add("the curve's last point must be above its first");
      }
      return problems;
    }

    @Override
    public String describe() {
      return "straight lines between " + watts.size() + " load levels";
    }
  }
}
