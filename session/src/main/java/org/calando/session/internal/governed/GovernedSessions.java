package org.calando.session.internal.governed;

import com.datastax.oss.driver.api.core.CqlSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.observe.SessionLevels;
import org.calando.session.TableName;
import org.calando.session.internal.GoverningLoops;
import org.calando.session.internal.GoverningLoops.Group;
import org.calando.session.internal.TimerScheduler;
import org.jspecify.annotations.Nullable;

/*
 *   a report   is taken at once; its answer waits for a level that changes, a second at most
 *   a level    that changes is answered to all that wait
 *
 * All that a session reports of what it did are sums since it began, so a report that is lost is none that is missing.
 */
/** Sessions that report, and what they are answered. Thread safe. */
public final class GovernedSessions implements SessionLevels {
  private static final long SECOND = 1_000_000_000L;
  private static final long HOLD_MILLIS = 1000;

  /** How long levels hold, from when the report was sent. */
  private static final long VALID_NANOS = 6 * SECOND;

  private static final long HANDOVER_NANOS = 5 * SECOND;
  private static final long LATELY_NANOS = 10 * SECOND;
  private static final long GONE_NANOS = 60 * SECOND;
  private static final long FORSAKEN_NANOS = 600 * SECOND;

  /** Each has a connection; the listener has some more for those who ask how it is. */
  private static final int MOST_SESSIONS = 900;

  private static final int MOST_GROUPS = 32;

  private final Function<String, CqlSession> connect;
  private final Path folder;
  private final LongSupplier clock;

  /** Numbers and versions begin above those of a governor that began before. */
  private final long begin = 1000 * System.currentTimeMillis();

  private final AtomicLong decisions = new AtomicLong(begin);
  private final ScheduledExecutorService timer = TimerScheduler.timer("calando-governed");
  private final ScheduledExecutorService worker = TimerScheduler.timer("calando-governed-opens");

  // All guarded by this.
  private final Map<UUID, Instance> instances = new HashMap<>();
  private final Map<Group, GovernedGroup> groups = new HashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private LatencyCounts reads = LatencyCounts.NONE;
  private long version = begin + 1;

  /** A session. Guarded by the governed sessions. */
  private static final class Instance {
    private final Map<TableName, TableUse> uses = new HashMap<>();
    private LatencyCounts reads = LatencyCounts.NONE;
    private boolean known;
    private long sequence;
    private long seenNanos;
    private long handedNanos;
  }

  private record Waiting(SessionReport report, CompletableFuture<String> answer) {}

  private GovernedSessions(Function<String, CqlSession> connect, Path folder, LongSupplier clock) {
    this.connect = connect;
    this.folder = folder;
    this.clock = clock;
  }

  /**
   * Connects to nothing before a session reports, but to what a governor knew that ended lately.
   *
   * @param connect connects to the cluster, with the schema of a keyspace; blocks
   * @param folder where it is kept what is known; made if it is not there
   * @param clock in nanoseconds
   */
  public static GovernedSessions start(
      Function<String, CqlSession> connect, Path folder, LongSupplier clock) {
    GovernedSessions sessions = new GovernedSessions(connect, folder, clock);
    GroupFiles.in(folder).forEach(sessions::resume);
    var unused = sessions.timer.scheduleWithFixedDelay(sessions::forget, 5, 5, TimeUnit.SECONDS);
    return sessions;
  }

  @Override
  public CompletionStage<String> exchange(String text) {
    try {
      return exchange(ReportText.read(text));
    } catch (IllegalArgumentException e) {
      return refused("the report cannot be read: " + e.getMessage());
    }
  }

  private static CompletionStage<String> refused(String why) {
    return CompletableFuture.completedStage(
        AnswerText.write(new Answer(0, VALID_NANOS, 1, why, List.of())));
  }

