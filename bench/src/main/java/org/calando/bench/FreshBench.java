package org.calando.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.calando.control.ControlLoop;
import org.calando.control.DeferringSession;
import org.calando.control.HeldBuffer;
import org.calando.control.Lease;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.BufferState;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.FailedWrite;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.store.WriteBuffering;
import org.calando.core.time.RealTimeScheduler;

/*
 * Writes come at random at a rate that steps, and stops, whatever becomes of those before (open loop). Freshness is counted
 * from the call of a put until the server has acknowledged it, over all writes of a phase, the first second after a
 * step included; the lateness of calls behind their intended times (99th percentile) is added to it for the verdict. Promises are tried one after another on one cluster.
 */
/** Whether promises of freshness are kept on a real HBase while the rate of writes steps. */
public final class FreshBench {
  private static final int SLOTS = 2048;
  private static final String RATES = "50,5000,50,0,5000,500,0,50";

  private final HBaseBed bed;
  private final PrintWriter decisions;
  private final int seconds;
  private final double[] rates;
  private final SplittableRandom random;
  private final AtomicLong versions = new AtomicLong(1_000_000_000);
  private final AtomicLong errors = new AtomicLong();
  private volatile Optional<String> notToBeHad = Optional.empty();
  private final MarkdownTable table =
      new MarkdownTable(
          "promise",
          "phase",
          "rate/s",
          "writes",
          "p50 ms",
          "p99 ms",
          "longest ms",
          "kept",
          "writes a request",
          "most at risk");
  private final Histogram lateness = new Histogram(3);
  private int broken;

  private FreshBench(HBaseBed bed, int seconds, double[] rates, long seed, PrintWriter decisions) {
    this.bed = bed;
    this.rates = rates;
    this.decisions = decisions;
    this.seconds = seconds;
    this.random = new SplittableRandom(seed);
  }

