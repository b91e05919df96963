package org.calando.core.policy.joint;

import java.util.Optional;
import org.calando.core.policy.Words;
import org.calando.core.policy.joint.JointSearch.Found;
import org.calando.core.policy.joint.JointState.Learnt;
import org.calando.core.policy.joint.JointState.Times;

/**
 * Chooses the gear: another one costs minutes and joules, so it must be needed, or be cheaper for
 * as long as it takes to pay. Stateless.
 */
final class GearChooser {
  /** What a shift is to save at least, as a share of the power. */
  private static final double WORTH = 0.02;

  private GearChooser() {}

  /**
   * A gear.
   *
   * @param gear what to be in
   * @param times what is waited for, with it
   * @param reason why, or what is waited for; empty if nothing is to be said
   */
  record Choice(int gear, Times times, Optional<String> reason) {}

  /**
   * Chooses.
   *
   * @param now finds settings for the present load
   * @param passedNanos since the last decision
   */
  static Choice choose(JointState state, JointView view, JointSearch now, long passedNanos) {
    int highest = now.model().cluster().highest();
    int present = Math.max(now.lowestGear(), Math.min(view.gear(), highest));
    Times times = state.times();
    if (highest == 1) {
      return new Choice(1, times, Optional.empty());
    }
    JointSearch later = now.at(growth(state, now));
    double margin = now.limits().margin();
    Optional<Found> stays = later.cheapest(present, margin, 1);
    if (stays.isEmpty()) {
      int higher = higher(later, present);
      return new Choice(
          higher,
          times.other(0, 0),
          higher == present
              ? Optional.of("no gear keeps the promise at this load")
              : Optional.of("gear %d would not keep the promise".formatted(present)));
    }
    // Nodes that returned may have what those that would stay lack.
    boolean rests = view.serving() == present && times.lateNanos() == 0;
    Optional<Found> other = rests ? other(later, present, stays.get()) : Optional.empty();
    if (other.isEmpty()) {
      return new Choice(present, times.other(0, 0), Optional.empty());
    }
    return move(now, present, stays.get(), other.get(), times, passedNanos);
  }

  private static Choice move(
      JointSearch now, int present, Found stays, Found other, Times times, long passedNanos) {
    boolean sameSide =
        times.otherGear() > 0 && times.otherGear() < present == other.gear() < present;
    int gear = sameSide ? Math.max(times.otherGear(), other.gear()) : other.gear();
    long waited = sameSide ? times.otherNanos() + passedNanos : 0;
    double saved = stays.watts() - other.watts();
    double pays = now.model().breakEvenSeconds(present, gear, saved);
    long residency = now.limits().residencyNanos();
    boolean due = waited / 1e9 >= pays && waited >= residency && times.gearNanos() >= residency;
    return new Choice(
        due ? gear : present,
        times.other(gear, waited),
        Optional.of(
            "gear %d would save %s W, which pays after %s s, and has for %s"
                .formatted(gear, Words.number(saved), Words.number(pays), Words.seconds(waited))));
  }

  /** The cheapest other gear, with a band to spare, if it is worth it. */
  private static Optional<Found> other(JointSearch later, int present, Found stays) {
    double free = later.limits().margin() + later.limits().band();
    Found best = null;
    for (int gear = later.lowestGear(); gear <= later.model().cluster().highest(); gear++) {
      if (gear != present) {
        Found found = later.cheapest(gear, free, 1).orElse(null);
        double most = best == null ? stays.watts() * (1 - WORTH) : best.watts();
        best = found != null && found.watts() < most ? found : best;
      }
    }
    return Optional.ofNullable(best);
  }

  /** The cheapest gear above one that keeps the promise; the highest if none does. */
  private static int higher(JointSearch later, int than) {
    int highest = later.model().cluster().highest();
    Found best = null;
    for (int gear = than + 1; gear <= highest; gear++) {
      Found found = later.cheapest(gear, later.limits().margin(), 1).orElse(null);
      best = found != null && (best == null || found.watts() < best.watts()) ? found : best;
    }
    return best == null ? highest : best.gear();
  }

  /** By how much the load will have grown when nodes have booted, 1 or more. */
  private static double growth(JointState state, JointSearch now) {
    Learnt learnt = state.learnt();
    double load = now.model().readsPerSecond() + now.model().writesPerSecond();
    double boot = now.model().cluster().profile().bootSeconds();
    double expected = learnt.perSecond() + learnt.trend() * boot;
    return load > 0 ? Math.max(1, expected / load) : 1;
  }
}
