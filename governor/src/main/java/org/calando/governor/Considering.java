package org.calando.governor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.Closing;
import org.calando.core.policy.Decision;
import org.calando.study.KnobHolder;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/** A cluster's policies that decide and set nothing. Its methods are for one thread. */
final class Considering implements AutoCloseable {
  private final ServiceSpec.Cluster spec;
  private final GovernedCluster.Means means;
  private final KnobStates states;
  private @Nullable KnobShadow knobs;
  private @Nullable ConsideredGear gear;

  private Considering(ServiceSpec.Cluster spec, GovernedCluster.Means means, KnobStates states) {
    this.spec = spec;
    this.means = means;
    this.states = states;
  }

  /**
   * Begins; policies begin anew.
   *
   * @param states hears of what is decided, while this is open
   * @throws org.calando.core.BadRequestException if the cluster does not offer a knob
   * @throws org.calando.core.FailedWorkException if it cannot be reached
   */
  static Considering begin(ServiceSpec.Cluster spec, GovernedCluster.Means means, KnobStates states)
      throws InterruptedException {
    Considering begun = new Considering(spec, means, states);
    boolean all = false;
    try {
      begun.begin();
      all = true;
      return begun;
    } finally {
      if (!all) {
        begun.close();
      }
    }
  }

  private void begin() throws InterruptedException {
    states.begin(spec.considered());
    if (!KnobHolder.of(spec.considered()).isEmpty()) {
      knobs =
          KnobShadow.begin(
              KnobGovernor.reach(spec, means.base()),
              spec.considered(),
              KnobShadow.where(spec),
              spec.periodNanos(),
              decision -> decided(decision, OptionalDouble.empty()));
    }
    if (ConsideredGear.isOf(spec)) {
      states.begin(GovernedGear.NAME, GovernedGear.choice(spec).label(), Optional.empty());
      gear =
          ConsideredGear.begin(
              spec,
              means.base(),
              means.decisions(),
              this::decided,
              () -> states.savesUnknown(GovernedGear.NAME),
              line -> tell("considered only: " + line));
    }
  }

  private void tell(String line) {
    means.news().accept(spec.name() + ": " + line);
  }

  private void decided(Decision<?> decision, OptionalDouble savesWatts) {
    states.accept(decision, savesWatts);
    if (decision.changed()) {
      tell("would set " + KnobStates.words(decision) + KnobStates.saves(savesWatts));
    }
  }

  /**
   * Looks whether policies decide.
   *
   * @return what is amiss, though they decide again at the next look; empty if all is well
   * @throws org.calando.core.FailedWorkException if one decides no more
   */
  Optional<String> check(long nowNanos) {
    String problems =
        Stream.of(
                Optional.ofNullable(knobs).flatMap(its -> its.check(nowNanos)),
                Optional.ofNullable(gear).flatMap(its -> its.check(nowNanos)))
            .flatMap(Optional::stream)
            .collect(Collectors.joining("; "));
    return Optional.of(problems).filter(words -> !words.isEmpty());
  }

  @Override
  public void close() {
    List<AutoCloseable> open = new ArrayList<>();
    Optional.ofNullable(knobs).ifPresent(open::add);
    Optional.ofNullable(gear).ifPresent(open::add);
    open.add(() -> states.end(spec.considered()));
    open.add(() -> states.end(GovernedGear.NAME));
    Closing.all(open);
  }
}