  /**
   * {@code FreshBench [SECONDS_A_PHASE=15] [SEED=1] [MILLIS,..=100,500,2000] [MOST_AT_RISK=any]
   * [RATES=50,5000,50,0,5000,500,0,50] [BESIDE=0]}. What the policy saw and decided goes to the
   * file that {@code calando.bench.decisions} names. Beside it a share of all cores may be busy
   * with something else.
   */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 15;
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : 1;
    String promises = arguments.length > 2 ? arguments[2] : "100,500,2000";
    long risk =
        arguments.length > 3 && !arguments[3].equals("any")
            ? Long.parseLong(arguments[3])
            : FreshPromise.ANY;
    double[] rates =
        Arrays.stream((arguments.length > 4 ? arguments[4] : RATES).split(",", -1))
            .mapToDouble(Double::parseDouble)
            .toArray();
    double beside = arguments.length > 5 ? Double.parseDouble(arguments[5]) : 0;
    System.out.println("seed " + seed + "; " + OtherWork.machine());
    Path decisions = Path.of(System.getProperty("calando.bench.decisions", "/dev/null"));
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(decisions), true);
        HBaseBed bed = HBaseBed.start(2, "fresh")) {
      FreshBench bench = new FreshBench(bed, seconds, rates, seed, out);
      bench.warmUp();
      OtherWork.begin(beside, seed);
      for (String millis : promises.split(",", -1)) {
        bench.promise(new FreshPromise(Long.parseLong(millis) * 1_000_000, risk));
      }
      System.out.println(bench.table);
      if (out.checkError()) {
        System.err.println("cannot write all of " + decisions);
      }
      System.out.println(
          OtherWork.machine()
              + "; "
              + bench.broken
              + " phases broke their promise; "
              + bench.errors.get()
              + " writes failed");
      System.exit(bench.broken == 0 && bench.errors.get() == 0 ? 0 : 1);
    }
  }

  /** JVMs that have just started are late for reasons of their own. */
  private void warmUp() throws InterruptedException {
    SessionRequest deferred = SessionRequest.of(SLOTS).writes(WriteBuffering.deferred(64_000));
    try (Session session = bed.store().open(deferred)) {
      send(session, slots(), 5000, 10);
    }
  }

  private static BlockingQueue<Integer> slots() {
    BlockingQueue<Integer> free = new ArrayBlockingQueue<>(SLOTS);
    for (int i = 0; i < SLOTS; i++) {
      free.add(i);
    }
    return free;
  }

  private void promise(FreshPromise promise) throws InterruptedException {
    FreshBufferPolicy policy = new FreshBufferPolicy(promise, FreshLimits.DEFAULT);
    SessionRequest request = SessionRequest.of(SLOTS).failedWrites(this::failed);
    try (Session session = bed.store().open(request)) {
      BufferedWrites writes = session.find(BufferedWrites.class).orElseThrow();
      BufferKnob knob = new BufferKnob(writes, "fresh", true, false);
      notToBeHad = Optional.empty();
      try (Lease lease = Lease.ofProcess("bench");
          RealTimeScheduler scheduler = new RealTimeScheduler("fresh");
          ControlLoop<?> loop =
              HeldBuffer.start(
                  scheduler,
                  policy,
                  knob.target(),
                  new DeferringSession(writes, knob, promise.mostAtRisk(), lease),
                  this::decided)) {
        phases(promise, session, writes);
        loop.failure().ifPresent(why -> System.out.println("failed: " + why));
        System.out.println(notToBeHad.orElse(promise.text() + " may be kept here"));
      }
    }
  }

  private void failed(FailedWrite write) {
    if (errors.getAndIncrement() == 0) {
      System.out.println("first write that failed: " + write);
    }
  }

  private void decided(HeldBuffer.Decided decided) {
    notToBeHad = decided.notToBeHad();
    BufferState state = (BufferState) decided.decision().step().state();
    BufferObservation seen = decided.decision().signals().get(BufferObservation.WRITES);
    decisions.printf(
        Locale.ROOT,
        "%.2f s: %s; fresh %s ms p99; correction %.2f; %d at risk%n",
        seen.atNanos() / 1e9,
        String.join("; ", decided.decision().step().reasons()),
        seen.freshness().map(fresh -> millis((long) fresh.p99Nanos())).orElse("?"),
        state.correction(),
        seen.atRisk());
  }

  private void phases(FreshPromise promise, Session session, BufferedWrites writes)
      throws InterruptedException {
    BlockingQueue<Integer> free = slots();
    for (int phase = 0; phase < rates.length; phase++) {
      writes.beginWindow();
      lateness.reset();
      send(session, free, rates[phase], seconds);
      row(promise, phase, writes.figures());
    }
  }

  private void row(FreshPromise promise, int phase, DeferralFigures figures) {
    // Whoever calls late, for want of a slot, would hide what writes waited before their call.
    boolean kept =
        figures.freshness99Nanos() + late99() <= promise.freshNanos() && figures.visible() > 0;
    broken += kept || figures.visible() == 0 ? 0 : 1;
    table.add(
        promise.text(),
        String.valueOf(phase + 1),
        String.format(Locale.ROOT, "%.0f", rates[phase]),
        String.valueOf(figures.visible()),
        millis(figures.freshness50Nanos()),
        millis(figures.freshness99Nanos()),
        millis(figures.freshnessMaxNanos()),
        figures.visible() == 0 ? "" : kept ? "yes" : "NO",
        figures.flushes() == 0
            ? ""
            : String.format(Locale.ROOT, "%.0f", (double) figures.visible() / figures.flushes()),
        String.valueOf(figures.mostAtRisk()));
    System.out.printf(
        Locale.ROOT,
        "%s, phase %d, %.0f/s: p99 %s ms%n",
        promise.text(),
        phase + 1,
        rates[phase],
        millis(figures.freshness99Nanos()));
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / 1e6);
  }

  private void send(
      Session session, BlockingQueue<Integer> free, double perSecond, int phaseSeconds)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(phaseSeconds);
    long next = System.nanoTime();
    while (perSecond > 0) {
      next += (long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond);
      if (next > end) {
        break;
      }
      awaitTime(next);
      int slot = free.take();
      lateness.recordValue(Math.max(0, System.nanoTime() - next));
      write(session, free, slot);
    }
    awaitTime(end);
  }

  /** How late writes were called after their intended times, at the 99th percentile. */
  private long late99() {
    return lateness.getTotalCount() == 0 ? 0 : lateness.getValueAtPercentile(99);
  }

  private void write(Session session, BlockingQueue<Integer> free, int place) {
    session.write(
        place,
        random.nextInt(HBaseBed.KEYS),
        0,
        HBaseBed.VALUE_BYTES,
        versions.incrementAndGet(),
        ConsistencyLevel.ONE,
        (ended, outcome, version) -> {
          if (outcome != Outcome.OK) {
            errors.incrementAndGet();
          }
          free.add(ended);
        });
  }

  private static void awaitTime(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }
}
