package org.calando.agent.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.calando.agent.AgentWire;
import org.calando.clock.Machine;
import org.calando.clock.MachineLease;
import org.calando.clock.RestoreReport;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.BadRequestException;
import org.calando.core.Closing;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;

/** The leases that governors have of a machine, one a cluster. Thread safe. */
final class AgentLeases {
  private static final int MOST = 8;

  private final Means means;
  private final LongSupplier nanos;
  private final Map<String, AgentLease> byName = new TreeMap<>();
  private final RestoreAgain again;
  private boolean closed;

  /**
   * What leases need.
   *
   * @param machine whose clocks and threads are set
   * @param begin begins a lease of it for an owner, in words
   * @param restore restores what leases that have ended left
   * @param fences folder of the numbers of leases
   * @param processes CPU time of processes
   * @param knobs of processes
   * @param news takes lines for people, from any thread
   */
  record Means(
      Machine machine,
      Function<String, MachineLease> begin,
      Supplier<RestoreReport> restore,
      Path fences,
      ProcessCpu processes,
      ProcessKnobs knobs,
      Consumer<String> news) {}

  AgentLeases(Means means, LongSupplier nanos) {
    this.means = means;
    this.nanos = nanos;
    this.again = new RestoreAgain(means.restore(), means.news(), nanos);
  }

  /**
   * The lease of a name; nobody need have it.
   *
   * @throws BadRequestException if it is no name, or there are too many
   * @throws FailedWorkException if what is noted of it is damaged
   */
  synchronized AgentLease lease(String name) {
    @Nullable AgentLease found = byName.get(name);
    if (found != null) {
      return found;
    }
    if (closed) {
      throw new FailedWorkException("the agent ends", "lease " + name, "start it again");
    }
    if (byName.size() == MOST) {
      byName.values().removeIf(AgentLease::retire);
    }
    if (!name.matches(AgentWire.NAME) || byName.size() == MOST) {
      throw new BadRequestException(
          byName.size() == MOST ? "there are " + MOST + " leases" : "is no name of a lease",
          name,
          byName.size() == MOST ? "start the agent again" : "use a governor of this version");
    }
    AgentLease lease = new AgentLease(means, nanos, name, again);
    byName.put(name, lease);
    return lease;
  }

  /**
   * Who has the lease of a name; nothing is kept of one that nobody asked to have.
   *
   * @throws BadRequestException if it is no name
   */
  AgentWire.LeaseState state(String name) {
    @Nullable AgentLease found = all().get(name);
    if (found != null) {
      return found.state();
    }
    if (!name.matches(AgentWire.NAME)) {
      throw new BadRequestException(
          "is no name of a lease", name, "use a governor of this version");
    }
    return new AgentLease(means, nanos, name, again).state();
  }

  private synchronized Map<String, AgentLease> all() {
    return new TreeMap<>(byName);
  }

  private synchronized Map<String, AgentLease> ending() {
    closed = true;
    return all();
  }

  /** Folder of the numbers of leases. */
  Path fences() {
    return means.fences();
  }

  /** Takes lines for people, from any thread. */
  Consumer<String> news() {
    return means.news();
  }

  /** Knobs of processes. */
  ProcessKnobs knobs() {
    return means.knobs();
  }

  /** Who has which lease. */
  Map<String, AgentWire.LeaseState> states() {
    Map<String, AgentWire.LeaseState> states = new TreeMap<>();
    all().forEach((name, lease) -> states.put(name, lease.state()));
    return states;
  }

  /**
   * Ends those whose governors are silent.
   *
   * @param on carries out each, and need not wait for it
   */
  void expire(Executor on) {
    all().values().stream()
        .filter(AgentLease::isOverdue)
        .forEach(lease -> on.execute(lease::expire));
  }

  /** Restores again what could not be restored, if it is time to. */
  void restoreAgain() {
    again.tick();
  }

  /**
   * Ends all; there are none any more.
   *
   * @throws FailedWorkException naming what is not as before
   */
  void close() {
    List<AutoCloseable> parts = new ArrayList<>();
    ending().values().forEach(lease -> parts.add(lease::close));
    parts.add(again);
    Closing.all(parts);
  }
}
