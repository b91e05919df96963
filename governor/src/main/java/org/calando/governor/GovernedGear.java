package org.calando.governor;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.calando.control.DecisionJournal;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.control.order.KnobOrders;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.engine.NodeGears;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/**
 * A cluster whose gear is set, or shifted by a policy. A shift that fails pauses shifts, and is
 * tried again ever later, or it ends what governs, where somebody sees to that. Gears are durable:
 * they stay when this is closed; a plan that is open then is resumed by the next. Thread safe.
 */
public final class GovernedGear implements AutoCloseable {
  /** What files call it. */
  static final String NAME = "gear";

  private static final int DRY_LOOKS = 2;

  /** A load may be older where it is looked at less often. */
  private static final int AGE_PERIODS = 3;

  private static final long DRY_PERIOD_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long STATUS_NANOS = Duration.ofMinutes(1).toNanos();

  private final NodeGears gears;
  private final DecisionJournal journal;
  private final GearLoop loop;
  private final Heard heard;

  private GovernedGear(NodeGears gears, DecisionJournal journal, GearLoop loop, Heard heard) {
    this.gears = gears;
    this.journal = journal;
    this.loop = loop;
    this.heard = heard;
  }

  /** Whether the file has a cluster's gear controlled. */
  static boolean isOf(ServiceSpec.Cluster spec) {
    return spec.control().axes().contains(GearSchema.AXIS);
  }

  /**
   * Begins to govern. Where somebody sees to it a shift that fails ends it; else it pauses shifts.
   *
   * @param knobs hears of decisions and pauses
   * @param orders what operators order of the gear
   * @throws org.calando.core.BadRequestException if the cluster has no such gears, or another
   *     governor, or somebody else shifts them
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  static GovernedGear begin(
      ServiceSpec.Cluster spec, GovernedCluster.Means means, KnobStates knobs, KnobOrders orders)
      throws InterruptedException {
    Consumer<String> news =
        line -> {
          knobs.shiftLine(line);
          means.news().accept(spec.name() + ": " + line);
        };
    return begin(
        KnobGovernor.gears(spec, means.base(), means.owner(), news),
        spec,
        means,
        knobs,
        orders,
        news);
  }

  /** The same of gears that are known; they are closed with it, or if it cannot begin. */
  static GovernedGear begin(
      NodeGears gears,
      ServiceSpec.Cluster spec,
      GovernedCluster.Means means,
      KnobStates knobs,
      KnobOrders orders,
      Consumer<String> news) {
    @Nullable DecisionJournal journal = null;
    @Nullable GearLoop loop = null;
    try {
      gears.hold();
      Path decisions = means.decisions().gears().apply(gears.target());
      journal = DecisionJournal.open(decisions, means.owner(), Instant::now);
      DecisionJournal noted = journal;
      Heard heard = new Heard(spec, gears.model(), means, knobs);
      HeldGear.OnFailure onFailure =
          means.attended() ? HeldGear.OnFailure.END : HeldGear.OnFailure.PAUSE;
      loop =
          GearLoop.start(
              gears,
              policy(spec, gears.model()),
              new GearLoop.Way(spec.periodNanos(), onFailure, false, decisions),
              (decision, inForce) -> {
                noted.decided(decision, inForce);
                knobs.accept(decision);
              },
              heard,
              orders,
              news);
      return new GovernedGear(gears, journal, loop, heard);
    } finally {
      if (loop == null) {
        if (journal != null) {
          journal.close();
        }
        gears.close();
      }
    }
  }

  /** What is controlled or considered of a cluster's gear; one of both is. */
  static GearChoice choice(ServiceSpec.Cluster spec) {
    return (isOf(spec) ? spec.control() : spec.considered()).get(GearSchema.AXIS);
  }

  /** The policy of {@link #choice}. */
  static GearPolicy policy(ServiceSpec.Cluster spec, GearModel model) {
    GearChoice choice = choice(spec);
    return choice
        .within(choice.limits().withMaxAge(maxAgeNanos(spec)))
        .policy(model, 1, spec.periodNanos());
  }

  /** So old a load may be that is decided from. */
  static long maxAgeNanos(ServiceSpec.Cluster spec) {
    return Math.max(choice(spec).limits().maxAgeNanos(), AGE_PERIODS * spec.periodNanos());
  }

