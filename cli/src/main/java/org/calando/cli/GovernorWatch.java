package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.calando.control.ControlLoop;
import org.calando.control.DecisionJournal;
import org.calando.control.HeldGear;
import org.calando.core.CalandoException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.time.Scheduler;
import org.calando.gears.ShiftGovernor;
import org.calando.study.StopSignal;
import org.jspecify.annotations.Nullable;

/**
 * Runs a loop that shifts gears until the command is to end, and prints what it does: what changes,
 * and how it stands each minute. A shift under way is interrupted then: its plan stays open. Thread
 * safe.
 */
abstract class GovernorWatch {
  private static final long STATUS_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long END_SECONDS = 60;
  private static final int DRY_LOOKS = 2;

  final boolean dryRun;
  private final boolean json;
  private final PrintStream out;
  private final CompletableFuture<Void> enough = new CompletableFuture<>();
  private long told = System.nanoTime() - STATUS_NANOS;
  private String wrong = "";
  private Optional<String> notNoted = Optional.empty();
  private int looks;

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
  final void until(StopSignal stop, String resume, HeldGear.Work work) throws InterruptedException {
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
   * @param firstNanos until the first look
   * @param decisions folder where they are noted, and from where it resumes
   * @param owner in words for another governor, which is refused
   * @param of what is governed; the executor carries out one thing after the other
   * @throws org.calando.core.BadRequestException if another governor has the folder
   */
  final void run(
      GearPolicy policy,
      long periodNanos,
      long firstNanos,
      Path decisions,
      String owner,
      BiFunction<Scheduler, Executor, ShiftGovernor> of)
      throws InterruptedException {
    try (@Nullable DecisionJournal journal =
            dryRun ? null : DecisionJournal.open(decisions, owner, Instant::now);
        RealTimeScheduler scheduler = new RealTimeScheduler("calando-governor");
        ShiftThread executor = new ShiftThread(this::line)) {
      ShiftGovernor governor = of.apply(scheduler, executor);
      governor
          .resume(dryRun)
          .ifPresent(
              to ->
                  line(
                      dryRun
                          ? "there is an unfinished plan" + to + ", which would be resumed"
                          : "resumed an unfinished plan" + to));
      DecisionJournal.Resumed<GearState> resumed =
          DecisionJournal.resume(decisions, policy, governor.target());
      line(policy.name() + ' ' + resumed.words());
      try (ControlLoop<?> loop =
          governor
              .loop(resumed.loop(), dryRun, this::looked)
              .periodNanos(periodNanos)
              .firstNanos(firstNanos)
              .listener((decision, inForce) -> note(journal, decision, inForce))
              .start()) {
        var unused = CompletableFuture.anyOf(loop.end().toCompletableFuture(), enough).get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failed) {
        throw failed;
      }
      throw new IllegalStateException("the governor has failed", e.getCause());
    }
  }

  /**
   * Shifts, one after the other. Its end waits for the one that is under way: what is closed after
   * this is the shift's own.
   */
  private static final class ShiftThread implements Executor, AutoCloseable {
    private final ExecutorService executor =
        Executors.newSingleThreadExecutor(task -> new Thread(task, "calando-shift"));
    private final Consumer<String> news;

    ShiftThread(Consumer<String> news) {
      this.news = news;
    }

    @Override
    public void execute(Runnable task) {
      executor.execute(task);
    }

    @Override
    public void close() {
      executor.shutdownNow();
      boolean interrupted = Thread.interrupted();
      boolean ended = false;
      while (!ended) {
        try {
          ended = executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
          if (!ended) {
            news.accept("a shift that is under way does not end yet; it is waited for");
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * That decisions cannot be noted is reported when it begins, and governing does not end for it.
   */
  private void note(@Nullable DecisionJournal journal, Decision<?> decision, String inForce) {
    if (journal != null) {
      journal.decided(decision, inForce);
      Optional<String> failure = journal.failure();
      failure.filter(why -> !failure.equals(notNoted)).ifPresent(this::line);
      notNoted = failure;
    }
  }

  /** Hears what became of an observation. */
  final synchronized void looked(HeldGear.Look look) {
    looks++;
    String now = wrong(look);
    if (!now.equals(wrong) && wrong.equals("nothing observed")) {
      answersAgain();
    }
    boolean last = dryRun && looks >= DRY_LOOKS;
    if (last
        || look.tried()
        || !now.equals(wrong)
        || (dryRun && look.before() != look.decided())
        || System.nanoTime() - told >= STATUS_NANOS) {
      print(look);
      told = System.nanoTime();
    }
    wrong = now;
    if (look.shifted()) {
      shifted();
    }
    if (last) {
      var unused = enough.complete(null);
    }
  }

  private void print(HeldGear.Look look) {
    if (!json) {
      line(words(look));
      return;
    }
    ObjectNode node = object();
    fill(node, look);
    node.put("failed_nodes", failedNodes(look));
    look.notNow()
        .ifPresent(why -> node.put(look.decision().isEmpty() ? "silence" : "not_now", why));
    reasons(look).forEach(node.putArray("reasons")::add);
    out.println(node);
  }

  /** What is wrong, in words that differ where it differs. */
  String wrong(HeldGear.Look look) {
    return look.decision().isEmpty() ? "nothing observed" : String.valueOf(failedNodes(look));
  }

  /** A look in a line. */
  abstract String words(HeldGear.Look look);

  /** A look in JSON, but for what all have. */
  abstract void fill(ObjectNode node, HeldGear.Look look);

  /** A shift was carried out. */
  void shifted() {}

  /** It can be observed again. */
  void answersAgain() {}

  private static Optional<GearObservation> seen(HeldGear.Look look) {
    return look.decision().map(decision -> decision.signals().get(GearObservation.GEARS));
  }

  static int failedNodes(HeldGear.Look look) {
    return seen(look).map(GearObservation::failedNodes).orElse(0);
  }

  static Optional<Double> load(HeldGear.Look look) {
    return seen(look).flatMap(GearObservation::load).map(GearObservation.Load::perSecond);
  }

  static List<String> reasons(HeldGear.Look look) {
    return look.decision().map(decision -> decision.step().reasons()).orElse(List.of());
  }

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
