package org.calando.study;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionJournal;
import org.calando.control.LoopListener;
import org.calando.control.Sensor;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Knob;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.store.Capable;
import org.calando.core.store.KnobNotes;
import org.calando.core.time.Scheduler;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.KnobTypes;
import org.calando.knob.Point;

/*
 *   held      own --> set                                                     --> as before
 *   policy    own --> ControlLoop: sensor, controller, decisions, set         --> as before
 */
/**
 * Knobs of a cluster that are found as services: each is set, or its policy sets it, while this is
 * open, and is as it was before when it is closed or the process ends in whatever way. Used by one
 * thread, but for its policies, which are the scheduler's.
 */
public final class KnobHolder implements AutoCloseable {
  private static final int MOST_DRIFTS = 1000;

  /** From one look whether knobs are still as they were set to the next, at least. */
  private static final long VERIFY_NANOS = 10_000_000_000L;

  /** Looks take one part of the time in so many, at most. */
  private static final int VERIFY_SHARE = 20;

  private final Capable cluster;
  private final Means means;
  private final KnobLease lease;
  private final List<ControlLoop<?>> loops = new ArrayList<>();
  private final List<KnobSetter<?>> setters = new CopyOnWriteArrayList<>();
  private final KnobOrders.Hearing hearing;
  private final Map<Knob<?>, List<String>> drifts = new ConcurrentHashMap<>();
  private final List<String> drifted = new CopyOnWriteArrayList<>();
  private final Map<Knob<?>, String> troubles = new ConcurrentHashMap<>();

  /** Whether orders are to be carried out at once, and those that failed again. */
  private final AtomicBoolean asked = new AtomicBoolean();

  private final AtomicBoolean again = new AtomicBoolean();
  private volatile boolean closed;

  /**
   * What is needed to set knobs.
   *
   * @param scheduler of policies; stays open
   * @param periodNanos from one decision to the next
   * @param folders where it is noted how knobs were; empty if none is set
   * @param owner who has them, for others who are refused
   * @param listener hears of decisions; empty if there is no policy
   * @param resumed folder whose last decisions policies resume from; empty if they begin anew
   * @param news takes lines for people, from any thread
   * @param notes where the cluster itself keeps how knobs were; empty if it does not
   * @param orders what an operator orders of knobs
   */
  public record Means(
      Scheduler scheduler,
      long periodNanos,
      Optional<LeaseFolders> folders,
      String owner,
      Optional<LoopListener> listener,
      Optional<Path> resumed,
      Consumer<String> news,
      Optional<? extends KnobNotes> notes,
      KnobOrders orders) {
    /** Of what this machine alone notes, and nobody orders anything of. */
    public Means(
        Scheduler scheduler,
        long periodNanos,
        Optional<LeaseFolders> folders,
        String owner,
        Optional<LoopListener> listener,
        Optional<Path> resumed,
        Consumer<String> news) {
      this(
          scheduler,
          periodNanos,
          folders,
          owner,
          listener,
          resumed,
          news,
          Optional.empty(),
          KnobOrders.NONE);
    }
  }

  private KnobHolder(Capable cluster, Means means) throws InterruptedException {
    this.cluster = cluster;
    this.means = means;
    this.lease =
        KnobLease.begin(means.folders().orElseThrow(), means.owner(), means.news(), means.notes());
    this.hearing = means.orders().onChange(this::ordered);
  }

  /**
   * Sets the knobs that a point has a value of, and has their policies decide from now on.
   *
   * @param where the knobs' keys stand in
   * @throws org.calando.core.BadRequestException if the cluster does not offer one, or it has
   *     another owner
   * @throws org.calando.core.FailedWorkException if one cannot be set; all are as before then
   */
  public static KnobHolder start(Point point, String where, Capable cluster, Means means)
      throws InterruptedException {
    KnobHolder started = new KnobHolder(cluster, means);
    boolean all = false;
    try {
      for (KnobAxis<?> knob : of(point)) {
        started.begin(knob, point, where);
      }
      started.verifyLater(VERIFY_NANOS);
      all = true;
      return started;
    } finally {
      if (!all) {
        started.close();
      }
    }
  }

  /** Those that a point has a value of. */
  public static List<KnobAxis<?>> of(Point point) {
    return KnobTypes.all().stream().filter(knob -> point.axes().contains(knob.axis())).toList();
  }

  /** What decides on a knob; empty if a value is held, or nothing is set. */
  static <V> Optional<Controller<?>> controller(KnobAxis<V> knob, Point point) {
    return point.find(knob.axis()).flatMap(KnobChoice::controller);
  }

