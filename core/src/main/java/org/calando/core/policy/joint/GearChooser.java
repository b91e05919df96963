package org.calando.core.policy.joint;

import java.util.Optional;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Words;
import org.calando.core.policy.joint.JointSearch.Found;
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
    Optional<Found> stays = cheapest(later, present, margin);
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
    Optional<Found> other = rests ? other(now, later, present, stays.get()) : Optional.empty();
    if (other.isEmpty()) {
      return new Choice(present, times.other(0, 0), Optional.empty());
    }
    boolean sameSide =
        times.otherGear() > 0 && times.otherGear() < present == other.get().gear() < present;
    Optional<Found> higher =
        sameSide && times.otherGear() > other.get().gear()
            ? worth(now, later, times.otherGear(), stays.get())
            : other;
    boolean goesOn = sameSide && higher.isPresent();
    return move(
        now,
        present,
        stays.get(),
        higher.or(() -> other).get(),
        times,
        goesOn ? times.otherNanos() + passedNanos : 0);
  }

  private static Choice move(
      JointSearch now, int present, Found stays, Found other, Times times, long waited) {
    int gear = other.gear();
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

  /** The cheapest other gear, if it is worth it. */
  private static Optional<Found> other(
      JointSearch now, JointSearch later, int present, Found stays) {
    Found best = null;
    int highest = later.model().cluster().highest();
    boolean viaHighest = later.limits().viaHighest() && present < highest;
    for (int gear = viaHighest ? highest : later.lowestGear(); gear <= highest; gear++) {
      Found found = gear == present ? null : worth(now, later, gear, stays).orElse(null);
      best = found != null && (best == null || found.watts() < best.watts()) ? found : best;
    }
    return Optional.ofNullable(best);
  }

  /** What another gear takes, if that is worth it; with a band to spare, now and later. */
  private static Optional<Found> worth(JointSearch now, JointSearch later, int gear, Found stays) {
    double free = later.limits().margin() + later.limits().band();
    boolean keepsNow = isSameLoad(now, later) || cheapest(now, gear, free).isPresent();
    return !keepsNow || !returns(later, gear)
        ? Optional.empty()
        : cheapest(later, gear, free).filter(each -> each.watts() < stays.watts() * (1 - WORTH));
  }

  private static boolean isSameLoad(JointSearch now, JointSearch later) {
    return now.model().readsPerSecond() == later.model().readsPerSecond()
        && now.model().writesPerSecond() == later.model().writesPerSecond();
  }

  /**
   * Whether all nodes bear strong reads, which are asked for until those that return have what they
   * missed: else a load that is too much for a low gear would be more so on the way back from it.
   */
  private static boolean returns(JointSearch later, int gear) {
    JointCluster cluster = later.model().cluster();
    int highest = cluster.highest();
    int strong = Math.min(cluster.strong(highest), later.all(highest).most());
    return gear == highest || later.keeps(later.model().of(highest, 0, ReadChoice.of(strong)), 0);
  }

  private static Optional<Found> cheapest(JointSearch search, int gear, double free) {
    return search.cheapest(gear, free, search.all(gear));
  }

  /** The cheapest gear above one that keeps the promise; the highest if none does, or can be. */
  private static int higher(JointSearch later, int than) {
    int highest = later.model().cluster().highest();
    Found best = null;
    for (int gear = later.limits().viaHighest() ? highest : than + 1; gear <= highest; gear++) {
      Found found = cheapest(later, gear, later.limits().margin()).orElse(null);
      best = found != null && (best == null || found.watts() < best.watts()) ? found : best;
    }
    return best == null ? highest : best.gear();
  }

  /** The load that is expected when nodes have booted, over that which was counted last. */
  private static double growth(JointState state, JointSearch now) {
    double load = now.model().readsPerSecond() + now.model().writesPerSecond();
    double boot = now.model().cluster().profile().bootSeconds();
    return load > 0 ? state.learnt().load().expected(boot) / load : 1;
  }
}
