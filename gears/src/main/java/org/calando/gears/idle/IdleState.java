package org.calando.gears.idle;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What has to be known of nodes that sleep, to have them back as they were. Immutable.
 *
 * @param asleep nodes that sleep
 * @param shift the last shift: one that is not finished is gone on with by it
 */
public record IdleState(List<Sleeper> asleep, Optional<Shift> shift) {
  /** All nodes are awake, and always were. */
  static final IdleState AWAKE = new IdleState(List.of(), Optional.empty());

  /** Copies the list. */
  public IdleState {
    asleep = List.copyOf(asleep);
  }

  /**
   * A node that sleeps.
   *
   * @param node its name
   * @param homes the regions that were on its server
   */
  public record Sleeper(String node, List<String> homes) {
    /** Copies the list. */
    public Sleeper {
      homes = List.copyOf(homes);
    }
  }

  /**
   * A shift, with what must be known to finish it or to take it back.
   *
   * @param before who slept
   * @param after who is to sleep
   * @param reports when each DataNode that is to be switched on had last reported all its blocks
   * @param balancer whether HBase's balancer was on
   */
  public record Shift(
      List<Sleeper> before,
      List<Sleeper> after,
      SortedMap<String, Long> reports,
      boolean balancer) {
    /** Copies of its own. */
    public Shift {
      before = List.copyOf(before);
      after = List.copyOf(after);
      reports = new TreeMap<>(reports);
    }

    /** The regions that were on a node that sleeps before or after. */
    List<String> homes(String node) {
      for (List<Sleeper> sleepers : List.of(before, after)) {
        for (Sleeper sleeper : sleepers) {
          if (sleeper.node().equals(node)) {
            return sleeper.homes();
          }
        }
      }
      return List.of();
    }
  }

  /** Who sleeps. */
  public IdleSetting setting() {
    return IdleSetting.of(names(asleep));
  }

  static Set<String> names(List<Sleeper> sleepers) {
    return sleepers.stream().map(Sleeper::node).collect(Collectors.toSet());
  }
}