  /**
   * Reports the gear, and what would be decided; shifts nothing. Takes two looks, of which the
   * second knows the load.
   *
   * @param decisions where its policy has decided
   * @param news takes lines for people
   * @throws org.calando.core.BadRequestException if the cluster has no such gears
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  public static void dryRun(
      ServiceSpec.Cluster spec, Path base, DecisionFolders decisions, Consumer<String> news)
      throws InterruptedException {
    if (spec.gears().isEmpty()) {
      return;
    }
    boolean considered = ConsideredGear.isOf(spec);
    CompletableFuture<GearLook> last = new CompletableFuture<>();
    int[] looks = {0};
    long period = Math.min(DRY_PERIOD_NANOS, spec.periodNanos());
    try (NodeGears gears = KnobGovernor.gears(spec, base, "a dry run", news);
        GearLoop loop =
            GearLoop.start(
                gears,
                policy(spec, gears.model()),
                new GearLoop.Way(
                    period,
                    HeldGear.OnFailure.END,
                    true,
                    considered
                        ? ConsideredGear.folder(decisions, gears)
                        : decisions.gears().apply(gears.target())),
                (decision, inForce) -> {},
                look -> {
                  if (++looks[0] >= DRY_LOOKS) {
                    last.complete(look);
                  }
                },
                KnobOrders.NONE,
                news)) {
      CompletableFuture.anyOf(loop.end().toCompletableFuture(), last).get();
      GearLook look = last.join();
      OptionalDouble saves = ConsideredGear.saves(gears.model(), look, maxAgeNanos(spec));
      news.accept(
          (considered ? "considered only: " : "")
              + words(look, choice(spec).label() + " would set", gears.model().unit())
              + (look.decision().isPresent() ? KnobStates.saves(saves) : ""));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failed
          ? failed
          : new IllegalStateException("the dry run has failed", e.getCause());
    }
  }

  private static String words(GearLook look, String does, String unit) {
    String not = look.notNow().map(why -> "; " + why).orElse("");
    String now = "gear " + look.before();
    if (look.decision().isEmpty()) {
      return now + not;
    }
    String load =
        look.load()
            .map(known -> String.format(Locale.ROOT, "%.1f %s", known, unit))
            .orElse("load not known");
    String failed = look.failedNodes() == 0 ? "" : ", " + failed(look);
    String inForce = look.inForce().equals("gear " + look.gear()) ? "" : ", " + look.inForce();
    return now
        + (does.isEmpty() ? "" : "; " + does + " gear " + look.decided())
        + (" (" + String.join("; ", look.reasons()) + "), ")
        + load
        + failed
        + inForce
        + not;
  }

  private static String failed(GearLook look) {
    return look.failedNodes() + " nodes do not serve";
  }

  /** Why nothing is decided any more; empty if something is. */
  Optional<RuntimeException> failure() {
    return loop.failure()
        .map(
            why ->
                why instanceof RuntimeException known
                    ? known
                    : new IllegalStateException("the governor of the gear has failed", why));
  }

  /** What is amiss though it governs; empty if all is well. */
  Optional<String> problem() {
    return heard.problem().or(journal::failure);
  }

  /** {@inheritDoc} A shift that is under way is interrupted: its plan stays open. */
  @Override
  public void close() {
    try (gears;
        journal) {
      loop.close();
    }
  }

  /** What became of shifts. Thread safe. */
  private static final class Heard implements HeldGear.Listener {
    private final String cluster;
    private final GearModel model;
    private final long maxAgeNanos;
    private final GovernedCluster.Means means;
    private final KnobStates knobs;
    private volatile Optional<String> amiss = Optional.empty();
    private volatile Optional<String> pause = Optional.empty();
    private long reportedNanos = System.nanoTime() - STATUS_NANOS;

    Heard(
        ServiceSpec.Cluster spec, GearModel model, GovernedCluster.Means means, KnobStates knobs) {
      this.cluster = spec.name();
      this.model = model;
      this.maxAgeNanos = maxAgeNanos(spec);
      this.means = means;
      this.knobs = knobs;
    }

    /** Reports shifts; and how it stands each minute, where somebody sees to it. */
    @Override
    public synchronized void looked(GearLook look) {
      amiss = amiss(look);
      if (look.shifted()) {
        knobs.shiftEnded();
      }
      knobs.gearSaves(
          look.gear() == model.highest()
              ? OptionalDouble.of(0)
              : ConsideredGear.saves(model, look, model.highest(), look.gear(), maxAgeNanos),
          maxAgeNanos);
      long now = System.nanoTime();
      String does = look.tried() ? look.shifted() ? "shifted to" : "not shifted to" : "";
      if (look.tried() || (means.attended() && now - reportedNanos >= STATUS_NANOS)) {
        means.news().looked(cluster, look, words(look, does, model.unit()));
        reportedNanos = now;
      }
    }

    private static Optional<String> amiss(GearLook look) {
      List<String> all = new ArrayList<>();
      look.notNow().ifPresent(why -> all.add("gear " + look.before() + " stays: " + why));
      if (look.failedNodes() > 0) {
        all.add(failed(look));
      }
      all.addAll(look.troubles());
      return all.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", all));
    }

    @Override
    public void resumed(String where) {
      knobs.shiftEnded();
      means.news().accept(cluster + ": resumed an unfinished plan" + where);
    }

    @Override
    public void takenBack(String where) {
      knobs.shiftEnded();
      means.news().accept(cluster + ": took back an unfinished plan" + where);
    }

    @Override
    public void paused(String why, long nanos) {
      Instant until = knobs.paused(NAME, why, Duration.ofNanos(nanos));
      pause =
          Optional.of("gear is paused until " + until.truncatedTo(ChronoUnit.SECONDS) + ": " + why);
    }

    @Override
    public void pauseEnded() {
      pause = Optional.empty();
      knobs.pauseEnded(NAME);
    }

    Optional<String> problem() {
      return pause.or(() -> amiss);
    }
  }
}
