package org.calando.gears;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;

/**
 * Members of a store that are put to rest and woken, whatever decides which. Immutable; thread safe
 * as its parts are.
 *
 * <p>All methods that wait do so within {@link Patience}, and throw {@link FailedWorkException}
 * when that ends.
 *
 * @param cluster the store
 * @param switches of members that can be switched, by name
 * @param patience how long parts may take
 * @param news hears of it
 */
public record NodeMeans(
    GearCluster cluster, Map<String, PowerSwitch> switches, Patience patience, ShiftNews news) {
  /** Copies the switches. */
  public NodeMeans {
    switches = Map.copyOf(switches);
  }

  /** Members by name. */
  public List<Member> members(Set<String> names) {
    List<Member> found = new ArrayList<>();
    for (Member member : cluster.members()) {
      if (names.contains(member.name())) {
        found.add(member);
      }
    }
    return found;
  }

  /** When members last reported all their blocks, by name, in ms of the name server's clock. */
  public SortedMap<String, Long> reports(Set<String> names) {
    SortedMap<String, Long> reports = new TreeMap<>();
    members(names).forEach(member -> reports.put(member.name(), member.reportMillis()));
    return reports;
  }

  /**
   * Looks whether every block of the store is on a member that is not to rest.
   *
   * @param off members that are to rest
   * @param look what to do about what is found
   * @return blocks looked at
   * @throws FailedWorkException if one is not, or a member that stays does not serve
   */
  public long requireReadable(Set<String> off, Remedies.Look look) throws InterruptedException {
    return Readability.require(this, off, look);
  }

  /** Has these in maintenance and all others in service, and waits until it is so. */
  public void maintain(Set<String> names) throws InterruptedException {
    Services.maintain(this, names);
  }

  /** Whether these are in maintenance, and all others in service. */
  public boolean areMaintained(Set<String> names) {
    return Services.areMaintained(this, names);
  }

  /**
   * Waits until members are heard of and have reported all their blocks.
   *
   * @param before when each had last done so, see {@link #reports}
   */
  public void awaitReport(Set<String> names, Map<String, Long> before) throws InterruptedException {
    Services.awaitReport(this, names, before);
  }

  /** Whether they have. */
  public boolean haveReported(Set<String> names, Map<String, Long> before) {
    return Services.haveReported(this, names, before);
  }

  /**
   * Has members that have come back in service, and waits until they serve.
   *
   * @param off those that are to be in maintenance
   * @param coming those that have come back
   */
  public void serve(Set<String> off, Set<String> coming) throws InterruptedException {
    Services.serve(this, off, coming);
  }

  /** Whether they serve, and those that are off are in maintenance. */
  public boolean doServe(Set<String> off, Set<String> coming) {
    return Services.doServe(this, off, coming);
  }

  /** Begins to order; see {@link SwitchBoard#begin}. */
  public void beginOrders() throws InterruptedException {
    board().begin();
  }

  /** Switches members on that are not; returns when all are on, by their switches. */
  public void switchOn(List<String> names) throws InterruptedException {
    board().on(names);
  }

  /** Switches members off that are not; returns when all are off, by their switches. */
  public void switchOff(List<String> names) throws InterruptedException {
    board().off(names);
  }

  /**
   * Refuses members of which the switch tells neither on nor off, or says off while they answer.
   *
   * @throws FailedWorkException naming the first
   */
  public void requireKnown(Collection<String> names) {
    board().requireKnown(names);
  }

  /** Whether all members' switches say so. */
  public boolean are(List<String> names, PowerSwitch.State state) {
    return board().are(names, state);
  }

  /**
   * What a member's switch says.
   *
   * @throws FailedWorkException if it has none, or it does not answer
   */
  public PowerSwitch.State stateOf(String name) {
    return board().stateOf(name);
  }

  /** What a member's switch says; UNKNOWN without one, or where it does not answer. */
  public PowerSwitch.State power(String name) {
    return board().power(name);
  }

  private SwitchBoard board() {
    return new SwitchBoard(switches, patience.telling(), news);
  }
}
