package org.calando.governor;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.clock.LeaseFolders;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.Closing;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.Promised;
import org.calando.engine.Target;
import org.calando.governor.order.ClusterOrders;
import org.calando.governor.order.Ordered;
import org.calando.governor.promise.PromiseAccount;
import org.calando.governor.promise.PromiseSources;
import org.calando.governor.promise.PromiseWatch;
import org.calando.governor.sessions.ClusterSessions;
import org.calando.governor.sessions.SessionPromises;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;

/*
 *   observing  a thread, Retried: meter, requests  --> account, which is kept while nothing answers
 *   promising  a thread, Retried: their figures    --> account of promises
 *   considering a thread, Retried: policies that set nothing
 *   control    a thread, Retried: knobs, policies  --> journal of decisions
 *   gear       a thread, Retried: shifts, policy   --> journal of decisions
 *
 * Each of them goes on while the others fail or hang, and no cluster waits for another.
 */
/**
 * A cluster that is observed, and its knobs controlled where the file says so, until this is
 * closed; then they are as before. Thread safe.
 */
final class GovernedCluster implements AutoCloseable {
  /** A cluster of which no node answers for so long is gone. */
  private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final ServiceSpec.Cluster spec;
  private final Means means;
  private final ClusterOrders orders;
  private final KnobStates knobs;
  private final ClusterAccount account = new ClusterAccount(System.nanoTime());
  private final PartThread<ClusterObserver> observing;
  private final PromiseAccount promises;
  private final Optional<PartThread<PromiseWatch>> promising;
  private final KnobStates considered;
  private final Optional<PartThread<Considering>> considering;
  private final Optional<PartThread<ClusterControl>> control;
  private final Optional<PartThread<GovernedGear>> gear;
  private final Optional<ClusterSessions> sessions;
  private final Optional<PartThread<ClusterSessions>> serving;
  private String told = "";

  /**
   * What governing needs.
   *
   * @param base folder that relative paths of the file are relative to
   * @param folders where it is noted how knobs were
   * @param owner who has them, for others who are refused
   * @param attended as {@link ServiceSpec#attended}
   * @param clock time of what is told
   * @param notes what it keeps of itself
   */
  record Means(
      Path base,
      LeaseFolders folders,
      String owner,
      DecisionFolders decisions,
      GovernorNews news,
      boolean attended,
      InstantSource clock,
      GovernorNotes notes) {}

  private final KnobOrders.Hearing hearing;
  private volatile boolean stopping;

  GovernedCluster(ServiceSpec.Cluster spec, Means means) {
    this.spec = spec;
    this.means = means;
    this.orders = new ClusterOrders(spec.name(), means.notes().orders());
    this.knobs =
        new KnobStates(
            means.clock(),
            orders::barred,
            decided -> means.notes().decisions().add(spec.name(), decided));
    account.placed(NodePlace.of(spec.store()));
    KnobParts setting = new KnobParts(spec, means, knobs, orders);
    this.observing = part("observing", this::observe, this::look, ClusterObserver::close);
    this.promises = new PromiseAccount(spec.promise(), spec.periodNanos());
    this.hearing = orders.onChange(this::promised);
    this.promising =
        spec.promise().limits().isEmpty()
            ? Optional.empty()
            : Optional.of(
                part("promises", this::promise, GovernedCluster::measures, PromiseWatch::close));
    this.sessions =
        spec.sessions()
            ? Optional.of(ClusterSessions.of(this::reach, means.decisions().sessions(spec)))
            : Optional.empty();
    this.serving =
        sessions.map(
            its ->
                lasting(
                    "sessions",
                    () -> its,
                    (each, nowNanos) -> each.tick(),
                    ClusterSessions::close,
                    PartThread.CLOSE_NANOS));
    this.considered = new KnobStates(means.clock());
    this.considering =
        spec.considered().axes().isEmpty()
            ? Optional.empty()
            : Optional.of(
                lasting(
                    "considering",
                    () -> Considering.begin(spec, means, considered),
                    Considering::check,
                    Considering::close,
                    PartThread.CLOSE_NANOS));
    this.control =
        KnobHolder.of(spec.control()).isEmpty() && spec.clocks().isEmpty()
            ? Optional.empty()
            : Optional.of(
                lasting(
                    "control",
                    () -> setting.control(() -> stopping),
                    setting::governs,
                    setting::close,
                    PartThread.CLOSE_NANOS));
    this.gear =
        GovernedGear.isOf(spec)
            ? Optional.of(
                lasting(
                    "gear",
                    setting::gear,
                    KnobParts::shifts,
                    setting::close,
                    ShiftThread.MOST_NANOS + PartThread.CLOSE_NANOS))
            : Optional.empty();
  }

