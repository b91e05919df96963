package org.calando.power;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.energy.EnergyAccount;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/*
 * Nodes are read at whole intervals after the start, and at the edges of phases too where that takes
 * microseconds. A meter on a slow line is only asked at whole intervals, and nobody waits for it at an
 * edge: phases are accounted for at the end, when readings on both sides of every edge are there.
 *
 *     start       mark                    stop
 *       |-----|-----|--|-----|-----|-----|--|
 *       0     1     2  3 ...
 *
 * A tick that comes within a quarter of an interval after a reading is left out: CPU time in clock
 * ticks says nothing about so short a time.
 */

/**
 * Asks every node of a cluster once per interval, all at once and with a deadline within it, on a
 * daemon thread of its own, and accounts for the energy of phases. Thread safe; samplings never
 * overlap. Holds 48 bytes a node and reading until it is dropped, unless it is one {@link #ofRows}.
 *
 * <p>A node that cannot be read is a gap in its rows, named in the phase's problems; where the
 * meter counts energy itself, the account has no gap unless an edge of a phase falls into that
 * time. A listener that throws is told no more, and its exception is thrown by {@link #mark} and
 * {@link #stop}.
 */
public final class Sampler implements AutoCloseable {
  /** The interval where none is given: one second. */
  public static final long DEFAULT_INTERVAL_NANOS = 1_000_000_000L;

  private static final long JOIN_SECONDS = 5;

  private static final double DEADLINE_SHARE = 0.8;
  private static final long LONGEST_FOLLOW_UP_NANOS = 60_000_000_000L;

  private final Meter meter;
  private final UsageSource usage;
  private final SampleListener listener;
  private final Ticker ticker;
  private final long intervalNanos;
  private final long renewalNanos;
  private final boolean immediate;
  private final List<NodeTrack> tracks = new ArrayList<>();
  private final ReadingProblems problems = new ReadingProblems();
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final List<Span> spans = new ArrayList<>();
  private final Thread thread;

  /** Held while nodes are asked; taken before the sampler's own lock, which nobody waits in. */
  private final Object reading = new Object();

  private State state = State.NEW;
  private String phase = "";
  private long startedNanos;
  private long phaseStartNanos;
  private long lastSampleNanos;
  private long ownCpuNanos;
  private long cpuAtPhaseStartNanos;
  private @Nullable RuntimeException failure;

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  /** A phase that has ended and is still to be accounted for. */
  private record Span(
      String phase, long startNanos, long endNanos, double cpuSeconds, List<String> problems) {}

  /**
   * A sampler that has not started.
   *
   * @param meter tells energy; it is read by this sampler only, and not closed by it
   * @param usage tells CPU time and more of the hosts
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
    this(meter, usage, nodes, listener, ticker, intervalNanos, true);
  }

  /**
   * One that only tells rows, for as long as it likes: it remembers no readings, and accounts for
   * no phases, so that {@link #stop} is not for it.
   */
  public static Sampler ofRows(
      Meter meter,
      UsageSource usage,
      List<MeteredNode> nodes,
      SampleListener listener,
      Ticker ticker,
      long intervalNanos) {
    return new Sampler(meter, usage, nodes, listener, ticker, intervalNanos, false);
  }

  private Sampler(
      Meter meter,
      UsageSource usage,
      List<MeteredNode> nodes,
      SampleListener listener,
      Ticker ticker,
      long intervalNanos,
      boolean accounts) {
    if (intervalNanos <= 0) {
      throw new IllegalArgumentException("the interval must be above 0, not " + intervalNanos);
    }
    this.meter = meter;
    this.usage = usage;
    this.listener = listener;
    this.ticker = ticker;
    this.intervalNanos = intervalNanos;
    immediate = meter.immediate() && usage.immediate();
    renewalNanos = Math.max(meter.info().renewalNanos(), usage.renewalNanos());
    long longest = SourceMeter.longestStep(intervalNanos, renewalNanos);
    for (int i = 0; i < nodes.size(); i++) {
      MeteredNode node = nodes.get(i);
      @Nullable EnergyAccount account =
          accounts ? new EnergyAccount(node.name(), node.profile(), longest) : null;
      tracks.add(new NodeTrack(i, node, meter, usage, problems, account));
    }
    thread = DaemonThread.of("calando-sampler", this::run);
  }

  /**
   * Reads every node, opens the first phase and starts the thread; once only.
   *
   * @throws InterruptedException if the thread was interrupted while it waited for the nodes
   */
  public void start(String firstPhase) throws InterruptedException {
    synchronized (this) {
      require(State.NEW);
      state = State.RUNNING;
      startedNanos = ticker.nanos();
      lastSampleNanos = startedNanos;
      phase = firstPhase;
    }
    synchronized (reading) {
      readAll(false);
    }
    synchronized (this) {
      // Not before the readings, which would leave the moment until them uncovered.
      phaseStartNanos = ticker.nanos();
      cpuAtPhaseStartNanos = samplingCpuNanos();
      thread.start();
    }
  }

