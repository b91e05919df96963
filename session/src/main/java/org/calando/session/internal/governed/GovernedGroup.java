package org.calando.session.internal.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops;
import org.calando.session.internal.GoverningLoops.Earlier;
import org.calando.session.internal.SessionFacts;
import org.calando.session.internal.shared.SavedState;
import org.calando.session.internal.shared.StateKeeper;
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
  private final Path file;
  private final GoverningLoops.Host host;
  private final LongSupplier clock;

  /** Of the worker's thread; null before the file was looked at, or if it cannot be read. */
  private @Nullable StateKeeper keeper;

  /** Of the worker's thread, too: where the next loops begin; nowhere once some have begun. */
  private Earlier earlier = Earlier.NONE;

  // All guarded by this.
  private final Map<TableName, GovernedTable> tables = new HashMap<>();
  private Map<TableName, GovernedTable> begun = Map.of();
  private Set<TableName> unusable = Set.of();
  private @Nullable GoverningLoops loops;
  private @Nullable CqlSession session;
  private String trouble = "it begins to measure";
  private boolean opening;
  private int failures;
  private long dueNanos;
  private long seenNanos;
  private Optional<String> problem = Optional.empty();
  private boolean closed;

  /**
   * Measures nothing yet.
   *
   * @param connect connects to the cluster, with the schema of a keyspace; blocks
   * @param worker runs what blocks, one at a time
   * @param file where it keeps what it knows of the tables, for a governor that begins later
   */
  GovernedGroup(
      GoverningLoops.Group group,
      Function<String, CqlSession> connect,
      Executor worker,
      Path file,
      GoverningLoops.Host host) {
    this.group = group;
    this.connect = connect;
    this.worker = worker;
    this.file = file;
    this.host = host;
    this.clock = host.clock();
    this.dueNanos = clock.getAsLong();
    this.seenNanos = dueNanos;
  }

  /** Begins with the tables of a governor that has ended, before a session names one. */
  void resume() {
    execute(
        () -> {
          keep();
          named(earlier.former());
        });
  }

  private void execute(Runnable work) {
    try {
      worker.execute(work);
    } catch (RejectedExecutionException e) {
      // Closed just now.
    }
  }

  private synchronized void named(List<SavedState.Table> all) {
    for (SavedState.Table each : all) {
      tables.computeIfAbsent(
          TableName.parse(each.name()),
          name -> new GovernedTable(each.tolerated(), each.write(), clock));
    }
    openIfDue();
  }

  private void keep() {
    if (keeper == null) {
      try {
        Files.createDirectories(file.toAbsolutePath().getParent());
        StateKeeper made = new StateKeeper(file, clock.getAsLong());
        keeper = made;
        earlier = new Earlier(List.of(), made.earlier());
        amiss(made.failure());
      } catch (IOException | BadRequestException e) {
        amiss(Optional.of("what sessions do is not kept: " + e));
      }
    }
  }

  private synchronized void amiss(Optional<String> what) {
    problem = what;
  }

  /** What is amiss though it is governed; empty if nothing is. */
  synchronized Optional<String> problem() {
    return problem;
  }

  /** Keeps what it knows, in its time, and tries again what could not be begun. */
  void save() {
    execute(
        () -> {
          StateKeeper its = keeper;
          if (its != null) {
            its.saveIfDue(clock.getAsLong(), this::known);
            amiss(its.failure());
          }
        });
    openIfDue();
  }

  /** Of each table that of its statements that do not say what they tolerate. */
  private synchronized List<SavedState.Table> known() {
    GoverningLoops now = loops;
    return (now == null ? earlier.own() : now.known())
        .stream()
            .filter(
                each -> {
                  GovernedTable its = tables.get(TableName.parse(each.name()));
                  return its != null && its.share() == each.tolerated();
                })
            .toList();
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
    if (known != null && known.is(report)) {
      return known;
    }
    tables.values().removeIf(each -> each.isForsaken(FORSAKEN_NANOS));
    if (known == null && tables.size() >= MOST_TABLES) {
      return null;
    }
    GovernedTable made = new GovernedTable(report.shares().get(0), report.write(), clock);
    tables.put(report.table(), made);
    return made;
  }

  private synchronized void openIfDue() {
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
      keep();
      CqlSession driver = session();
      SessionFacts facts = SessionFacts.of(driver, group.local());
      Map<TableName, GovernedTable> usable = new HashMap<>(wanted);
      // Sessions look after the others themselves; they may be made later.
      usable.keySet().removeIf(name -> !facts.isUsable(name));
      without(usable.keySet(), wanted.keySet());
      if (usable.isEmpty()) {
        failed = "keyspace " + group.keyspace() + " has none of the tables that sessions name";
      } else if (!isBegun(usable)) {
        earlier = earlier.and(endLoops());
        began(new GoverningLoops(driver, group, usable, earlier, host), Map.copyOf(usable));
        earlier = Earlier.NONE;
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

  private synchronized void without(Set<TableName> usable, Set<TableName> wanted) {
    unusable = new HashSet<>(wanted);
    unusable.removeAll(usable);
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
        : trouble(name, begun.keySet(), unusable, trouble);
  }

  /**
   * What is in the way of a table, whatever is in the way of others.
   *
   * @param begun the tables that are decided for
   * @param unusable those of which no reads can be given a level
   * @param trouble of what was tried last
   */
  static String trouble(
      TableName name, Set<TableName> begun, Set<TableName> unusable, String trouble) {
    if (begun.contains(name)) {
      return "";
    }
    return trouble.isEmpty() && unusable.contains(name)
        ? "there is no table %s whose reads can be given a level".formatted(name)
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
