package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.calando.control.ControlLoop;
import org.calando.control.LoopListener;
import org.calando.control.ShiftActor;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.Scheduler;
import org.calando.study.StopSignal;

/*
 * A shift is carried out on a thread of its own, so that the end of the command need not wait for it: it is interrupted, and
 * its plan stays open.
 */
/**
 * Runs a loop that shifts nodes until the command is to end, and prints what it does: what changes,
 * and how it stands each minute. Thread safe.
 *
 * @param <V> what is shifted
 */
abstract class GovernorWatch<V> implements LoopListener {
  private static final long STATUS_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long END_SECONDS = 60;
  private static final int DRY_LOOKS = 2;

  private final boolean json;
  private final boolean dryRun;
  private final PrintStream out;
  private final CompletableFuture<Void> enough = new CompletableFuture<>();
  private long told = System.nanoTime() - STATUS_NANOS;
  private String wrong = "";
  private int looks;

  /** Work that a user may interrupt. */
  @FunctionalInterface
  interface Work {
    /** Does it. */
    void run() throws InterruptedException;
  }

  /** Begins a loop. */
  @FunctionalInterface
  interface Begin {
    /**
     * Begins.
     *
     * @param executor carries out one thing after the other
     */
    ControlLoop<?> begin(Scheduler scheduler, Executor executor, GovernorJournal journal)
        throws InterruptedException;
  }

  GovernorWatch(boolean json, boolean dryRun, PrintStream out) {
    this.json = json;
    this.dryRun = dryRun;
    this.out = out;
  }

  /**
   * Does work until it ends, or the command is to.
   *
   * @param resume how a shift that was under way is resumed
   * @throws CalandoException if it fails, such as a shift: the plan is open
   */
  final void until(StopSignal stop, String resume, Work work) throws InterruptedException {
    Thread caller = Thread.currentThread();
    StopSignal.Registration registration = stop.onRequest(caller::interrupt);
    try {
      work.run();
    } catch (InterruptedException | CalandoException e) {
      if (!stop.isRequested()) {
        throw e;
      }
      line("ended; a shift that was under way is resumed by " + resume);
    } finally {
      registration.close();
    }
  }

  /**
   * Runs a loop; a dry run ends after two looks, of which the second knows the load.
   *
   * @param decisions where they are noted, and from where it resumes
   * @param owner in words for another governor, which is refused
   */
  final void run(Path decisions, String owner, Begin begin) throws InterruptedException {
    ExecutorService executor =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "calando-shift");
              thread.setDaemon(true);
              return thread;
            });
    try (GovernorJournal journal = GovernorJournal.of(decisions, owner, dryRun, this::line);
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-governor")) {
      try (ControlLoop<?> loop = begin.begin(scheduler, executor, journal)) {
        await(CompletableFuture.anyOf(loop.end().toCompletableFuture(), enough));
      } finally {
        executor.shutdownNow();
        var unused = executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  private static void await(CompletableFuture<?> end) throws InterruptedException {
    try {
      var unused = end.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException("the governor has failed", e.getCause());
    }
  }

  /** Hears what became of a decision. */
  final synchronized void looked(ShiftActor.Look<V> look) {
    boolean isNews =
        isOther(wrong(look)) || look.tried() || (dryRun && !look.before().equals(look.decided()));
    if (isNews || isDue()) {
      print(look);
    }
    looks();
  }

  @Override
  public final void decided(Decision<?> decision) {}

  @Override
  public final synchronized void missed(long atNanos, String why) {
    if (isOther("missed") || isDue()) {
      printMissed(why);
    }
    looks();
  }

  /** Whether something else is wrong than at the look before. */
  private boolean isOther(String now) {
    boolean other = !now.equals(wrong);
    if (other && wrong.equals("missed")) {
      answersAgain();
    }
    wrong = now;
    return other;
  }

  private boolean isDue() {
    return (dryRun && looks + 1 == DRY_LOOKS) || System.nanoTime() - told >= STATUS_NANOS;
  }

  private void looks() {
    looks++;
    if (dryRun && looks >= DRY_LOOKS) {
      var unused = enough.complete(null);
    }
  }

  private void print(ShiftActor.Look<V> look) {
    told = System.nanoTime();
    if (json) {
      ObjectNode node = object();
      fill(node, look);
      look.notNow().ifPresent(why -> node.put("not_now", why));
      look.decision().step().reasons().forEach(node.putArray("reasons")::add);
      out.println(node);
    } else {
      line(words(look));
    }
  }

  private void printMissed(String why) {
    told = System.nanoTime();
    if (json) {
      ObjectNode node = object();
      fillMissed(node, why);
      out.println(node);
    } else {
      line(missedWords(why));
    }
  }

  /** What a look was decided from. */
  static GearObservation seen(ShiftActor.Look<?> look) {
    return look.decision().signals().get(GearObservation.GEARS);
  }

  /** What is wrong, in any words that differ where it differs. */
  String wrong(ShiftActor.Look<V> look) {
    return String.valueOf(seen(look).failedNodes());
  }

  /** A look in a line. */
  abstract String words(ShiftActor.Look<V> look);

  /** A look in JSON, but for reasons. */
  abstract void fill(ObjectNode node, ShiftActor.Look<V> look);

  /** Why nothing is decided, in a line. */
  abstract String missedWords(String why);

  /** Why nothing is decided, in JSON. */
  abstract void fillMissed(ObjectNode node, String why);

  /** It can be decided again. */
  void answersAgain() {}

  /** Prints a line beside the looks. */
  final void line(String text) {
    if (json) {
      out.println(object().put("told", text));
    } else {
      out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + text);
    }
  }

  private static ObjectNode object() {
    return new ObjectMapper()
        .createObjectNode()
        .put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }
}
