package org.calando.power;

import java.util.function.ToLongFunction;
import org.calando.core.energy.EnergyAccount;
import org.calando.core.energy.NodeEnergy;
import org.jspecify.annotations.Nullable;

/** What a sampler remembers of one node. Not thread safe. */
final class NodeTrack {
  private final int index;
  private final MeteredNode node;
  private final Meter meter;
  private final UsageSource usage;
  private final ReadingProblems problems;
  private final @Nullable EnergyAccount account;

  private @Nullable EnergyReading lastReading;
  private boolean readNow;
  private @Nullable NodeUsage lastUsage;
  private double cpuSeconds;

  /**
   * A node that has not been read.
   *
   * @param account remembers its readings; null if nobody asks for phases
   */
  NodeTrack(
      int index,
      MeteredNode node,
      Meter meter,
      UsageSource usage,
      ReadingProblems problems,
      @Nullable EnergyAccount account) {
    this.index = index;
    this.node = node;
    this.meter = meter;
    this.usage = usage;
    this.problems = problems;
    this.account = account;
  }

  /** Reads the node and tells what happened since it was read before. */
  SampleRow sample(long second, String phase) {
    EnergyReading before = lastReading;
    String failure = readEnergy();
    EnergyReading now = readNow ? lastReading : null;
    NodeUsage usedBefore = lastUsage;
    NodeUsage used = readUsage(failure);
    Step step = step(usedBefore, used);
    return new SampleRow(
        second,
        phase,
        node.name(),
        step.cpuSeconds(),
        step.cpuPercent(),
        used == null ? NodeUsage.UNKNOWN : used.rssBytes(),
        used == null ? NodeUsage.UNKNOWN : used.memoryBytes(),
        step.bytes(NodeUsage::diskReadBytes),
        step.bytes(NodeUsage::diskWriteBytes),
        step.bytes(NodeUsage::netReceivedBytes),
        step.bytes(NodeUsage::netSentBytes),
        now == null ? Double.NaN : now.meanWatts(),
        now == null || before == null ? Double.NaN : now.joules() - before.joules(),
        now == null || now.gap());
  }

  /** The account between two times, without a baseline. */
  NodeEnergy between(long fromNanos, long toNanos) {
    return known().between(fromNanos, toNanos, Double.NaN);
  }

  /** Whether energy is known up to a time. */
  boolean reaches(long nanos) {
    return known().reaches(nanos);
  }

  private EnergyAccount known() {
    if (account == null) {
      throw new IllegalStateException("no phases are accounted for");
    }
    return account;
  }

  /** Returns the message of the failure, or an empty string. */
  private String readEnergy() {
    try {
      EnergyReading reading = meter.read(index);
      if (account != null) {
        account.read(reading.atNanos(), reading.joules(), reading.gapNanos());
      }
      lastReading = reading;
      readNow = true;
      return "";
    } catch (MeterException e) {
      readNow = false;
      problems.add(e);
      return e.toString();
    }
  }

  private @Nullable NodeUsage readUsage(String failureOfMeter) {
    if (!usage.knows(index)) {
      return null;
    }
    try {
      return usage.read(index);
    } catch (MeterException e) {
      // The model meter reads the same source: one failure, not two.
      if (!e.toString().equals(failureOfMeter)) {
        problems.add(e);
      }
      return null;
    }
  }

  private Step step(@Nullable NodeUsage before, @Nullable NodeUsage now) {
    if (now == null) {
      return Step.NONE;
    }
    if (before == null) {
      lastUsage = now;
      note(now, 0);
      return Step.NONE;
    }
    long nanos = now.atNanos() - before.atNanos();
    if (nanos <= 0) {
      return Step.NONE;
    }
    lastUsage = now;
    // CPU time that falls within one process is another process in disguise.
    boolean same = before.incarnation() == now.incarnation() && now.cpuNanos() >= before.cpuNanos();
    double used = same ? (now.cpuNanos() - before.cpuNanos()) / 1e9 : 0;
    cpuSeconds += used;
    note(now, same ? 0 : nanos);
    double share = EnergyAccount.utilisation(node.profile(), now.hostCores(), used, nanos / 1e9);
    return same ? new Step(before, now, used, 100 * share) : Step.NONE;
  }

  private void note(NodeUsage now, long gapNanos) {
    if (account != null) {
      account.cpu(now.atNanos(), cpuSeconds, gapNanos, now.hostCores());
    }
  }

  /** What a node used between two readings; NaN and unknown where that cannot be told. */
  private record Step(
      @Nullable NodeUsage before, @Nullable NodeUsage now, double cpuSeconds, double cpuPercent) {
    static final Step NONE = new Step(null, null, Double.NaN, Double.NaN);

    long bytes(ToLongFunction<NodeUsage> figure) {
      if (before == null || now == null) {
        return NodeUsage.UNKNOWN;
      }
      long from = figure.applyAsLong(before);
      long to = figure.applyAsLong(now);
      return from < 0 || to < from ? NodeUsage.UNKNOWN : to - from;
    }
  }
}
