package org.calando.session.internal.shared;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.Monitor;
import org.calando.session.TableName;
import org.calando.session.internal.Adaptation;
import org.calando.session.internal.CanaryKeys;
import org.calando.session.internal.CanaryRun;
import org.calando.session.internal.CanarySettings;
import org.calando.session.internal.CanaryTable;
import org.calando.session.internal.CostMeter;
import org.calando.session.internal.Nodes;
import org.calando.session.internal.SessionFacts;
import org.calando.session.internal.TableLevels;
import org.calando.session.internal.Target;
import org.calando.session.internal.WatchedTable;

/** Checks that a session's keyspaces can be measured, and makes what does. Immutable. */
public record SignalSetup(
    CqlSession session,
    SessionFacts facts,
    Adaptation.Settings settings,
    LeadershipSettings pace,
    ScheduledExecutorService timer) {
  /** How long counts of a check are a fair begin of a rate. */
  private static final long FRESH_NANOS = 5_000_000_000L;

  /**
   * Of each keyspace; not started. Blocks.
   *
   * @param alone is told which keyspaces cannot be shared, and why; also where another fails then
   */
  public Map<String, SharedSignals> open(
      Collection<WatchedTable> tables, BiConsumer<String, String> alone) {
    // In an order, so that two attempts fail alike.
    Map<String, List<WatchedTable>> byKeyspace = new TreeMap<>();
    tables.forEach(
        table ->
            byKeyspace
                .computeIfAbsent(table.name().keyspace(), name -> new ArrayList<>())
                .add(table));
    Map<String, SharedSignals> signals = new HashMap<>();
    byKeyspace.forEach((name, its) -> signals.put(name, keyspace(name, List.copyOf(its), alone)));
    return Map.copyOf(signals);
  }

  private SharedSignals keyspace(
      String keyspace, List<WatchedTable> tables, BiConsumer<String, String> alone) {
    Optional<String> dataCentre = dataCentre();
    Function<Set<TableName>, Monitor> monitors = names -> monitor(names, tables);
    Monitor checked = monitors.apply(Set.copyOf(tables.stream().map(WatchedTable::name).toList()));
    check(checked);
    long checkedNanos = SignalGroup.CLOCK.getAsLong();
    AtomicReference<Monitor> first = new AtomicReference<>(checked);
    CanaryTable canaryTable = CanaryTable.open(session, keyspace);
    CanaryKeys keys = new CanaryKeys(session, keyspace, dataCentre, 1, 0);
    keys.check();
    CanarySettings canary =
        CanarySettings.usual(
            settings.pace().canariesPerSecond(),
            () -> weakest(tables),
            () -> choice(tables),
            dataCentre,
            settings.pace().clock());
    Function<Set<TableName>, MeasuredSignals> measuring =
        names -> {
          Monitor monitor = first.getAndSet(null);
          boolean fresh = SignalGroup.CLOCK.getAsLong() - checkedNanos < FRESH_NANOS;
          return new MeasuredSignals(
              CanaryRun.begin(session, keyspace, canaryTable, canary),
              monitors,
              names,
              monitor != null && fresh ? monitor : monitors.apply(names));
        };
    CostMeter cost = new CostMeter();
    Optional<SignalRows> rows = Optional.empty();
    String obstacle = "";
    try {
      rows = Optional.of(SignalRows.open(session, keyspace, facts.isLocal(), pace.lease(), cost));
    } catch (BadRequestException e) {
      obstacle = e.problem();
      alone.accept(keyspace, String.valueOf(e.getMessage()));
    }
    return new SharedSignals(
        new SharedSignals.Setup(
            tables,
            dataCentre.orElse(""),
            () -> weakest(tables),
            rows,
            obstacle,
            pace,
            measuring,
            () -> keys.fewest(node -> !Nodes.isDown(node) && Nodes.mayBeAsked(node)),
            timer,
            settings.pace().clock()),
        cost);
  }

  /**
   * Fails if nodes refuse to tell their counts. Those that are only slow are asked again and again
   * once it has begun, and reads are at the fallback until they answer: beside a load that nearly
   * is too much, to begin would else take until it is over.
   */
  private static void check(Monitor monitor) {
    try {
      monitor.check();
    } catch (FailedWorkException e) {
      // As above.
    }
  }

  private Optional<String> dataCentre() {
    if (!facts.isLocal()) {
      return Optional.empty();
    }
    return Optional.of(
        facts
            .localDataCentre()
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "the session has LOCAL levels and no local data centre",
                        "session",
                        "give it one")));
  }

  private Monitor monitor(Set<TableName> names, List<WatchedTable> own) {
    Map<TableName, WatchedTable> byName = new HashMap<>();
    own.forEach(table -> byName.put(table.name(), table));
    Monitor.Builder watching =
        Monitor.builder(session)
            .deadline(settings.pace().monitorDeadline())
            .clock(settings.pace().clock())
            .ownWriteBytes(
                name -> {
                  WatchedTable table = byName.get(name);
                  return table == null ? Double.NaN : table.meanWriteBytes();
                });
    names.forEach(watching::watch);
    return watching.build();
  }

  private static ConsistencyLevel weakest(List<WatchedTable> tables) {
    return tables.stream()
        .map(WatchedTable::levels)
        .min(
            Comparator.<TableLevels>comparingInt(each -> each.placement().involved(each.write()))
                // The same one in all instances.
                .thenComparing(TableLevels::write))
        .orElseThrow()
        .write();
  }

  // One of the choices in use: each is predicted for itself.
  private static ReadChoice choice(List<WatchedTable> tables) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    List<Target> targets = List.copyOf(tables.get(random.nextInt(tables.size())).targets());
    return targets.get(random.nextInt(targets.size())).choice();
  }
}
