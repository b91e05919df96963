package org.calando.session.internal.shared;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.Cost;
import org.calando.session.TableName;
import org.calando.session.TruthSince;
import org.calando.session.internal.CostMeter;
import org.calando.session.internal.WatchedTable;
import org.calando.session.internal.shared.Leadership.Role;
import org.jspecify.annotations.Nullable;

/*
 * Instances whose session has the same keyspace, data centre and weakest level of writes are a group:
 * lags hold for all of it. One of them measures and publishes, the others read that. When the level of
 * writes changes an instance leaves its group for another, and what it knew of lags is void.
 */
/**
 * What is known of a keyspace, whether measured here or by another instance. Thread safe; does its
 * work on a timer's thread.
 */
public final class SharedSignals implements AutoCloseable {
  private static final long TICK_MILLIS = 250;

  /** What is older does not tell how many replicas answer. */
  private static final long LIVE_NANOS = 10_000_000_000L;

  private final Setup setup;
  private final CostMeter cost;
  private final TruthLog truth = new TruthLog();

  // All guarded by this.
  private SignalGroup group;
  private FollowedSignals followed = new FollowedSignals();
  private @Nullable MeasuredSignals measured;
  private Set<TableName> watched;
  private Cost formersCost = new Cost(0, 0);
  private SignalFigures figures = SignalFigures.NONE;
  private long figuresNanos;
  private @Nullable CompletableFuture<Void> asked;
  private long askedNanos;
  private String failure = "";
  private boolean closed;
  private boolean rests;
  private boolean wakes;

  /**
   * What it needs.
   *
   * @param tables of the keyspace that this session watches
   * @param place whose instances agree among each other: a data centre, or nothing for all
   * @param writeLevel the weakest level of writes
   * @param rows by which they agree; empty if these cannot be used
   * @param obstacle why they cannot
   * @param measuring begins to measure tables
   * @param liveReplicas how many replicas of each key this session itself takes to be up
   * @param clock of the figures
   */
  record Setup(
      List<WatchedTable> tables,
      String place,
      Supplier<ConsistencyLevel> writeLevel,
      Optional<SignalRows> rows,
      String obstacle,
      LeadershipSettings pace,
      Function<Set<TableName>, MeasuredSignals> measuring,
      IntSupplier liveReplicas,
      ScheduledExecutorService timer,
      LongSupplier clock) {}

  SharedSignals(Setup setup, CostMeter cost) {
    this.setup = setup;
    this.cost = cost;
    this.watched = own();
    this.group = join();
  }

