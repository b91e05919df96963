package org.calando.knob.level;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/*
 * Regret: replicas that a policy's reads asked in the mean, less those of the best that could have been done without a
 * policy in the same block. That best is a static level, or a fixed mix of two of them, whose stale rate is within what
 * is tolerated. A mix of a share p of reads at one level and the rest at another lies on the line between their points
 * (replicas, stale rate), so the best mixes lie on the lower convex hull of the static levels' points, and the best of
 * them is where that hull comes down to the tolerated rate.
 *
 * Where the weakest level is within it already, that level is the best, and whatever a policy asks more is regret.
 * Below 0 is a policy that asked less than any fixed mix that kept the promise: it broke it, or it knew when to ask.
 */
/** Replicas asked beyond the best fixed choice. Stateless and thread safe. */
final class Regret {
  private Regret() {}

  /**
   * A static level in a block.
   *
   * @param replicas replicas that a read asked, in the mean
   * @param staleRate stale reads per read checked, 0 to 1
   */
  record Point(double replicas, double staleRate) {
    boolean isKnown() {
      return Double.isFinite(replicas) && replicas > 0 && Double.isFinite(staleRate);
    }
  }

  /**
   * The fewest replicas with which static levels, or a mix of two, are within the tolerated rate.
   *
   * @return NaN if no level is, or no point is known
   */
  static double best(List<Point> levels, double tolerated) {
    List<Point> hull = hull(levels);
    for (int i = 0; i < hull.size(); i++) {
      Point to = hull.get(i);
      if (to.staleRate() <= tolerated) {
        return i == 0 ? to.replicas() : crossing(hull.get(i - 1), to, tolerated);
      }
    }
    return Double.NaN;
  }

  private static double crossing(Point above, Point within, double tolerated) {
    double share =
        (above.staleRate() - tolerated) / (above.staleRate() - within.staleRate()); // of the latter
    return above.replicas() + share * (within.replicas() - above.replicas());
  }

  /** The lower convex hull from the fewest replicas to the most (Andrew's monotone chain). */
  static List<Point> hull(List<Point> levels) {
    List<Point> sorted =
        levels.stream()
            .filter(Point::isKnown)
            .sorted(
                Comparator.comparingDouble(Point::replicas)
                    .thenComparing(Comparator.comparingDouble(Point::staleRate).reversed()))
            .toList();
    List<Point> hull = new ArrayList<>();
    for (Point next : sorted) {
      if (!hull.isEmpty() && hull.get(hull.size() - 1).replicas() == next.replicas()) {
        hull.remove(hull.size() - 1); // the same replicas with fewer stale reads
      }
      while (hull.size() > 1 && !isBelow(hull, next)) {
        hull.remove(hull.size() - 1);
      }
      hull.add(next);
    }
    return hull;
  }

  /** Whether the last point lies below the line from the one before it to the next. */
  private static boolean isBelow(List<Point> hull, Point next) {
    Point from = hull.get(hull.size() - 2);
    Point last = hull.get(hull.size() - 1);
    double slope = (next.staleRate() - from.staleRate()) / (next.replicas() - from.replicas());
    return last.staleRate() < from.staleRate() + slope * (last.replicas() - from.replicas());
  }
}
