package org.calando.session.internal.governed;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;

/** What sessions report of a table, all together. Thread safe. */
public final class GovernedTable {
  /** Operations a second whose keys are reported, by all sessions. */
  private static final double KEYS_PER_SECOND = 2000;

  private static final long RATE_NANOS = 2_000_000_000L;
  private static final int MOST_SHARES = 64;
  private static final long READING_NANOS = 10_000_000_000L;
  private static final long MISSED_NANOS = 20_000_000_000L;

  private final double share;
  private final ConsistencyLevel write;
  private final LongSupplier clock;
  private final Map<UUID, Missed> missed = new HashMap<>();
  private final Map<Double, Said> reading = new HashMap<>();
  private final Map<UUID, Double> fullness = new HashMap<>();
  private final Map<UUID, InForce> inForce = new HashMap<>();
  private long counted;
  private long countedNanos;
  private long seenNanos;
  private double keyShare = 1;
  private boolean isReported;

  /** What a session reads, and when it said so. */
  private record Said(Reading reading, long atNanos) {
    /** The one that reads less; of the same the one whose policy says why. */
    Said or(Said later) {
      int more = Double.compare(reading.choice().mean(), later.reading.choice().mean());
      boolean knows = more == 0 && later.reading.policy().isEmpty();
      return more < 0 || knows ? this : later;
    }
  }

  /** What a session said last of all its reads of the table; without those at the fallback. */
  private record InForce(List<Double> shares, Map<Double, Reading> reading, long atNanos) {
    boolean isOf(double tolerated) {
      return shares.contains(tolerated);
    }
  }

  /**
   * Of the table as the first session named it.
   *
   * @param share of stale reads that is tolerated
   * @param write the weakest level of its writes
   */
  GovernedTable(double share, ConsistencyLevel write, LongSupplier clock) {
    this.share = share;
    this.write = write;
    this.clock = clock;
    this.countedNanos = clock.getAsLong();
    this.seenNanos = countedNanos;
  }

  /** Share of stale reads that is tolerated, of statements that do not say. */
  public double share() {
    return share;
  }

  /** The weakest level of writes, as the first session knew it. */
  public ConsistencyLevel write() {
    return write;
  }

  /**
   * Whether it is what a session reports: one that no session has reported yet, as a governor left
   * it that has ended, may tolerate or write otherwise by now.
   */
  synchronized boolean is(TableReport report) {
    return isReported || (share == report.shares().get(0) && write == report.write());
  }

  /**
   * Takes what a session did since its last report.
   *
   * @param tables of its report, 1 or more
   */
  synchronized void take(UUID instance, TableReport report, TableUse more, int tables) {
    long now = clock.getAsLong();
    seenNanos = now;
    isReported = true;
    long operations = more.reads() + more.keyedWrites();
    counted += operations;
    fullness.merge(instance, operations / ReportText.keysPerSecond(tables), Double::sum);
    if (now - countedNanos >= RATE_NANOS) {
      keyShare = share((now - countedNanos) / 1e9);
      counted = 0;
      fullness.clear();
      inForce.values().removeIf(each -> now - each.atNanos() > READING_NANOS);
      countedNanos = now;
    }
    report
        .missed()
        .ifPresentOrElse(
            each ->
                missed.put(instance, new Missed(now + each.atNanos(), each.reads(), each.missed())),
            () -> missed.remove(instance));
    reading.values().removeIf(said -> now - said.atNanos() > READING_NANOS);
    report.reading().forEach((tolerated, its) -> said(tolerated, new Said(its, now)));
    inForce.put(instance, new InForce(report.shares(), report.reading(), now));
  }

  private void said(double tolerated, Said its) {
    if (reading.size() < MOST_SHARES || reading.containsKey(tolerated)) {
      reading.merge(tolerated, its, Said::or);
    }
  }

  /**
   * The least that reads of any session asked of late: from there a policy reads more at once where
   * figures say so, and would read less by steps only. Empty if all were at the fallback.
   */
  public synchronized Optional<Reading> reading(double tolerated) {
    return Optional.ofNullable(reading.get(tolerated))
        .filter(said -> clock.getAsLong() - said.atNanos() <= READING_NANOS)
        .map(Said::reading);
  }

  /**
   * The most that reads of any session ask: no session reads less by it than it does. Empty if
   * those of one are at the fallback, or none has reported lately.
   */
  public synchronized Optional<ReadChoice> inForce(double tolerated) {
    long now = clock.getAsLong();
    List<Optional<ReadChoice>> all =
        inForce.values().stream()
            .filter(each -> each.isOf(tolerated) && now - each.atNanos() <= READING_NANOS)
            .map(each -> Optional.ofNullable(each.reading().get(tolerated)).map(Reading::choice))
            .toList();
    return all.stream().allMatch(Optional::isPresent)
        ? all.stream().flatMap(Optional::stream).max(Comparator.comparingDouble(ReadChoice::mean))
        : Optional.empty();
  }

  /** A busy session that had to leave keys out would count for less than the others. */
  private double share(double seconds) {
    double fullest = fullness.values().stream().mapToDouble(each -> each).max().orElse(0);
    return seconds / Math.max(seconds, Math.max(counted / KEYS_PER_SECOND, fullest));
  }

  /**
   * Share of the operations whose keys are to be reported, 0 .. 1, so that they are not too many.
   */
  synchronized double keyShare() {
    return keyShare;
  }

  /** Whether no session has reported of it for a while. */
  synchronized boolean isForsaken(long forNanos) {
    return clock.getAsLong() - seenNanos > forNanos;
  }

  /** What all sessions' reads missed after a node's return; empty while nobody looks for it. */
  public synchronized Optional<Missed> missed() {
    long now = clock.getAsLong();
    missed.values().removeIf(each -> now - each.atNanos() > MISSED_NANOS);
    return missed.values().stream()
        .reduce(
            (a, b) ->
                new Missed(
                    Math.max(a.atNanos(), b.atNanos()),
                    a.reads() + b.reads(),
                    a.missed() + b.missed()));
  }
}