  /** Ends the phase under way and begins the next; does not wait for a slow line. */
  public void mark(String nextPhase) {
    readEdge();
    synchronized (this) {
      require(State.RUNNING);
      endPhase(nextPhase);
      throwFailure();
    }
  }

  /**
   * Ends the last phase, waits until readings reach the end of the phase before it, at most for a
   * few renewals of the instruments' figures, and stops the thread.
   *
   * @return every phase, in order; net energy is still unknown ({@link PhaseEnergy#above})
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  public List<PhaseEnergy> stop() throws InterruptedException {
    readEdge();
    long ended;
    synchronized (this) {
      require(State.RUNNING);
      endPhase("");
      ended = spans.size() > 1 ? spans.get(spans.size() - 2).endNanos() : Long.MIN_VALUE;
    }
    followUp(ended);
    close();
    synchronized (this) {
      throwFailure();
      return spans.stream().map(this::account).toList();
    }
  }

  /** Instruments tell of a time only afterwards. */
  private void followUp(long endNanos) throws InterruptedException {
    long patience =
        Math.min(LONGEST_FOLLOW_UP_NANOS, 2 * SourceMeter.longestStep(intervalNanos, renewalNanos));
    long giveUpNanos = ticker.nanos() + patience;
    while (!immediate && ticker.nanos() < giveUpNanos) {
      synchronized (reading) {
        if (tracks.stream().allMatch(track -> track.reaches(endNanos))) {
          return;
        }
        readAll(false);
      }
      ticker.awaitUntil(Math.min(giveUpNanos, ticker.nanos() + intervalNanos / 4));
    }
  }

  /** Reads every node for the edge of a phase, unless that would take time. */
  private void readEdge() {
    synchronized (this) {
      require(State.RUNNING);
    }
    if (!immediate) {
      return;
    }
    synchronized (reading) {
      try {
        readAll(true);
      } catch (InterruptedException e) {
        // The edge is accounted for by the readings around it.
        Thread.currentThread().interrupt();
      }
    }
  }

  private void endPhase(String nextPhase) {
    long now = ticker.nanos();
    long cpu = samplingCpuNanos();
    double seconds = (cpu - cpuAtPhaseStartNanos) / 1e9;
    spans.add(new Span(phase, phaseStartNanos, now, seconds, problems.drain()));
    phase = nextPhase;
    phaseStartNanos = now;
    cpuAtPhaseStartNanos = cpu;
  }

  private PhaseEnergy account(Span span) {
    List<NodeEnergy> nodes = new ArrayList<>(tracks.size());
    tracks.forEach(track -> nodes.add(track.between(span.startNanos(), span.endNanos())));
    return new PhaseEnergy(
        span.phase(),
        span.startNanos(),
        span.endNanos(),
        EnergySummary.of(nodes),
        span.cpuSeconds(),
        span.problems());
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
  void tick() throws InterruptedException {
    synchronized (reading) {
      boolean due;
      synchronized (this) {
        long sinceNanos = ticker.nanos() - lastSampleNanos;
        due = state == State.RUNNING && sinceNanos >= intervalNanos / 4;
      }
      if (due) {
        readAll(true);
      }
    }
  }

  private long nextDueNanos() {
    long notBeforeNanos = Math.max(ticker.nanos(), lastSampleNanos + intervalNanos / 4);
    long intervals = (notBeforeNanos - startedNanos) / intervalNanos + 1;
    return startedNanos + intervals * intervalNanos;
  }

  private void readAll(boolean tell) throws InterruptedException {
    long cpuBefore = threadCpuNanos();
    long nowNanos = ticker.nanos();
    long deadlineNanos = nowNanos + (long) (DEADLINE_SHARE * intervalNanos);
    Refresh energy = meter.refresh(deadlineNanos);
    Refresh used = usage.refresh(deadlineNanos);
    // Usage first: the meter may divide a machine's energy by it.
    used.await();
    energy.await();
    tellAll(nowNanos, tell);
    synchronized (this) {
      ownCpuNanos += threadCpuNanos() - cpuBefore;
    }
  }

  private synchronized void tellAll(long nowNanos, boolean tell) {
    long middleNanos = lastSampleNanos + (nowNanos - lastSampleNanos) / 2;
    long second = (middleNanos - startedNanos) / 1_000_000_000L;
    for (NodeTrack track : tracks) {
      try {
        SampleRow row = track.sample(second, phase);
        if (tell && nowNanos > lastSampleNanos && failure == null) {
          listener.row(row);
        }
      } catch (RuntimeException e) {
        // Kept for the caller of mark or stop: nobody looks at the sampling thread.
        failure = failure == null ? e : failure;
      }
    }
    lastSampleNanos = nowNanos;
  }

  private long samplingCpuNanos() {
    return ownCpuNanos + meter.ownCpuNanos() + usage.ownCpuNanos();
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