  private <T> PartThread<T> part(
      String name, Retried.Open<T> open, Retried.Check<T> check, Consumer<T> close) {
    return part(
        name,
        new Retried<>(open, check, close, means.clock(), System::nanoTime, !means.attended()),
        PartThread.CLOSE_NANOS);
  }

  // Opened anew after six hours, sessions would go by themselves for a while, policies forget,
  // knobs be put back and set again, and a shift be interrupted.
  private <T> PartThread<T> lasting(
      String name,
      Retried.Open<T> open,
      Retried.Check<T> check,
      Consumer<T> close,
      long closeNanos) {
    return part(
        name,
        new Retried<>(open, check, close, means.clock(), System::nanoTime, false),
        closeNanos);
  }

  private <T> PartThread<T> part(String name, Retried<T> retried, long closeNanos) {
    return new PartThread<>(
        spec.name() + " " + name,
        means.attended() ? retried.once() : retried,
        this::tell,
        closeNanos);
  }

  /** The sessions of its applications; empty unless the file says that they are governed. */
  Optional<ClusterSessions> sessions() {
    return sessions;
  }

  /** What is to be done to it. */
  ServiceSpec.Cluster spec() {
    return spec;
  }

  private ClusterObserver observe() throws InterruptedException {
    return ClusterObserver.start(reach(), spec.power(), spec.periodNanos(), account);
  }

  private Target reach() {
    return spec.store()
        .kind()
        .reach(spec.store(), Profiles.byName(Profiles.DEFAULT).orElseThrow(), means.base());
  }

