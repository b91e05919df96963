package org.calando.session.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.Setting;
import org.calando.core.staleness.LagModel;

/** A policy with its state, whatever that is. One thread at a time. */
final class Pilot<S> {
  private final PolicyLoop<S> loop;
  private final LagModel ofOneRead;

  private Pilot(Policy<S> policy, String target) {
    loop = new PolicyLoop<>(policy, target);
    ofOneRead =
        policy instanceof AdaptivePolicy adaptive ? adaptive.ofOneRead() : LagModel.MEASURED;
  }

  /** What predicts the canary's reads for the policy. */
  LagModel ofOneRead() {
    return ofOneRead;
  }

  static <S> Pilot<S> of(Policy<S> policy, String target) {
    return new Pilot<>(policy, target);
  }

  /** The next decision. */
  Decision<S> decide(Observation observation) {
    return loop.decide(observation);
  }

  /** What a decision sets reads to. */
  static Optional<ReadChoice> choice(Decision<?> decision) {
    List<ReadChoice> choices = new ArrayList<>();
    for (Setting<?> setting : decision.step().settings()) {
      if (setting.knob().equals(KnobId.READ_LEVEL)) {
        choices.add(KnobId.READ_LEVEL.type().cast(setting.value()));
      }
    }
    return choices.stream().findFirst();
  }
}
