package org.calando.governor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.calando.control.Actor;
import org.calando.control.ControlLoop;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Knob;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.store.Capable;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.Target;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobChoice;
import org.calando.knob.Point;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;

/**
 * Has policies decide on a cluster's knobs from what they would decide from if they controlled it,
 * and sets nothing. Its methods are for one thread.
 */
final class KnobShadow implements AutoCloseable {
  private final Target cluster;
  private final Consumer<Decision<?>> decided;
  private final RealTimeScheduler scheduler = new RealTimeScheduler("calando-shadow");
  private final List<ControlLoop<?>> loops = new ArrayList<>();
  private final List<Nothing> actors = new ArrayList<>();

  private KnobShadow(Target cluster, Consumer<Decision<?>> decided) {
    this.cluster = cluster;
    this.decided = decided;
  }

  /**
   * Begins; policies begin anew.
   *
   * @param cluster whose knobs they are; closed with this
   * @param policies of its knobs; values that are held are decided on by nobody
   * @param where the knobs' keys stand in
   * @param periodNanos from one decision to the next
   * @param decided hears of each decision, on the policies' thread; is not to block
   * @throws BadRequestException if the cluster does not offer a knob
   */
  static KnobShadow begin(
      Target cluster,
      Point policies,
      String where,
      long periodNanos,
      Consumer<Decision<?>> decided) {
    KnobShadow shadow = new KnobShadow(cluster, decided);
    boolean begun = false;
    try {
      for (KnobAxis<?> knob : KnobHolder.of(policies)) {
        shadow.begin(knob, policies, where, periodNanos);
      }
      begun = true;
      return shadow;
    } finally {
      if (!begun) {
        shadow.close();
      }
    }
  }

  /** Where a cluster's considered policies stand. */
  static String where(ServiceSpec.Cluster spec) {
    return "clusters." + spec.name() + ".consider";
  }

  /**
   * Reports what policies that set nothing would decide now.
   *
   * @param base folder that relative paths of the file are relative to
   * @param news takes lines for people
   * @throws BadRequestException if the cluster does not offer a knob, once all are reported
   */
  static void dryRun(ServiceSpec.Cluster spec, Path base, Consumer<String> news) {
    List<KnobAxis<?>> knobs = KnobHolder.of(spec.considered());
    if (knobs.isEmpty()) {
      return;
    }
    Optional<BadRequestException> refused = Optional.empty();
    try (Target cluster = KnobGovernor.reach(spec, base)) {
      for (KnobAxis<?> knob : knobs) {
        try {
          news.accept(
              "considered only: "
                  + words(knob, spec, cluster)
                  + KnobStates.saves(OptionalDouble.empty()));
        } catch (BadRequestException e) {
          news.accept("it would be refused: " + e.problem());
          refused = refused.or(() -> Optional.of(e));
        }
      }
    }
    if (refused.isPresent()) {
      throw refused.get();
    }
  }

  private static <V> String words(KnobAxis<V> axis, ServiceSpec.Cluster spec, Target cluster) {
    Knob<V> knob = axis.bind(cluster, where(spec) + "." + axis.axis());
    KnobChoice<V> choice = spec.considered().get(axis.axis());
    Optional<V> wanted =
        choice
            .controller()
            .flatMap(
                policy ->
                    KnobGovernor.wanted(
                        axis, cluster, knob, new PolicyLoop<>(policy, knob.target())));
    return KnobGovernor.words(axis, knob, knob.current(), choice, wanted);
  }

  private <V> void begin(KnobAxis<V> axis, Point policies, String where, long periodNanos) {
    Knob<V> knob = axis.bind(cluster, where + "." + axis.axis());
    Optional<Controller<?>> controller = policies.find(axis.axis()).flatMap(KnobChoice::controller);
    controller.ifPresent(policy -> loops.add(loop(axis, cluster, knob, policy, periodNanos)));
  }

  private <V, S> ControlLoop<S> loop(
      KnobAxis<V> axis, Capable of, Knob<V> knob, Controller<S> policy, long periodNanos) {
    Nothing actor = new Nothing();
    actors.add(actor);
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(policy, knob.target()),
            KnobHolder.sensor(axis, of, knob),
            actor)
        .periodNanos(periodNanos)
        .start();
  }

  /** Sets nothing; one for each knob, as another's decision ends none of its trouble. */
  private final class Nothing implements Actor {
    private volatile String trouble = "";

    @Override
    public void act(Decision<?> decision, long nowNanos) {
      trouble = "";
      decided.accept(decision);
    }

    @Override
    public void failed(String why, Throwable cause, long nowNanos) {
      if (!(cause instanceof CalandoException)) {
        Actor.super.failed(why, cause, nowNanos);
      }
      trouble = why;
    }
  }

  /**
   * Looks whether policies decide.
   *
   * @return what is amiss, though they decide again at the next look; empty if all is well
   * @throws FailedWorkException if one decides no more
   */
  Optional<String> check(long nowNanos) {
    requireNone(loops.stream().flatMap(loop -> loop.failure().stream()).findFirst());
    return actors.stream()
        .map(actor -> actor.trouble)
        .filter(words -> !words.isEmpty())
        .findFirst();
  }

  /** Fails by why a policy that sets nothing decides no more. */
  static void requireNone(Optional<Throwable> failure) {
    failure.ifPresent(
        why -> {
          throw new FailedWorkException(
              Objects.toString(why.getMessage(), why.toString()),
              "consider",
              "fix that; nothing is set by it");
        });
  }

  @Override
  public void close() {
    try (cluster;
        scheduler) {
      loops.forEach(ControlLoop::close);
    }
  }
}
