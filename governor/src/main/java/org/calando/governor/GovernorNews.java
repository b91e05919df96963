package org.calando.governor;

import java.util.function.Consumer;
import org.calando.concerto.ManagerListener;
import org.calando.control.GearLook;

/** Takes what a governor has to say, from any thread; is not to block. */
@FunctionalInterface
public interface GovernorNews extends Consumer<String> {
  /** Something that is amiss. */
  default void trouble(String what) {
    accept(what);
  }

  /**
   * What became of a look at a cluster's gear: a shift, or how it stands.
   *
   * @param words the same for people
   */
  default void looked(String cluster, GearLook look, String words) {
    accept(cluster + ": " + words);
  }

  /** Who hears of the clocks of a cluster's nodes. */
  default ManagerListener clocks(String cluster) {
    return new ManagerListener() {
      @Override
      public void trouble(String what) {
        accept(cluster + ": " + what);
      }
    };
  }

  /** What the governed processors of a cluster spent so far. */
  default void energy(String cluster, GovernedEnergy energy) {}
}