  private <V> void begin(KnobAxis<V> axis, Point point, String where) throws InterruptedException {
    KnobChoice<V> choice = point.get(axis.axis());
    Knob<V> knob = axis.bind(cluster, where + "." + axis.axis());
    lease.own(knob);
    drifts.put(knob, List.of());
    KnobSetter<V> setter =
        new KnobSetter<>(
            axis, knob, choice.held(), new KnobSetter.Means(means, lease, this::verify, troubles));
    setters.add(setter);
    setter.obey();
    if (choice.held().isEmpty()) {
      loops.add(loop(axis, knob, setter, choice.controller().orElseThrow()));
    }
  }

  private <V, S> ControlLoop<S> loop(
      KnobAxis<V> axis, Knob<V> knob, KnobSetter<V> setter, Controller<S> controller) {
    Sensor sensor = sensor(axis, cluster, knob);
    return ControlLoop.looking(means.scheduler(), policy(controller, knob.target()), sensor, setter)
        .periodNanos(means.periodNanos())
        .listener(means.listener().orElseThrow())
        .start();
  }

  /** What policies of a knob decide from. */
  public static <V> Sensor sensor(KnobAxis<V> axis, Capable cluster, Knob<V> knob) {
    return axis.type()
        .sensor(cluster, knob)
        .orElseThrow(
            () ->
                new BadRequestException(
                    "the cluster offers nothing that policies of " + axis.axis() + " decide from",
                    axis.axis().name(),
                    "write a value"));
  }

  private <S> PolicyLoop<S> policy(Controller<S> controller, String target) {
    return means.resumed().isEmpty()
        ? new PolicyLoop<>(controller, target)
        : policy(controller, target, means.resumed().get(), means.news()).loop();
  }

  /** What decides from where a folder's last decision ended; changes nothing. */
  public static <S> DecisionJournal.Resumed<S> policy(
      Controller<S> controller, String target, Path decisions, Consumer<String> news) {
    DecisionJournal.Resumed<S> resumed = DecisionJournal.resume(decisions, controller, target);
    news.accept(controller.name() + " " + resumed.words());
    return resumed;
  }

  /** Orders have changed: they are carried out by the policies' thread; what fails, each period. */
  private void ordered() {
    obeyLater(asked, 0);
  }

  /** One task at a time of each kind, however many orders there are. */
  private void obeyLater(AtomicBoolean waits, long nanos) {
    if (waits.compareAndSet(false, true)) {
      try {
        means
            .scheduler()
            .at(
                means.scheduler().clock().nanos() + nanos,
                () -> {
                  waits.set(false);
                  obey();
                });
      } catch (RejectedExecutionException e) {
        // It ends, and knobs go back.
        waits.set(false);
      }
    }
  }

  private void obey() {
    if (closed) {
      return;
    }
    long failed = setters.stream().filter(setter -> !setter.tryToObey()).count();
    if (failed > 0) {
      obeyLater(again, means.periodNanos());
    }
  }

  private void verifyLater(long nanos) {
    means.scheduler().at(means.scheduler().clock().nanos() + nanos, this::verify);
  }

  /** Sets again what others changed, such as a node that has started again, and reports it. */
  private void verify() {
    if (closed) {
      return;
    }
    long begun = means.scheduler().clock().nanos();
    setters.stream().filter(KnobSetter::isSet).forEach(setter -> verify(setter.knob()));
    long took = means.scheduler().clock().nanos() - begun;
    verifyLater(Math.max(VERIFY_NANOS, VERIFY_SHARE * took));
  }

  private void verify(Knob<?> knob) {
    List<String> found = verified(knob);
    if (!found.equals(drifts.put(knob, found))) {
      found.forEach(this::drifted);
    }
  }

  private List<String> verified(Knob<?> knob) {
    try {
      return lease.verify(knob);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of("the verification was interrupted");
    } catch (RuntimeException e) {
      // Whatever a client of a cluster throws: it is looked at again.
      return List.of("knob " + knob.id().name() + " of " + knob.target() + ": " + e);
    }
  }

  private void drifted(String line) {
    if (drifted.size() < MOST_DRIFTS) {
      drifted.add(line);
    }
    means.news().accept(line);
  }

  /** The first thousand of what others changed, or could not be read, in words, in their order. */
  public List<String> drifts() {
    return List.copyOf(drifted);
  }

  /**
   * What was not as it was set when it was looked at last, and why policies do not decide or are
   * not obeyed now, in words; of any thread.
   */
  public List<String> astray() {
    return Stream.concat(drifts.values().stream().flatMap(List::stream), troubles.values().stream())
        .toList();
  }

  /** Why a policy decides no more; empty if all do. */
  public Optional<String> failure() {
    return loops.stream()
        .flatMap(loop -> loop.failure().stream())
        .findFirst()
        .map(why -> Objects.toString(why.getMessage(), why.toString()));
  }

  /** Decides no more; the knobs are as they were before. */
  @Override
  public void close() {
    closed = true;
    hearing.close();
    try (lease) {
      loops.forEach(ControlLoop::close);
    }
  }
}
