package org.calando.session.internal.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.CalandoException;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops;
import org.calando.session.internal.shared.SavedState;
import org.jspecify.annotations.Nullable;

/*
 * The loops are for the tables that sessions named so far. When another is named they end, and others for all of them begin
 * where they were: what that costs is the lags of some seconds, for which the last levels hold.
 */
/** The sessions of a keyspace that are governed together. Thread safe. */
final class GovernedGroup implements AutoCloseable {
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 10 * SECOND;
  private static final long GAP_NANOS = 2 * SECOND;
  private static final long FORSAKEN_NANOS = 600 * SECOND;
  static final int MOST_TABLES = 256;

  private final GoverningLoops.Group group;
  private final Function<String, CqlSession> connect;
  private final Executor worker;
  private final GoverningLoops.Host host;
  private final LongSupplier clock;

  // All guarded by this.
  private final Map<TableName, GovernedTable> tables = new HashMap<>();
  private Map<TableName, GovernedTable> begun = Map.of();
  private @Nullable GoverningLoops loops;
  private @Nullable CqlSession session;
  private String trouble = "it begins to measure";
  private boolean opening;
  private int failures;
  private long dueNanos;
  private long seenNanos;
  private boolean closed;

  /**
   * Measures nothing yet.
   *
   * @param connect connects to the cluster, with the schema of a keyspace; blocks
   * @param worker runs what blocks
   */
  GovernedGroup(
      GoverningLoops.Group group,
      Function<String, CqlSession> connect,
      Executor worker,
      GoverningLoops.Host host) {
    this.group = group;
    this.connect = connect;
    this.worker = worker;
    this.host = host;
    this.clock = host.clock();
    this.dueNanos = clock.getAsLong();
  }

  /**
   * Takes what a session did since its last report.
   *
   * @param more empty if this is its first one
   */
  synchronized void take(
      UUID instance, TableReport report, Optional<TableUse> more, int tablesOfReport) {
    seenNanos = clock.getAsLong();
    if (report.shares().isEmpty()) {
      return;
    }
    GovernedTable table = named(report);
    if (table == null) {
      return;
    }
    table.take(instance, report, more.orElse(TableUse.NONE), tablesOfReport);
    if (loops != null) {
      loops.take(report, more);
    }
    openIfDue();
  }

  /**
   * The table of a report; null if there are too many. Those that no session reports any more are
   * forgotten when another is named: loops begin anew then in any case.
   */
  private @Nullable GovernedTable named(TableReport report) {
    GovernedTable known = tables.get(report.table());
    if (known != null) {
      return known;
    }
    tables.values().removeIf(each -> each.isForsaken(FORSAKEN_NANOS));
    if (tables.size() >= MOST_TABLES) {
      return null;
    }
    GovernedTable made = new GovernedTable(report.shares().get(0), report.write(), clock);
    tables.put(report.table(), made);
    return made;
  }

  private void openIfDue() {
    if (!closed && !opening && !begun.equals(tables) && clock.getAsLong() - dueNanos >= 0) {
      opening = true;
      Map<TableName, GovernedTable> wanted = Map.copyOf(tables);
      try {
        worker.execute(() -> open(wanted));
      } catch (RejectedExecutionException e) {
        closed = true;
      }
    }
  }

  /** Blocks; one at a time. */
  private void open(Map<TableName, GovernedTable> wanted) {
    String failed = "";
    try {
      CqlSession driver = session();
      Map<TableName, GovernedTable> usable = GoverningLoops.usable(driver, group, wanted);
      if (usable.isEmpty()) {
        failed = "keyspace " + group.keyspace() + " has none of the tables that sessions name";
      } else if (!isBegun(usable)) {
        List<SavedState.Table> earlier = endLoops();
        began(GoverningLoops.open(driver, group, usable, earlier, host), usable);
      }
    } catch (CalandoException e) {
      failed = String.valueOf(e.getMessage());
    } catch (RuntimeException e) {
      failed = e.toString();
    }
    ended(failed);
  }

  /** Others do not wait while it connects. */
  private CqlSession session() {
    @Nullable CqlSession known = connected();
    return known != null ? known : connected(connect.apply(group.keyspace()));
  }

  private synchronized @Nullable CqlSession connected() {
    return session;
  }

  private synchronized CqlSession connected(CqlSession made) {
    if (closed) {
      made.close();
      throw new IllegalStateException("closed");
    }
    session = made;
    return made;
  }

  private synchronized boolean isBegun(Map<TableName, GovernedTable> usable) {
    return loops != null && begun.equals(usable);
  }

  private List<SavedState.Table> endLoops() {
    @Nullable GoverningLoops before = withoutLoops();
    if (before == null) {
      return List.of();
    }
    before.close();
    return before.known();
  }

  private synchronized @Nullable GoverningLoops withoutLoops() {
    GoverningLoops before = loops;
    loops = null;
    begun = Map.of();
    return before;
  }

  private synchronized void began(GoverningLoops next, Map<TableName, GovernedTable> wanted) {
    if (closed) {
      next.close();
    } else {
      loops = next;
      begun = wanted;
    }
  }

  private synchronized void ended(String failed) {
    opening = false;
    trouble = failed;
    failures = failed.isEmpty() ? 0 : failures + 1;
    // What an overloaded cluster did not do in time it does the next moment, or the one after.
    long pause = Math.min(LONGEST_PAUSE_NANOS, SECOND << Math.min(10, Math.max(0, failures - 1)));
    dueNanos = clock.getAsLong() + (failed.isEmpty() ? GAP_NANOS : pause);
  }

  /** The level of a table; empty if it is not decided yet. */
  synchronized Optional<TableLevel> level(TableName name, boolean handsOver) {
    GoverningLoops now = loops;
    return now == null
        ? Optional.empty()
        : table(name).flatMap(table -> now.level(name, table.keyShare(), handsOver));
  }

  /** What sessions report of a table; empty unless it is one of those that are governed. */
  synchronized Optional<GovernedTable> table(TableName name) {
    return Optional.ofNullable(tables.get(name));
  }

  /** Why it decides nothing for a table; empty if all is well. */
  synchronized String trouble(TableName name) {
    return tables.size() >= MOST_TABLES && !tables.containsKey(name)
        ? "%d tables of keyspace %s are governed already".formatted(MOST_TABLES, group.keyspace())
        : trouble;
  }

  /** Whether no session has reported for a while. */
  synchronized boolean isForsaken(long forNanos) {
    return clock.getAsLong() - seenNanos > forNanos;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (loops != null) {
      loops.close();
      loops = null;
    }
    if (session != null) {
      session.close();
      session = null;
    }
  }
}