  /** One that is gone is reached anew: nobody observes what does not answer. */
  private Optional<String> look(ClusterObserver observer, long nowNanos) {
    observer.tick(nowNanos);
    long silent = observer.silentNanos(nowNanos);
    if (!means.attended() && silent > Math.max(SILENT_NANOS, 3 * spec.periodNanos())) {
      throw new FailedWorkException(
          "no node has answered for " + TimeUnit.NANOSECONDS.toSeconds(silent) + " s",
          spec.name(),
          "start the cluster, or fix the way to it");
    }
    List<String> problems = observer.problems();
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  private PromiseWatch promise() {
    return PromiseWatch.start(
        PromiseSources.of(spec, reach(), SessionPromises.of(sessions)),
        promises,
        spec.periodNanos());
  }

  private static Optional<String> measures(PromiseWatch watch, long nowNanos) {
    watch.tick(nowNanos);
    List<String> problems = watch.problems();
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  /** All that is done to it, each part on a thread of its own. */
  private List<PartThread<?>> parts() {
    List<PartThread<?>> parts = new ArrayList<>();
    control.ifPresent(parts::add);
    gear.ifPresent(parts::add);
    considering.ifPresent(parts::add);
    promising.ifPresent(parts::add);
    serving.ifPresent(parts::add);
    if (!means.attended()) {
      parts.add(observing);
    }
    return parts;
  }

  /** Begins, unless it was asked to end before; does not wait. */
  void start() {
    promises.begin(System.nanoTime());
    promised();
    parts().forEach(PartThread::start);
  }

  /**
   * Completes when control, gear, policies and promises have begun or failed once: why the cluster
   * refuses the file's wish.
   */
  CompletableFuture<Optional<BadRequestException>> first() {
    return first(control)
        .thenCombine(first(gear), (one, other) -> one.isPresent() ? one : other)
        .thenCombine(first(considering), (one, other) -> one.isPresent() ? one : other)
        .thenCombine(first(promising), (one, other) -> one.isPresent() ? one : other);
  }

  private static CompletableFuture<Optional<BadRequestException>> first(
      Optional<? extends PartThread<?>> part) {
    return part.isPresent()
        ? part.get().first()
        : CompletableFuture.completedFuture(Optional.empty());
  }

  /** Reports what is wrong when it changes. */
  private synchronized void tell() {
    if (!observing.state().works()) {
      account.lost(System.nanoTime());
    }
    String now =
        Stream.of(
                problem(control, ""),
                problem(gear, ""),
                problem(Optional.of(observing).filter(parts()::contains), "observing: "),
                problem(promising, "promises: "),
                problem(considering, "considering: "),
                problem(serving, "sessions: "))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    if (failure().isPresent()) {
      return; // It ends by that, which is reported then.
    }
    if (!now.equals(told)) {
      Consumer<String> news = now.isEmpty() ? means.news() : means.news()::trouble;
      news.accept(spec.name() + ": " + (now.isEmpty() ? "all is well" : now));
    }
    told = now;
  }

  private static Optional<String> problem(Optional<? extends PartThread<?>> part, String before) {
    return part.flatMap(each -> each.state().trouble()).map(why -> before + why);
  }

  /** How it stands. */
  ClusterState state() {
    return new ClusterState(
        spec.name(),
        spec.store().engine(),
        observing.state().once(account.isAnswered()),
        Stream.<Optional<? extends PartThread<?>>>of(control, gear, serving)
            .flatMap(Optional::stream)
            .map(PartThread::state)
            .reduce(ClusterState.Part::and),
        knobs.knobs().stream().map(this::ordered).toList(),
        account.figures(knobs.saving(), knobs.roles()),
        considering.map(part -> new ClusterState.Considered(part.state(), considered.knobs())),
        promising.map(part -> promises(part.state(), System.nanoTime())),
        ofAll());
  }

  private ClusterState.Knob ordered(ClusterState.Knob knob) {
    Optional<ClusterOrders.InForce> inForce = orders.inForce(knob.knob());
    Optional<String> barred = orders.barredNow(knob.knob());
    return knob.with(
        new ClusterState.Order(
            inForce.isPresent()
                ? inForce.get().value()
                : barred.isEmpty() ? knob.value() : Optional.empty(),
            orders.ofKnob(knob.knob()),
            inForce.flatMap(ClusterOrders.InForce::problem),
            barred,
            OrderLimits.canHold(spec, knob.knob())));
  }

  private ClusterState.Orders ofAll() {
    Optional<Ordered> pause = orders.pause();
    long barred =
        pause.isEmpty()
            ? 0
            : means
                .notes()
                .decisions()
                .of(
                    spec.name(),
                    0,
                    each -> each.barred().isPresent() && !each.at().isBefore(pause.get().begun()),
                    Integer.MAX_VALUE)
                .size();
    return new ClusterState.Orders(pause, barred, orders.plans(), knobs.shiftLines());
  }

  private ClusterState.Promises promises(ClusterState.Part part, long nowNanos) {
    Map<String, Ordered> changed = new HashMap<>();
    for (Promised each : spec.promise().limits().keySet()) {
      orders.ofPromise(each.word()).ifPresent(order -> changed.put(each.word(), order));
    }
    return new ClusterState.Promises(
        part, promises.states(nowNanos), promises.levels(nowNanos), changed);
  }

  /** What operators have ordered of it. */
  ClusterOrders orders() {
    return orders;
  }

  private void promised() {
    promises.limits(each -> OrderLimits.ordered(spec, orders, each));
  }

  /** Why its control or its gear failed; empty if neither did, or they are tried again. */
  Optional<Throwable> failure() {
    return Stream.of(control, gear)
        .flatMap(Optional::stream)
        .flatMap(part -> part.failure().stream())
        .filter(why -> means.attended())
        .findFirst();
  }

  /** Whether it is looked after. */
  boolean isAlive() {
    return parts().stream().allMatch(PartThread::isAlive);
  }

  /** Asks it to end; does not wait. */
  void stop() {
    stopping = true;
    hearing.close();
    parts().forEach(PartThread::stop);
  }

  /**
   * {@inheritDoc}
   *
   * @throws CalandoException if a knob is not as before
   */
  @Override
  public void close() {
    stop();
    Closing.all(parts().stream().<AutoCloseable>map(part -> part::close).toList());
  }
}
