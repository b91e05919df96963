package org.calando.governor;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.calando.core.FailedWorkException;
import org.calando.governor.order.ClusterOrders;
import org.calando.knob.GearChoice;
import org.calando.knob.GearSchema;
import org.calando.studyfile.ServiceSpec;

/**
 * Opens and closes what sets a cluster's knobs: between, they are what is told of them. Its methods
 * are for one thread each.
 */
final class KnobParts {
  private final ServiceSpec.Cluster spec;
  private final GovernedCluster.Means means;
  private final KnobStates knobs;
  private final ClusterOrders orders;

  /**
   * Those of a cluster.
   *
   * @param knobs hears of what is decided
   * @param orders what operators order
   */
  KnobParts(
      ServiceSpec.Cluster spec,
      GovernedCluster.Means means,
      KnobStates knobs,
      ClusterOrders orders) {
    this.spec = spec;
    this.means = means;
    this.knobs = knobs;
    this.orders = orders;
  }

  /** Begins to control; as {@link ClusterControl#begin}. */
  ClusterControl control(BooleanSupplier stopping) throws InterruptedException {
    // Before the policies, whose first decisions count; what is not begun has no knob in force.
    knobs.begin(spec.control());
    boolean begun = false;
    try {
      ClusterControl governor = ClusterControl.begin(spec, means, knobs, orders, stopping);
      begun = true;
      return governor;
    } finally {
      if (!begun) {
        ended();
      }
    }
  }

  private void ended() {
    knobs.end(spec.control());
    spec.control().axes().stream()
        .map(axis -> axis.name())
        .filter(name -> !name.equals(GovernedGear.NAME))
        .forEach(orders::ended);
  }

  /** Ends it; the knobs are as before. */
  void close(ClusterControl governor) {
    try {
      governor.close();
    } finally {
      ended();
    }
  }

  /**
   * Looks whether policies decide.
   *
   * @throws FailedWorkException if one decides no more
   */
  Optional<String> governs(ClusterControl governor, long nowNanos) {
    Optional<String> failure = governor.failure();
    if (failure.isPresent()) {
      throw new FailedWorkException(
          failure.get(), spec.name(), "fix that; the knobs are put back meanwhile");
    }
    knobs.roles(governor.roles());
    governor.energy().ifPresent(knobs::spent);
    return Optional.of(String.join("; ", governor.problems())).filter(words -> !words.isEmpty());
  }

  /** Begins to shift; as {@link GovernedGear#begin}. */
  GovernedGear gear() throws InterruptedException {
    GearChoice choice = spec.control().get(GearSchema.AXIS);
    boolean held = choice.isFixed();
    knobs.begin(
        GovernedGear.NAME, choice.label(), held ? Optional.of(choice.label()) : Optional.empty());
    boolean begun = false;
    try {
      GovernedGear governed = GovernedGear.begin(spec, means, knobs, orders);
      begun = true;
      return governed;
    } finally {
      if (!begun) {
        gearEnded();
      }
    }
  }

  private void gearEnded() {
    knobs.end(GovernedGear.NAME);
    orders.ended(GovernedGear.NAME);
  }

  /** Ends it; the gear stays. */
  void close(GovernedGear governed) {
    try {
      governed.close();
    } finally {
      gearEnded();
    }
  }

  /** Looks whether the policy decides; fails by why it does not. */
  static Optional<String> shifts(GovernedGear governed, long nowNanos) {
    Optional<RuntimeException> failure = governed.failure();
    if (failure.isPresent()) {
      throw failure.get();
    }
    return governed.problem();
  }
}
