package org.calando.gears.idle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.policy.gear.GearObservation;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Report;
import org.jspecify.annotations.Nullable;

/*
 * A region's count begins anew where it is opened, so it is compared with what the same process of the same server said of
 * it before. A rate is over the time between two reports by the server's own clock, whenever we look; what a server says
 * nothing new of is as old as when we first saw its last report: a server that hangs keeps its rate, which gets old. No
 * clock is compared with another machine's.
 */
/** Makes a load of what servers tell of their regions: rows read and written. Not thread safe. */
final class LoadMeter {
  private Map<String, Known> known = Map.of();

  /**
   * What is known of a server's process.
   *
   * @param atMillis of its last report, by its clock
   * @param counts of rows by region, then
   * @param perSecond rows from the report before to that one
   * @param seenNanos when that report was first seen, by our clock
   */
  private record Known(
      long atMillis, Map<String, Long> counts, OptionalDouble perSecond, long seenNanos) {}

  /** Counts from now on: what came before is no load. */
  void begin() {
    known = Map.of();
  }

  /**
   * Takes what was looked up.
   *
   * @param nanos when, by our monotonic clock
   * @return rows of all tables but HBase's own, as old as the oldest report; empty until each
   *     server has reported twice
   */
  Optional<GearObservation.Load> look(List<Report> reports, long nanos) {
    Map<String, Known> now = new HashMap<>();
    double sum = 0;
    long oldest = nanos;
    boolean all = !reports.isEmpty();
    for (Report report : reports) {
      String process = report.server() + "," + report.startCode();
      Known next = next(known.get(process), report, nanos);
      now.put(process, next);
      all = all && next.perSecond().isPresent();
      sum += next.perSecond().orElse(0);
      oldest = Math.min(oldest, next.seenNanos());
    }
    known = now;
    return all ? Optional.of(new GearObservation.Load(oldest, sum, 0)) : Optional.empty();
  }

  private static Known next(@Nullable Known before, Report report, long nanos) {
    Map<String, Long> counts = new HashMap<>();
    for (Load load : report.loads()) {
      if (!load.region().isSystem()) {
        counts.put(load.region().id(), load.requests());
      }
    }
    // A clock that was set back begins anew, too; a server that has said nothing yet has no clock.
    if (before == null || before.atMillis() == 0 || report.atMillis() < before.atMillis()) {
      return new Known(report.atMillis(), counts, OptionalDouble.empty(), nanos);
    }
    if (report.atMillis() == before.atMillis()) {
      return before;
    }
    long rows = 0;
    for (Map.Entry<String, Long> count : counts.entrySet()) {
      rows += Math.max(0, count.getValue() - before.counts().getOrDefault(count.getKey(), 0L));
    }
    double seconds = (report.atMillis() - before.atMillis()) / 1e3;
    return new Known(report.atMillis(), counts, OptionalDouble.of(rows / seconds), nanos);
  }
}
