package org.calando.gears.idle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.core.BadRequestException;
import org.calando.gears.Member;
import org.calando.gears.idle.IdleState.Sleeper;

/** What is to be done, worked out from what is asked for, and refused if it makes no sense. */
final class IdleOrders {
  private static final String NODE = "--node";

  private final IdleMeans means;

  IdleOrders(IdleMeans means) {
    this.means = means;
  }

  /** What brings a node in order, for messages. */
  static String wake(IdleNode node) {
    return "./calando idle up --local --node " + node.name();
  }

  /**
   * An order, checked.
   *
   * @param before who sleeps, or counts as asleep because it is not as it is to be
   * @param to who is to sleep
   */
  record Order(List<Sleeper> before, OffSetting to) {
    OffSetting from() {
      return OffSetting.of(IdleState.names(before));
    }
  }

  /** Some sleep then: more than now, or fewer. */
  Order shift(Set<String> asleep) {
    asleep.forEach(means::node);
    List<Sleeper> before = IdleState.FILE.read(means.path()).asleep();
    OffSetting from = OffSetting.of(IdleState.names(before));
    OffSetting to = OffSetting.of(asleep);
    boolean down = !to.without(from).isEmpty();
    boolean up = !from.without(to).isEmpty();
    if (down && up) {
      throw new BadRequestException(
          "that would have some sleep and wake others",
          NODE,
          "name nodes for ./calando idle down --local that are awake, for up that sleep");
    }
    if (!down && !up) {
      throw isSo(from);
    }
    if (asleep.size() == means.nodes().size()) {
      throw new BadRequestException("that leaves no server awake", NODE, "leave one of them out");
    }
    return switched(new Order(before, to));
  }

  /** Nodes are awake then; none named are all that sleep, or else all that are not right. */
  Order wake(Set<String> named) {
    named.forEach(means::node);
    IdleState state = IdleState.FILE.read(means.path());
    List<Sleeper> before = new ArrayList<>(state.asleep());
    SortedSet<String> to = new TreeSet<>(IdleState.names(before));
    boolean all = named.isEmpty();
    boolean some = all ? !to.isEmpty() : to.stream().anyMatch(named::contains);
    to.removeIf(name -> all || named.contains(name));
    // A node that is broken must not keep those that sleep from being woken.
    if (!all || !some) {
      Set<String> strays = strays(state, !all);
      strays.removeIf(name -> !all && !named.contains(name));
      strays.forEach(name -> before.add(state.left().node(name).orElse(asFound(name))));
      some = some || !strays.isEmpty();
    }
    if (!some && !(all && isBalancerLeftOff())) {
      throw isSo(state.setting());
    }
    return switched(new Order(before, new OffSetting(to)));
  }

  /** Whether a plan that was given up has left HBase's balancer off. */
  boolean isBalancerLeftOff() {
    return IdleState.FILE.read(means.path()).left().balancer() && !means.regions().balancer();
  }

  /** Nodes that are to be awake, and are not as they are to be. */
  Set<String> strays() {
    return strays(IdleState.FILE.read(means.path()), false);
  }

  private Set<String> strays(IdleState state, boolean anyMark) {
    Set<String> live = means.live();
    Set<String> drained = means.regions().drained();
    Set<String> serving = serving(means);
    Set<String> strays = new TreeSet<>();
    for (IdleNode node : means.others(IdleState.names(state.asleep()))) {
      boolean right = live.contains(node.server()) && serving.contains(node.dataNode());
      boolean marked = anyMark && drained.contains(node.server());
      if (!right || marked || state.left().node(node.name()).isPresent()) {
        strays.add(node.name());
      }
    }
    return strays;
  }

  /** The DataNodes that serve. */
  static Set<String> serving(IdleMeans means) {
    Set<String> serving = new HashSet<>();
    means.dataNodes().cluster().members().stream()
        .filter(Member::serves)
        .forEach(member -> serving.add(member.name()));
    return serving;
  }

  private static Sleeper asFound(String name) {
    return new Sleeper(name, List.of());
  }

  private static BadRequestException isSo(OffSetting now) {
    return new BadRequestException(
        "it is so already: " + now.words(),
        NODE,
        "name nodes for ./calando idle down --local that are awake, for up that sleep");
  }

  private Order switched(Order order) {
    SortedSet<String> changing = order.to().without(order.from());
    changing.addAll(order.from().without(order.to()));
    for (String name : changing) {
      IdleNode node = means.node(name);
      if (!means.servers().switches().containsKey(node.server())
          || !means.dataNodes().switches().containsKey(node.dataNode())) {
        throw new BadRequestException(
            "nothing switches its RegionServer and its DataNode",
            "node " + node.name(),
            "give it switches; see docs/switches.md");
      }
    }
    return order;
  }
}
