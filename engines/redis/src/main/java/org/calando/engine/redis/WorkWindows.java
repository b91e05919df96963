package org.calando.engine.redis;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.calando.core.policy.clock.ClockForecast;
import org.calando.core.policy.clock.ClockObservation.Work;
import org.calando.core.replication.ServerCounts;
import org.calando.core.replication.ServerUse;
import org.calando.store.redis.CountsMonitor;

/*
 * Work is what happened between two counts, and holds for the clock of that time. Between counts at
 * two clocks CPU time belongs to neither: such a window is passed over, and the figures before it
 * hold on, since they name their own clock and say as much about others as before. Were they dropped,
 * a policy would raise each node that it has just lowered. The clock is looked at where windows begin
 * and end. A node that was slow for a part of a window between two such looks seems to need more than
 * it does, and the other way about cannot be: policies wait for longer than a window before they
 * lower a clock again.
 */
/** Makes work of counts. Thread safe. */
final class WorkWindows implements CountsMonitor.Listener {
  private final ToLongFunction<String> kiloHertz;
  private final long leastNanos;
  private final long maxAgeNanos;
  private final Map<String, Begin> begins = new ConcurrentHashMap<>();
  private final Map<String, Work> works = new ConcurrentHashMap<>();

  private record Begin(ServerCounts counts, long kiloHertz) {}

  /**
   * Windows.
   *
   * @param kiloHertz a node's clock now, in kHz; 0 if it is not known
   * @param leastNanos counts that are nearer to the last ones are passed over
   * @param maxAgeNanos figures that are older are not told
   */
  WorkWindows(ToLongFunction<String> kiloHertz, long leastNanos, long maxAgeNanos) {
    this.kiloHertz = kiloHertz;
    this.leastNanos = leastNanos;
    this.maxAgeNanos = maxAgeNanos;
  }

  @Override
  public void counted(String node, ServerCounts counts) {
    long now = kiloHertz.applyAsLong(node);
    Begin begin = begins.get(node);
    if (begin != null && begin.kiloHertz() == now && isTooNear(begin.counts(), counts)) {
      return;
    }
    begins.put(node, new Begin(counts, now));
    if (begin == null || (begin.kiloHertz() != now && counts.follows(begin.counts()))) {
      return;
    }
    Optional<Work> work =
        counts.follows(begin.counts()) && now > 0
            ? Optional.of(work(begin.counts(), counts, now)).filter(ClockForecast::isSound)
            : Optional.empty();
    work.ifPresentOrElse(sound -> works.put(node, sound), () -> works.remove(node));
  }

  @Override
  public void lost(String node) {
    begins.remove(node);
    works.remove(node);
  }

  /** The last window's figures; empty without sound ones, or if they are too old. */
  Optional<Work> work(String node, long nowNanos) {
    return Optional.ofNullable(works.get(node))
        .filter(work -> nowNanos - work.atNanos() <= maxAgeNanos);
  }

  private boolean isTooNear(ServerCounts before, ServerCounts after) {
    return after.follows(before) && after.atNanos() - before.atNanos() < leastNanos;
  }

  private static Work work(ServerCounts before, ServerCounts after, long kiloHertz) {
    ServerUse use = ServerUse.between(before, after);
    return new Work(
        after.atNanos(),
        kiloHertz,
        use.busyShare(),
        use.writesPerSecond(),
        use.writeNanos(),
        use.readsPerSecond(),
        use.readNanos());
  }
}
