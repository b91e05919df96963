package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.control.OffSetting;
import org.calando.control.file.StateFile;

/**
 * What has to be known of nodes that sleep, to have them back as they were. Immutable.
 *
 * @param asleep nodes that sleep
 * @param shift the last shift: one that is not finished is resumed by it
 * @param left what plans that were given up left behind
 */
public record IdleState(List<Sleeper> asleep, Optional<Shift> shift, Left left) {
  /** All nodes are awake, and always were. */
  static final IdleState AWAKE = new IdleState(List.of(), Optional.empty(), Left.NOTHING);

  static final StateFile<IdleState> FILE =
      new StateFile<>(
          AWAKE, "state of idle servers", "restore it: it records the home of each region");

  /** Copies the list. */
  public IdleState {
    asleep = List.copyOf(asleep);
  }

  /**
   * A node that sleeps.
   *
   * @param node its name
   * @param homes the regions that were on its server
   * @param drained whether an operator had marked its server as draining
   */
  public record Sleeper(String node, List<String> homes, boolean drained) {
    /** Copies the list. */
    public Sleeper {
      homes = List.copyOf(homes);
    }

    /** One whose server nobody had marked. */
    Sleeper(String node, List<String> homes) {
      this(node, homes, false);
    }
  }

  /**
   * What plans that were given up left behind.
   *
   * @param nodes that they were having sleep, which are to be awake
   * @param balancer whether HBase's balancer was on before them
   */
  public record Left(List<Sleeper> nodes, boolean balancer) {
    /** Nothing is left behind. */
    static final Left NOTHING = new Left(List.of(), false);

    /** Copies the list. */
    public Left {
      nodes = List.copyOf(nodes);
    }

    Optional<Sleeper> node(String name) {
      return nodes.stream().filter(sleeper -> sleeper.node().equals(name)).findFirst();
    }

    /** The same but for some nodes. */
    Left without(Set<String> names) {
      return new Left(
          nodes.stream().filter(sleeper -> !names.contains(sleeper.node())).toList(), balancer);
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

    OffSetting from() {
      return OffSetting.of(names(before));
    }

    OffSetting to() {
      return OffSetting.of(names(after));
    }

    /** The regions that were on a node that sleeps before or after. */
    List<String> homes(String node) {
      return sleeper(node).map(Sleeper::homes).orElse(List.of());
    }

    /** Whether an operator had marked the server of such a node as draining. */
    boolean wasDrained(String node) {
      return sleeper(node).map(Sleeper::drained).orElse(false);
    }

    private Optional<Sleeper> sleeper(String node) {
      return Stream.concat(before.stream(), after.stream())
          .filter(sleeper -> sleeper.node().equals(node))
          .findFirst();
    }
  }

  /** If the shift that is noted is given up where it is. */
  IdleState givenUp() {
    List<Sleeper> nodes = new ArrayList<>();
    boolean balancer = left.balancer();
    if (shift.isPresent()) {
      Set<String> resting = names(asleep);
      shift.get().after().stream()
          .filter(sleeper -> !resting.contains(sleeper.node()))
          .forEach(nodes::add);
      balancer = balancer || shift.get().balancer();
    }
    nodes.addAll(left.without(names(nodes)).nodes());
    return new IdleState(asleep, shift, new Left(nodes, balancer));
  }

  /** Who sleeps. */
  public OffSetting setting() {
    return OffSetting.of(names(asleep));
  }

  static Set<String> names(List<Sleeper> sleepers) {
    return sleepers.stream().map(Sleeper::node).collect(Collectors.toSet());
  }
}
