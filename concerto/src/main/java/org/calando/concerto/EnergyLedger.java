package org.calando.concerto;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.calando.clock.thread.NodeCpu;
import org.calando.clock.thread.ProcessCpu;
import org.calando.core.CpuSet;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.energy.PStates;

/*
 * A node's entry is closed before its clock is set and at regular times: the time since the last one
 * was spent at one clock, and its process's CPU time was the busy part of it. Beside it stands what
 * the same work would have been at the fastest clock: as much time, of which it would have been busy
 * for less by the ratio of the clocks. That is the best case of the fastest clock, as work that waits
 * for memory does not speed up with it.
 *
 * With read off-load the CPU time of I/O threads was spent on other processors, at the fastest clock.
 * Those are nobody else's and stay fast all the time, so all their time is charged, by equal parts to
 * the nodes that use them: what the threads leave of it is idle, which costs nothing at i = 0 and a
 * whole core at i = 1. At the fastest clock they would not have been needed: there the I/O threads'
 * work is that of the node's own processors.
 *
 * CPU time of the process comes in ticks and that of the threads does not, so what is left for the
 * other threads may seem to go back by a tick: it counts from its highest.
 */
/**
 * Keeps account of processors' time at clocks, from which joules are computed. Used by one thread;
 * {@link #report} may be asked by any.
 */
final class EnergyLedger {
  private final PStates states;
  private final NodeCpu cpu;
  private final Map<String, Entry> entries = new TreeMap<>();
  private final long beganNanos;
  private long atNanos;

  private static final class Entry {
    final double processors;
    final double fastProcessors;
    long sinceNanos;
    long pid;
    Busy busy = Busy.NONE;
    CoreSeconds time = CoreSeconds.NONE;
    CoreSeconds offload = CoreSeconds.NONE;
    CoreSeconds atFastest = CoreSeconds.NONE;
    double unknownSeconds;

    Entry(double processors, double fastProcessors, long sinceNanos) {
      this.processors = processors;
      this.fastProcessors = fastProcessors;
      this.sinceNanos = sinceNanos;
    }
  }

  /** CPU time of a process so far: on its own processors, and of I/O threads on fast ones. */
  private record Busy(long ownNanos, long ioNanos) {
    static final Busy NONE = new Busy(0, 0);
  }

  /**
   * An account from now on. A processor that several nodes share is charged to them in equal parts.
   *
   * @param states of the processors; clocks above the fastest count as the fastest
   * @param cpu of the nodes' processes
   */
  EnergyLedger(List<ManagedNode> nodes, PStates states, NodeCpu cpu, long nowNanos) {
    this.states = states;
    this.cpu = cpu;
    beganNanos = nowNanos;
    atNanos = nowNanos;
    Map<Integer, Integer> users = new HashMap<>();
    for (ManagedNode node : nodes) {
      node.cpus().cpus().forEach(one -> users.merge(one, 1, Integer::sum));
      node.fastCpus()
          .ifPresent(fast -> fast.cpus().forEach(one -> users.merge(one, 1, Integer::sum)));
    }
    for (ManagedNode node : nodes) {
      double fast = node.fastCpus().map(cpus -> share(cpus, users)).orElse(0.0);
      entries.put(node.name(), new Entry(share(node.cpus(), users), fast, nowNanos));
    }
  }

  private static double share(CpuSet cpus, Map<Integer, Integer> users) {
    return cpus.cpus().stream().mapToDouble(one -> 1.0 / users.getOrDefault(one, 1)).sum();
  }

  /**
   * Closes a node's entry and opens the next.
   *
   * @param pid its process; 0 if it is not known, and then its time counts as idle and as not known
   * @param kiloHertz the clock since the last entry; 0 if it is not known: the fastest
   */
  synchronized void enter(String node, long pid, long kiloHertz, long nowNanos) {
    Entry entry = entries.get(node);
    if (entry == null || nowNanos <= entry.sinceNanos) {
      return;
    }
    double elapsed = (nowNanos - entry.sinceNanos) / 1e9;
    double seconds = entry.processors * elapsed;
    Optional<Busy> busy = busySinceLast(node, entry, pid);
    double own = busy.orElse(Busy.NONE).ownNanos() / 1e9;
    double io = busy.orElse(Busy.NONE).ioNanos() / 1e9;
    double ghz =
        kiloHertz > 0 ? Math.min(kiloHertz / 1e6, states.fastestGhz()) : states.fastestGhz();
    double slowed = ghz / states.fastestGhz();
    entry.time = entry.time.plus(CoreSeconds.at(states.relativePowerWithin(ghz), seconds, own));
    entry.offload = entry.offload.plus(CoreSeconds.at(1, entry.fastProcessors * elapsed, io));
    entry.atFastest =
        entry.atFastest.plus(CoreSeconds.at(1, seconds, Math.min(own, seconds) * slowed + io));
    entry.unknownSeconds += busy.isPresent() ? 0 : seconds;
    entry.sinceNanos = nowNanos;
    atNanos = Math.max(atNanos, nowNanos);
  }

  /** CPU time since the last entry; empty if it is another process, or one cannot be read. */
  private Optional<Busy> busySinceLast(String node, Entry entry, long pid) {
    OptionalLong total = cpu.nanos(node, pid);
    OptionalLong io =
        entry.fastProcessors > 0
            ? cpu.nanos(node, pid, ReadOffload.IO_THREAD_PREFIX)
            : OptionalLong.of(0);
    if (total.isEmpty() || io.isEmpty()) {
      entry.pid = 0;
      return Optional.empty();
    }
    Busy before = entry.busy;
    long own = total.getAsLong() - io.getAsLong();
    boolean goesOn =
        pid == entry.pid
            && own >= before.ownNanos() - ProcessCpu.TICK_NANOS
            && io.getAsLong() >= before.ioNanos();
    entry.pid = pid;
    entry.busy = new Busy(goesOn ? Math.max(before.ownNanos(), own) : own, io.getAsLong());
    return goesOn
        ? Optional.of(
            new Busy(
                entry.busy.ownNanos() - before.ownNanos(), entry.busy.ioNanos() - before.ioNanos()))
        : Optional.empty();
  }

  /** The account so far. */
  synchronized EnergyReport report() {
    Map<String, EnergyReport.Node> nodes = new TreeMap<>();
    entries.forEach(
        (name, entry) ->
            nodes.put(
                name,
                new EnergyReport.Node(
                    entry.time, entry.offload, entry.atFastest, entry.unknownSeconds)));
    return new EnergyReport((atNanos - beganNanos) / 1e9, nodes);
  }
}
