package org.calando.governor;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.clock.LeaseFolders;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.time.DaemonThread;
import org.calando.engine.Target;
import org.calando.study.KnobGovernor;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/*
 *   a thread a cluster:  observing  Retried: meter, requests  --> account
 *                        control    Retried: knobs, policies  --> journal of decisions
 *
 * Each of the two goes on while the other fails, and no cluster waits for another.
 */
/**
 * A cluster that is observed, and its knobs controlled where the file says so, until this is
 * closed; then they are as before. Thread safe.
 */
final class GovernedCluster implements AutoCloseable {
  private static final long LOOK_NANOS = 200_000_000L;
  private static final long CLOSE_SECONDS = 60;

  private final ServiceSpec.Cluster spec;
  private final Means means;
  private final KnobStates knobs;
  private final Retried<ClusterObserver> observing;
  private final Optional<Retried<KnobGovernor>> control;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile ClusterFigures figures = ClusterFigures.none("not observed yet");
  private volatile @Nullable RuntimeException closing;

  /**
   * What governing needs.
   *
   * @param base folder that relative paths of the file are relative to
   * @param folders where it is noted how knobs were
   * @param owner who has them, for others who are refused
   * @param decisions the folder of a cluster's decisions, by its name
   * @param news takes lines for people, from any thread
   * @param clock time of what is told
   */
  record Means(
      Path base,
      LeaseFolders folders,
      String owner,
      Function<String, Path> decisions,
      Consumer<String> news,
      InstantSource clock) {}

  GovernedCluster(ServiceSpec.Cluster spec, Means means) {
    this.spec = spec;
    this.means = means;
    this.knobs = new KnobStates(means.clock());
    this.observing =
        new Retried<>(
            this::observe, this::look, ClusterObserver::close, means.clock(), System::nanoTime);
    this.control =
        spec.control().axes().isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Retried<>(
                    this::control,
                    this::governs,
                    KnobGovernor::close,
                    means.clock(),
                    System::nanoTime));
  }

  /** What is to be done to it. */
  ServiceSpec.Cluster spec() {
    return spec;
  }

  private ClusterObserver observe() throws InterruptedException {
    Target cluster = reach();
    return ClusterObserver.start(cluster, spec.power(), spec.periodNanos());
  }

  private Target reach() {
    return spec.store()
        .kind()
        .reach(spec.store(), Profiles.byName(Profiles.DEFAULT).orElseThrow(), means.base());
  }

  private Optional<String> look(ClusterObserver observer, long nowNanos)
      throws InterruptedException {
    observer.tick(nowNanos);
    List<String> problems = observer.problems();
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  private KnobGovernor control() throws InterruptedException {
    // Before the policies, whose first decisions count; what is not begun has no knob in force.
    knobs.begin(spec.control());
    boolean begun = false;
    try {
      KnobGovernor governor =
          KnobGovernor.begin(
              spec,
              means.base(),
              means.folders(),
              means.owner(),
              means.decisions().apply(spec.name()),
              line -> means.news().accept(spec.name() + ": " + line),
              knobs);
      begun = true;
      return governor;
    } finally {
      if (!begun) {
        knobs.end();
      }
    }
  }

  private Optional<String> governs(KnobGovernor governor, long nowNanos) {
    Optional<String> failure = governor.failure();
    if (failure.isPresent()) {
      knobs.end();
      throw new FailedWorkException(
          failure.get(), spec.name(), "mend that; the knobs are put back meanwhile");
    }
    return Optional.empty();
  }

  /**
   * Begins to control it on this thread, so that a file that does not fit the cluster is seen at
   * once.
   *
   * @throws org.calando.core.BadRequestException if the cluster does not offer a knob, or it has
   *     another owner
   */
  void begin() throws InterruptedException {
    if (control.isPresent()) {
      try {
        control.get().begin();
      } catch (FailedWorkException e) {
        control.get().failed(Retried.words(e));
      }
    }
  }

  /** Goes on by itself from now on. */
  void start() {
    var unused = DaemonThread.start("calando-cluster-" + spec.name(), this::run);
  }

  private void run() {
    String told = "";
    try {
      do {
        if (control.isPresent()) {
          control.get().tick();
        }
        observing.tick();
        // Without an observer the last figures are nobody's any more.
        figures =
            observing
                .opened()
                .map(ClusterObserver::figures)
                .orElseGet(() -> ClusterFigures.none("not observed now"));
        told = tell(told);
      } while (!stop.await(LOOK_NANOS, TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      closing = new IllegalStateException("the thread of " + spec.name() + " ended: " + e, e);
      throw e;
    } finally {
      end();
    }
  }

  /** Reports what is wrong when it changes. */
  private String tell(String told) {
    ClusterState state = state();
    String now =
        Stream.of(
                state.control().flatMap(ClusterState.Part::problem),
                state.observing().problem().map(why -> "observing: " + why))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    if (!now.equals(told)) {
      means.news().accept(spec.name() + ": " + (now.isEmpty() ? "all is well" : now));
    }
    return now;
  }

  private void end() {
    try {
      try {
        if (control.isPresent()) {
          control.get().close();
        }
      } finally {
        observing.close();
      }
    } catch (RuntimeException e) {
      closing = e;
    } catch (Error e) {
      closing = new IllegalStateException("ending " + spec.name() + " failed: " + e, e);
      throw e;
    } finally {
      ended.countDown();
    }
  }

  /** How it stands. */
  ClusterState state() {
    return new ClusterState(
        spec.name(),
        spec.store().engine(),
        observing.state(),
        control.map(Retried::state),
        knobs.knobs(),
        figures);
  }

  /** The last decisions that changed something, the newest last. */
  List<Decided> decisions() {
    return knobs.decisions();
  }

  /** Whether its thread goes on. */
  boolean isAlive() {
    return ended.getCount() > 0;
  }

  /** Asks it to end; does not wait. */
  void stop() {
    stop.countDown();
  }

  /** Ends what has only begun, without a thread of its own. */
  void abandon() {
    stop();
    end();
    throwClosing();
  }

  /**
   * {@inheritDoc}
   *
   * @throws CalandoException if a knob is not as before
   */
  @Override
  public void close() {
    stop();
    try {
      if (!ended.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new FailedWorkException(
            "did not end within " + CLOSE_SECONDS + " s",
            spec.name(),
            "see ./calando restore, which restores what is leased");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException(
          "was not waited for",
          spec.name(),
          "see ./calando restore, which restores what is leased");
    }
    throwClosing();
  }

  private void throwClosing() {
    RuntimeException failed = closing;
    if (failed != null) {
      throw failed;
    }
  }
}
