package org.calando.core.observe;

import java.util.List;
import org.calando.core.staleness.PropagationLags;

/*
 * A window that holds a minute tells of a change only when half of it is from behind the change. So the
 * newest samples are set against those before by their ranks (Mann and Whitney, 1947), which asks
 * nothing of the shape of lags. The last replica's lag tells most: a change of any link is in it, or in
 * that of the next one. With 5 samples a second a step is seen in about 2 s; by chance alone, at z = 4,
 * once in 30,000 samples, an hour and a half, and what is then lost is the window, which fills again.
 */
/** Whether lags have plainly changed of late. Stateless. */
final class LagChange {
  /** So many samples are enough to be stricter. */
  private static final int LONGER = 8;

  /** And so many to be weaker: those before are lost, and few tell little of rare lags. */
  private static final int SHORTER = 25;

  private static final double Z = 4;

  /** Lags up to this quantile of those before are as those before. */
  private static final double USUAL = 0.9;

  private LagChange() {}

  /**
   * How many of the newest samples are plainly longer, or shorter, than those before.
   *
   * @return 0 if none are
   */
  static int newest(List<PropagationLags> samples) {
    for (int rank = samples.isEmpty() ? 0 : samples.get(0).replicas(); rank > 1; rank--) {
      if (isPlain(samples, LONGER, above(samples, LONGER, rank))) {
        return LONGER - unchanged(samples, rank);
      }
      double below = 1 - above(samples, SHORTER, rank);
      // Nearly all of them, or some would be from before the change.
      if (below > 0.97 && isPlain(samples, SHORTER, below)) {
        return SHORTER;
      }
    }
    return 0;
  }

  /**
   * How many of the first of the longer ones are as those before: they came before the change, and
   * would make lags look shorter than they are now.
   */
  private static int unchanged(List<PropagationLags> samples, int rank) {
    int older = samples.size() - LONGER;
    double usual =
        samples.subList(0, older).stream()
            .mapToDouble(each -> each.lagSeconds(0, rank))
            .sorted()
            .skip((long) (USUAL * (older - 1)))
            .findFirst()
            .orElseThrow();
    int unchanged = 0;
    while (unchanged < LONGER / 2 && samples.get(older + unchanged).lagSeconds(0, rank) <= usual) {
      unchanged++;
    }
    return unchanged;
  }

  /** Of the pairs of one of the newest and one before, the share in which the newest is longer. */
  private static double above(List<PropagationLags> samples, int newest, int rank) {
    int older = samples.size() - newest;
    if (older < newest) {
      return 0.5;
    }
    double above = 0;
    for (int i = older; i < samples.size(); i++) {
      double late = samples.get(i).lagSeconds(0, rank);
      for (int j = 0; j < older; j++) {
        double before = samples.get(j).lagSeconds(0, rank);
        above += late > before ? 1 : late == before ? 0.5 : 0;
      }
    }
    return above / ((double) older * newest);
  }

  private static boolean isPlain(List<PropagationLags> samples, int newest, double share) {
    double pairs = (double) (samples.size() - newest) * newest;
    return (share - 0.5) * pairs > Z * Math.sqrt(pairs * (samples.size() + 1) / 12);
  }
}
