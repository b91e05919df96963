package org.calando.store.hbase;

import java.util.HashMap;
import java.util.Map;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Report;
import org.jspecify.annotations.Nullable;

/*
 * A region's counts begin at zero where it is opened. Those of a region that was closed since the report before have ended
 * at a figure that nobody has: the server's counts begin another life then. So they do where a count goes back, as the
 * region was closed and opened again in between.
 */
/** Adds up what servers report of their regions: rows read and written. Not thread safe. */
final class RowCounts {
  private Map<String, Known> known = Map.of();

  /**
   * What is known of a server's process.
   *
   * @param last its last report
   * @param anchorNanos our clock less the server's
   * @param loads of the last report, by region, without HBase's own
   * @param count at its time
   */
  private record Known(Report last, long anchorNanos, Map<String, Load> loads, Count count) {
    static Known first(Report report, Map<String, Load> loads, long nanos) {
      return new Known(report, nanos - nanos(report), loads, new Count(nanos, nanos, 0, 0));
    }

    private static long nanos(Report report) {
      return report.atMillis() * 1_000_000;
    }

    Known next(Report report, Map<String, Load> now) {
      long reads = 0;
      long writes = 0;
      for (Map.Entry<String, Load> entry : now.entrySet()) {
        Load load = entry.getValue();
        Load before = loads.getOrDefault(entry.getKey(), new Load(load.region(), 0, 0, 1));
        reads += load.reads() - before.reads();
        writes += load.writes() - before.writes();
      }
      return new Known(
          report,
          anchorNanos,
          now,
          new Count(
              count.life(),
              anchorNanos + nanos(report),
              count.reads() + reads,
              count.writes() + writes));
    }

    boolean follows(Report report, Map<String, Load> now) {
      return report.startCode() == last.startCode()
          && report.atMillis() > last.atMillis()
          && loads.entrySet().stream().allMatch(each -> has(now, each.getKey(), each.getValue()));
    }

    private static boolean has(Map<String, Load> now, String region, Load before) {
      Load load = now.get(region);
      return load != null && load.reads() >= before.reads() && load.writes() >= before.writes();
    }
  }

  /**
   * Takes the last reports of all live servers.
   *
   * @param nanos when, by our monotonic clock
   * @return counts by server, at the time of its report; without servers that have reported nothing
   *     since the last look
   */
  Map<String, Count> look(Iterable<Report> reports, long nanos) {
    Map<String, Known> now = new HashMap<>();
    Map<String, Count> counts = new HashMap<>();
    for (Report report : reports) {
      Known before = known.get(report.server());
      if (before != null && before.last().equals(report)) {
        now.put(report.server(), before);
      } else if (report.atMillis() > 0) {
        Known next = next(before, report, nanos);
        now.put(report.server(), next);
        counts.put(report.server(), next.count());
      }
    }
    known = now;
    return counts;
  }

  private static Known next(@Nullable Known before, Report report, long nanos) {
    Map<String, Load> loads = new HashMap<>();
    for (Load load : report.loads()) {
      if (!load.region().isSystem()) {
        loads.put(load.region().id(), load);
      }
    }
    return before != null && before.follows(report, loads)
        ? before.next(report, loads)
        : Known.first(report, loads, nanos);
  }
}