  /** Begins to work on the timer. */
  public void start() {
    var unused =
        setup
            .timer()
            .scheduleWithFixedDelay(
                () -> cost.run(() -> locked(this::tick)), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Set<TableName> own() {
    return setup.tables().stream().map(WatchedTable::name).collect(Collectors.toSet());
  }

  private String groupName() {
    return "%d %s %s".formatted(PublicationCodec.VERSION, setup.place(), setup.writeLevel().get());
  }

  private SignalGroup join() {
    return new SignalGroup(
        groupName(),
        setup.rows(),
        setup.obstacle(),
        setup.pace(),
        work -> onTimer(() -> cost.run(() -> locked(work))),
        new Host());
  }

  private void onTimer(Runnable work) {
    try {
      setup.timer().execute(work);
    } catch (RejectedExecutionException e) {
      // Closed: nobody waits for it.
    }
  }

  private synchronized void locked(Runnable work) {
    if (closed) {
      return;
    }
    try {
      work.run();
      measureIfDue();
      failure = "";
    } catch (RuntimeException e) {
      failure = "sharing figures failed: " + e;
    }
  }

  private void tick() {
    if (!group.name().equals(groupName())) {
      group.close();
      group = join();
      followed = new FollowedSignals();
      figures = figures.withoutLags();
      stopMeasuring();
    }
    group.tick(setup.tables().stream().mapToLong(WatchedTable::reads).sum(), rests);
    wakes = false;
  }

  private void measureIfDue() {
    if (group.measures() && measured == null) {
      measured = setup.measuring().apply(watched);
    } else if (!group.measures()) {
      stopMeasuring();
    }
  }

  private void stopMeasuring() {
    if (measured != null) {
      formersCost = formersCost.plus(measured.cost());
      measured.close();
      measured = null;
    }
  }

  /**
   * Asks the nodes, if that is this instance's part; ends when what they tell is taken in. Who asks
   * again within a time waits for the same answers.
   */
  public synchronized CompletableFuture<Void> refresh(long withinNanos) {
    long now = SignalGroup.CLOCK.getAsLong();
    if (asked == null || now - askedNanos >= withinNanos) {
      asked = null; // a question that fails here is no answer for who asks next
      asked =
          measured == null
              ? CompletableFuture.completedFuture(null)
              : measured.ask().thenRunAsync(() -> cost.run(this::renew), this::onTimer);
      askedNanos = now;
    }
    return asked;
  }

  private synchronized void renew() {
    if (measured != null) {
      figures = measured.figures().orElse(figures);
      figuresNanos = SignalGroup.CLOCK.getAsLong();
      truth.add(measured.moreTruth());
    }
  }

  private final class Host implements SignalGroup.Host {
    @Override
    public SignalFigures figures() {
      renew();
      long now = setup.clock().getAsLong();
      return figures.withTimes(at -> at - now);
    }

    @Override
    public TruthTotal truth() {
      TruthTotal all = truth.all();
      return all.at(all.reads() == 0 ? 0 : all.atNanos() - setup.clock().getAsLong());
    }

    @Override
    public Set<String> tables() {
      return own().stream().map(TableName::table).collect(Collectors.toSet());
    }

    @Override
    public void watched(Set<String> tables) {
      String keyspace = setup.tables().get(0).name().keyspace();
      watched =
          tables.stream().map(name -> new TableName(keyspace, name)).collect(Collectors.toSet());
      if (measured != null) {
        measured.watch(watched);
      }
    }

    @Override
    public void followed(UUID term, ByteBuffer published, Consumer<Integer> instances) {
      long seen = SignalGroup.CLOCK.getAsLong();
      followed
          .saw(term, published, seen, setup.clock().getAsLong())
          .ifPresent(
              news -> {
                figures = news.figures().orElse(figures);
                figuresNanos = seen;
                truth.add(news.truth());
                instances.accept(news.instances());
              });
    }
  }

  /** The lags; empty if none are known for writes as they are now. */
  public synchronized Optional<Observation.Lags> lags() {
    return figures.lags();
  }

  /** Of a key's replicas those that answer, the fewest over all keys, as far as is known. */
  public synchronized int liveReplicas() {
    int own = setup.liveReplicas().getAsInt();
    boolean known =
        figures.replicas() > 0 && SignalGroup.CLOCK.getAsLong() - figuresNanos < LIVE_NANOS;
    return known ? Math.min(own, figures.liveReplicas()) : own;
  }

  /** Whether there is more work than the nodes can do, as far as is known. */
  public synchronized boolean isStrained() {
    return figures.strained() && SignalGroup.CLOCK.getAsLong() - figuresNanos < LIVE_NANOS;
  }

  /** The canary's reads that came after the first so many. */
  public TruthSince truthSince(long seen, LagModel model) {
    return truth.since(seen, model);
  }

  /** The rates of a table's requests, with the size of the session's own writes if it makes any. */
  public synchronized Optional<Observation.Rates> rates(WatchedTable table) {
    double ownBytes = table.meanWriteBytes();
    return Optional.ofNullable(figures.rates().get(table.name()))
        .map(
            each ->
                new Observation.Rates(
                    each.atNanos(),
                    each.readsPerSecond(),
                    each.writesPerSecond(),
                    Double.isNaN(ownBytes) ? each.meanWriteBytes() : ownBytes));
  }

  /**
   * Leaves measuring to a governor, and takes part in it again.
   *
   * @param newRests whether a governor does it
   * @param instances that it governs, 1 or more
   */
  public synchronized void rest(boolean newRests, int instances) {
    wakes = rests && !newRests;
    rests = newRests;
    group.told(instances);
  }

  /** Whether nothing is measured or read because nobody has read the tables for a while. */
  public synchronized boolean isIdle() {
    return group.role() == Role.IDLE && !rests && !wakes;
  }

  /** Whether it measures for all. */
  public synchronized boolean leads() {
    return group.role() == Role.LEADING;
  }

  /** Instances that share what is measured, as last counted; 1 or more. */
  public synchronized int instances() {
    return group.instances();
  }

  /** What prevents measuring or sharing; none if nothing does. */
  public synchronized List<String> troubles() {
    List<String> troubles = new ArrayList<>();
    if (measured != null) {
      measured.trouble().ifPresent(troubles::add);
    }
    if (!failure.isEmpty()) {
      troubles.add(failure);
    } else {
      group.trouble().ifPresent(why -> troubles.add("measures alone: " + why));
    }
    return troubles;
  }

  /** What it has cost. */
  public synchronized Cost cost() {
    Cost before = formersCost.plus(cost.cost());
    return measured == null ? before : before.plus(measured.cost());
  }

  /** Ends the work and leaves the group. Idempotent. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      group.close();
      stopMeasuring();
    }
  }
}
