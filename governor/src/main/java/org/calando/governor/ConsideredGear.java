package org.calando.governor;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.control.order.KnobOrders;
import org.calando.core.policy.Decision;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.engine.NodeGears;
import org.calando.knob.GearSchema;
import org.calando.studyfile.ServiceSpec;

/** A policy that decides on a cluster's gear and shifts nothing. Thread safe. */
final class ConsideredGear implements AutoCloseable {
  private final NodeGears gears;
  private final GearLoop loop;
  private final Heard heard;

  private ConsideredGear(NodeGears gears, GearLoop loop, Heard heard) {
    this.gears = gears;
    this.loop = loop;
    this.heard = heard;
  }

  /** Whether the file has a cluster's gear considered. */
  static boolean isOf(ServiceSpec.Cluster spec) {
    return spec.considered().axes().contains(GearSchema.AXIS);
  }

  /** Where its policy would resume from, to which nothing is written: it begins anew. */
  static Path folder(DecisionFolders decisions, NodeGears gears) {
    return decisions.gears().apply(gears.target()).resolve("considered");
  }

  /**
   * Begins; the policy begins anew.
   *
   * @param decisions where other decisions are noted
   * @param decided hears of each decision, and of what it saves in watts, as modelled
   * @param missed runs where nothing could be decided
   * @param news takes lines for people, from any thread
   * @throws org.calando.core.BadRequestException if the cluster has no such gears
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  static ConsideredGear begin(
      ServiceSpec.Cluster spec,
      Path base,
      DecisionFolders decisions,
      BiConsumer<Decision<?>, OptionalDouble> decided,
      Runnable missed,
      Consumer<String> news)
      throws InterruptedException {
    NodeGears gears = KnobGovernor.gears(spec, base, "a policy that shifts nothing", news);
    boolean begun = false;
    try {
      GearModel model = gears.model();
      Heard heard = new Heard(model, GovernedGear.maxAgeNanos(spec), decided, missed);
      GearLoop loop =
          GearLoop.start(
              gears,
              GovernedGear.policy(spec, model),
              new GearLoop.Way(
                  spec.periodNanos(), HeldGear.OnFailure.PAUSE, true, folder(decisions, gears)),
              (decision, inForce) -> {},
              heard,
              KnobOrders.NONE,
              news);
      begun = true;
      return new ConsideredGear(gears, loop, heard);
    } finally {
      if (!begun) {
        gears.close();
      }
    }
  }

  /**
   * What the gear that was decided saves against the gear in force at the present load, in watts by
   * the nodes' profiles; what shifts take is not in it.
   *
   * @param maxAgeNanos so old the load may be
   * @return negative if it draws more; empty if nothing was decided, or the load is not known
   */
  static OptionalDouble saves(GearModel model, GearLook look, long maxAgeNanos) {
    return saves(model, look, look.before(), look.decided(), maxAgeNanos);
  }

  /** The same of one gear against another. */
  static OptionalDouble saves(
      GearModel model, GearLook look, int against, int gear, long maxAgeNanos) {
    Optional<GearObservation> observed =
        look.decision().flatMap(decision -> decision.signals().find(GearObservation.GEARS));
    OptionalDouble load =
        observed.flatMap(GearObservation::load).stream()
            .filter(each -> observed.get().atNanos() - each.atNanos() <= maxAgeNanos)
            .mapToDouble(GearObservation.Load::perSecond)
            .filter(each -> each >= 0 && Double.isFinite(each))
            .findFirst();
    return load.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            model.watts(against, load.getAsDouble()) - model.watts(gear, load.getAsDouble()));
  }

  /**
   * Looks whether the policy decides.
   *
   * @return what is amiss; empty if all is well
   * @throws org.calando.core.FailedWorkException if it decides no more
   */
  Optional<String> check(long nowNanos) {
    KnobShadow.requireNone(loop.failure());
    return heard.silence;
  }

  @Override
  public void close() {
    try (gears) {
      loop.close();
    }
  }

  /** Hears of decisions. Thread safe. */
  private static final class Heard implements HeldGear.Listener {
    private final GearModel model;
    private final long maxAgeNanos;
    private final BiConsumer<Decision<?>, OptionalDouble> decided;
    private final Runnable missed;
    private volatile Optional<String> silence = Optional.empty();

    Heard(
        GearModel model,
        long maxAgeNanos,
        BiConsumer<Decision<?>, OptionalDouble> decided,
        Runnable missed) {
      this.missed = missed;
      this.model = model;
      this.maxAgeNanos = maxAgeNanos;
      this.decided = decided;
    }

    @Override
    public void looked(GearLook look) {
      silence = look.decision().isPresent() ? Optional.empty() : look.notNow();
      look.decision()
          .ifPresentOrElse(
              decision -> decided.accept(decision, saves(model, look, maxAgeNanos)), missed);
    }
  }
}
