package org.calando.power;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.jspecify.annotations.Nullable;

/*
 * Time is cut at whole intervals after the start and at the edges of phases, where every node is
 * read on the caller's thread: a phase's energy is that between its own two readings, not between
 * the nearest ticks.
 *
 *     start       mark                    stop
 *       |-----|-----|--|-----|-----|-----|--|
 *       0     1     2  3 ...
 *
 * A tick that comes within a quarter of an interval after a reading is left out: CPU time in clock
 * ticks says nothing about so short a time.
 */

/**
 * Reads every node of a cluster once per interval, on a daemon thread of its own, and accounts for
 * the energy of phases. Thread safe; samplings never overlap.
 *
 * <p>A node that cannot be read is a gap in its rows and account, named in the phase's problems. A
 * listener that throws is told no more, and its exception is thrown by {@link #mark} and {@link
 * #stop}.
 */
public final class Sampler implements AutoCloseable {
  /** The interval where none is given: one second. */
  public static final long DEFAULT_INTERVAL_NANOS = 1_000_000_000L;

  private static final long JOIN_SECONDS = 5;

  private final SampleListener listener;
  private final Ticker ticker;
  private final long intervalNanos;
  private final List<NodeTrack> tracks = new ArrayList<>();
  private final ReadingProblems problems = new ReadingProblems();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final Thread thread;

  private Baseline baseline;
  private State state = State.NEW;
  private String phase = "";
  private long startedNanos;
  private long phaseStartNanos;
  private long lastSampleNanos;
  private long ownCpuNanos;
  private @Nullable RuntimeException failure;

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  /**
   * A sampler that has not started.
   *
   * @param meter tells energy; it is read by this sampler only, and not closed by it
   * @param usage tells CPU time and memory
   * @param nodes the nodes, in the meter's order
   * @param listener told every row
   * @param ticker the meter's clock
   * @param intervalNanos time between two readings of a node, above 0
   */
  public Sampler(
      Meter meter,
      UsageSource usage,
      List<MeteredNode> nodes,
      SampleListener listener,
      Ticker ticker,
      long intervalNanos) {
    if (intervalNanos <= 0) {
      throw new IllegalArgumentException("the interval must be above 0, not " + intervalNanos);
    }
    this.listener = listener;
    this.ticker = ticker;
    this.intervalNanos = intervalNanos;
    for (int i = 0; i < nodes.size(); i++) {
      tracks.add(new NodeTrack(i, nodes.get(i), meter, usage, problems));
    }
    baseline = Baseline.unknown(nodes.size());
    thread = new Thread(this::run, "calando-sampler");
    thread.setDaemon(true);
  }

  /** Sets the idle power that the phase under way and later ones are compared with. */
  public synchronized void baseline(Baseline newBaseline) {
    if (newBaseline.nodes() != tracks.size()) {
      throw new IllegalArgumentException(
          "a baseline of " + newBaseline.nodes() + " nodes for " + tracks.size());
    }
    baseline = newBaseline;
  }

  /** Reads every node, opens the first phase and starts the thread; once only. */
  public synchronized void start(String firstPhase) {
    require(State.NEW);
    state = State.RUNNING;
    startedNanos = ticker.nanos();
    phase = firstPhase;
    readAll(startedNanos, false);
    openPhase(firstPhase);
    thread.start();
  }

  /**
   * Reads every node, which ends the phase under way and begins the next.
   *
   * @return the phase that ended
   */
  public synchronized PhaseEnergy mark(String nextPhase) {
    require(State.RUNNING);
    readAll(ticker.nanos(), true);
    PhaseEnergy ended = closePhase();
    openPhase(nextPhase);
    throwFailure();
    return ended;
  }

  /**
   * Reads every node, which ends the last phase, and stops the thread.
   *
   * @return the phase that ended
   */
  public PhaseEnergy stop() {
    PhaseEnergy ended;
    synchronized (this) {
      require(State.RUNNING);
      readAll(ticker.nanos(), true);
      ended = closePhase();
      state = State.STOPPED;
    }
    close();
    synchronized (this) {
      throwFailure();
    }
    return ended;
  }

  /** Stops the thread without a last reading; harmless after {@link #stop}. */
  @Override
  public void close() {
    synchronized (this) {
      state = State.STOPPED;
      thread.interrupt();
    }
    boolean interrupted = false;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(JOIN_SECONDS));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      while (true) {
        long dueNanos;
        synchronized (this) {
          if (state != State.RUNNING) {
            return;
          }
          dueNanos = nextDueNanos();
        }
        ticker.awaitUntil(dueNanos);
        tick();
      }
    } catch (InterruptedException e) {
      // Only close() interrupts this thread: it ends.
    }
  }

  /** Samples now unless that was done a moment ago. */
  synchronized void tick() {
    long nowNanos = ticker.nanos();
    if (state == State.RUNNING && nowNanos - lastSampleNanos >= intervalNanos / 4) {
      readAll(nowNanos, true);
    }
  }

  private long nextDueNanos() {
    long notBeforeNanos = Math.max(ticker.nanos(), lastSampleNanos + intervalNanos / 4);
    long intervals = (notBeforeNanos - startedNanos) / intervalNanos + 1;
    return startedNanos + intervals * intervalNanos;
  }

  private void readAll(long nowNanos, boolean tell) {
    long cpuBefore = threadCpuNanos();
    long middleNanos = lastSampleNanos + (nowNanos - lastSampleNanos) / 2;
    long second = (middleNanos - startedNanos) / 1_000_000_000L;
    for (NodeTrack track : tracks) {
      try {
        SampleRow row = track.sample(nowNanos, second, phase);
        if (tell && nowNanos > lastSampleNanos && failure == null) {
          listener.row(row);
        }
      } catch (RuntimeException e) {
        // Kept for the caller of mark or stop: nobody looks at the sampling thread.
        failure = failure == null ? e : failure;
      }
    }
    lastSampleNanos = nowNanos;
    ownCpuNanos += threadCpuNanos() - cpuBefore;
  }

  private void openPhase(String name) {
    phase = name;
    phaseStartNanos = lastSampleNanos;
    ownCpuNanos = 0;
    tracks.forEach(track -> track.open(lastSampleNanos));
  }

  private PhaseEnergy closePhase() {
    List<NodeEnergy> nodes = new ArrayList<>(tracks.size());
    for (int i = 0; i < tracks.size(); i++) {
      nodes.add(tracks.get(i).close(lastSampleNanos, baseline.watts(i)));
    }
    return new PhaseEnergy(
        phase,
        phaseStartNanos,
        lastSampleNanos,
        EnergySummary.of(nodes),
        ownCpuNanos / 1e9,
        problems.drain());
  }

  private void require(State required) {
    if (state != required) {
      throw new IllegalStateException("the sampler is " + state + ", not " + required);
    }
  }

  private void throwFailure() {
    if (failure != null) {
      throw failure;
    }
  }

  private long threadCpuNanos() {
    return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
  }
}
