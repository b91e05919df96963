package org.calando.power;

import org.calando.core.energy.EnergyAccount;
import org.calando.core.energy.NodeEnergy;
import org.jspecify.annotations.Nullable;

/** What a sampler remembers of one node between samplings. Not thread safe. */
final class NodeTrack {
  private final int index;
  private final MeteredNode node;
  private final Meter meter;
  private final UsageSource usage;
  private final ReadingProblems problems;

  private EnergyAccount account;
  private @Nullable EnergyReading lastReading;
  private boolean readNow;
  private @Nullable NodeUsage lastUsage;
  private long lastUsageNanos;

  NodeTrack(int index, MeteredNode node, Meter meter, UsageSource usage, ReadingProblems problems) {
    this.index = index;
    this.node = node;
    this.meter = meter;
    this.usage = usage;
    this.problems = problems;
    account = new EnergyAccount(node.name(), node.profile(), 0);
  }

  /** Reads the node and tells what happened since it was read before. */
  SampleRow sample(long nowNanos, long second, String phase) {
    EnergyReading before = lastReading;
    String failure = readEnergy();
    EnergyReading now = readNow ? lastReading : null;
    NodeUsage used = readUsage(failure);
    double cpuSeconds = Double.NaN;
    double cpuPercent = Double.NaN;
    if (used != null) {
      long stepNanos = nowNanos - lastUsageNanos;
      if (lastUsage != null && lastUsage.incarnation() == used.incarnation() && stepNanos > 0) {
        cpuSeconds = (used.cpuNanos() - lastUsage.cpuNanos()) / 1e9;
        cpuPercent = 100 * node.profile().utilisation(cpuSeconds, stepNanos / 1e9);
        account.cpu(cpuSeconds, stepNanos);
      }
      lastUsage = used;
      lastUsageNanos = nowNanos;
    }
    return new SampleRow(
        second,
        phase,
        node.name(),
        cpuSeconds,
        cpuPercent,
        used == null ? -1 : used.rssBytes(),
        now == null ? Double.NaN : now.meanWatts(),
        now == null || before == null ? Double.NaN : now.joules() - before.joules(),
        now == null || now.gap());
  }

  /** Starts a new account at the sampling just done. */
  void open(long nowNanos) {
    EnergyReading edge = lastReading;
    if (readNow && edge != null) {
      account = new EnergyAccount(node.name(), node.profile(), edge.atNanos());
      account.read(edge.atNanos(), edge.joules(), 0);
    } else {
      account = new EnergyAccount(node.name(), node.profile(), nowNanos);
    }
  }

  /** The account up to the sampling just done. */
  NodeEnergy close(long nowNanos, double baselineWatts) {
    EnergyReading edge = lastReading;
    return account.close(readNow && edge != null ? edge.atNanos() : nowNanos, baselineWatts);
  }

  /** Returns the message of the failure, or an empty string. */
  private String readEnergy() {
    try {
      EnergyReading reading = meter.read(index);
      account.read(reading.atNanos(), reading.joules(), reading.gapNanos());
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
}