  private synchronized CompletionStage<String> exchange(SessionReport report) {
    if (!instances.containsKey(report.instance()) && instances.size() >= MOST_SESSIONS) {
      return refused(MOST_SESSIONS + " sessions are governed already");
    }
    Instance instance = instances.computeIfAbsent(report.instance(), id -> new Instance());
    take(report, instance);
    if (report.told() != version) {
      return CompletableFuture.completedStage(answer(report));
    }
    CompletableFuture<String> answer = new CompletableFuture<>();
    Waiting waits = new Waiting(report, answer);
    try {
      var unused = timer.schedule(() -> answer(waits), HOLD_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      return refused("the governor ends");
    }
    waiting.add(waits);
    return answer;
  }

  /** Of a session that is new here it is not known which of its sums are new. */
  private void take(SessionReport report, Instance instance) {
    instance.seenNanos = clock.getAsLong();
    if (instance.known && report.sequence() <= instance.sequence) {
      return;
    }
    instance.sequence = report.sequence();
    if (instance.known) {
      reads = reads.plus(report.reads().since(instance.reads));
    }
    instance.reads = report.reads();
    // A session reports all its tables each time; of what it reports no more nothing is kept.
    instance.uses.keySet().retainAll(report.tables().stream().map(TableReport::table).toList());
    for (TableReport table : report.tables()) {
      TableUse before = instance.uses.put(table.table(), table.use());
      Optional<TableUse> more = Optional.ofNullable(before).map(table.use()::since);
      GovernedGroup group = group(report, table.table());
      if (group != null) {
        group.take(report.instance(), table, more, report.tables().size());
      }
    }
    instance.known = true;
  }

  private synchronized void resume(Group key) {
    GovernedGroup known = group(key);
    if (known != null) {
      known.resume();
    }
  }

  private @Nullable GovernedGroup group(SessionReport report, TableName table) {
    return group(new Group(table.keyspace(), report.local(), report.place(), report.freshFirst()));
  }

  private @Nullable GovernedGroup group(Group key) {
    GovernedGroup known = groups.get(key);
    if (known == null && groups.size() < MOST_GROUPS) {
      known =
          new GovernedGroup(
              key,
              connect,
              worker,
              GroupFiles.of(folder, key),
              new GoverningLoops.Host(decisions::incrementAndGet, this::changed, clock));
      groups.put(key, known);
    }
    return known;
  }

  private void answer(Waiting waits) {
    synchronized (this) {
      waiting.remove(waits);
    }
    if (!waits.answer().isDone()) {
      var unused = waits.answer().complete(answer(waits.report()));
    }
  }

  private synchronized String answer(SessionReport report) {
    long now = clock.getAsLong();
    Instance instance = instances.get(report.instance());
    boolean handsOver = instance != null && now - instance.handedNanos >= HANDOVER_NANOS;
    List<TableLevel> levels = new ArrayList<>();
    String trouble = "";
    for (TableReport table : report.tables()) {
      GovernedGroup group = group(report, table.table());
      if (group == null) {
        trouble = "too many keyspaces are governed already";
      } else {
        group.level(table.table(), handsOver).ifPresent(levels::add);
        trouble = trouble.isEmpty() ? group.trouble(table.table()) : trouble;
      }
    }
    if (instance != null && handsOver && levels.stream().anyMatch(TableLevel::isHandedOver)) {
      instance.handedNanos = now;
    }
    return AnswerText.write(
        new Answer(version, VALID_NANOS, Math.max(1, sessions()), trouble, levels));
  }

  /** Answers all that wait, on the timer's thread. */
  private void changed() {
    try {
      timer.execute(
          () -> {
            List<Waiting> all;
            synchronized (this) {
              version++;
              all = List.copyOf(waiting);
            }
            all.forEach(this::answer);
          });
    } catch (RejectedExecutionException e) {
      // Closed just now.
    }
  }

  private synchronized void forget() {
    long now = clock.getAsLong();
    instances.values().removeIf(each -> now - each.seenNanos > GONE_NANOS);
    groups.values().forEach(GovernedGroup::save);
    List<Group> forsaken =
        groups.entrySet().stream()
            .filter(each -> each.getValue().isForsaken(FORSAKEN_NANOS))
            .map(Map.Entry::getKey)
            .toList();
    for (Group group : forsaken) {
      GovernedGroup gone = groups.remove(group);
      if (gone != null) {
        worker.execute(gone::close);
      }
    }
  }

  /** Tables of all sessions of which it is kept what they counted last. */
  synchronized int tables() {
    return instances.values().stream().mapToInt(each -> each.uses.size()).sum();
  }

  @Override
  public synchronized LatencyCounts reads() {
    return reads;
  }

  @Override
  public synchronized Optional<String> problem() {
    return groups.values().stream().flatMap(each -> each.problem().stream()).findFirst();
  }

  @Override
  public synchronized int sessions() {
    long now = clock.getAsLong();
    long seen =
        instances.values().stream().filter(each -> now - each.seenNanos < LATELY_NANOS).count();
    return (int) seen;
  }

  @Override
  public void close() {
    List<GovernedGroup> ending;
    List<Waiting> left;
    synchronized (this) {
      ending = List.copyOf(groups.values());
      groups.clear();
      left = List.copyOf(waiting);
      waiting.clear();
    }
    timer.shutdownNow();
    worker.shutdown();
    left.forEach(each -> each.answer().completeExceptionally(new IllegalStateException("closed")));
    ending.forEach(GovernedGroup::close);
  }
}
