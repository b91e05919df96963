package org.calando.session.internal;

import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.AdaptiveState;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.staleness.LagModel;

/** A policy with its state, whatever that is. One thread at a time. */
final class PolicyRun<S> {
  private final Policy<S> policy;
  private final String target;
  private PolicyLoop<S> loop;
  private final LagModel ofOneRead;

  private PolicyRun(Policy<S> policy, String target) {
    this.policy = policy;
    this.target = target;
    loop = new PolicyLoop<>(policy, target);
    ofOneRead =
        policy instanceof AdaptivePolicy adaptive ? adaptive.ofOneRead() : LagModel.MEASURED;
  }

  /** What predicts the canary's reads for the policy. */
  LagModel ofOneRead() {
    return ofOneRead;
  }

  static <S> PolicyRun<S> of(Policy<S> policy, String target) {
    return new PolicyRun<>(policy, target);
  }

  /** What the policy remembers, as text. */
  String state() {
    return loop.stateText();
  }

  /**
   * Goes on from a state.
   *
   * @return whether it is one of this policy's
   */
  boolean resume(String state) {
    try {
      loop = new PolicyLoop<>(policy, target, state);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The next decision. */
  Decision<S> decide(Observation observation) {
    return loop.decide(observation);
  }

  /**
   * What the policy's estimate says of reads of 1, 2, .. replicas, before shadow reads correct it;
   * none if it cannot tell, or the policy has no estimate.
   */
  double[] predicted(Observation observation) {
    return policy instanceof AdaptivePolicy adaptive && loop.state() instanceof AdaptiveState state
        ? adaptive.predicted(state, observation)
        : new double[0];
  }

  /**
   * Whether the last decision was the fallback because a figure is unknown; a policy that is not
   * one of Calando's is not asked.
   */
  boolean isFallback(Observation observation) {
    return policy instanceof AdaptivePolicy adaptive
        && loop.state() instanceof AdaptiveState state
        && adaptive.isFallback(state, observation);
  }

  /**
   * Since the last replica that was away is back, in nanoseconds, as of the last decision; below 0
   * if none is late, one is away, or the policy does not count them.
   */
  long sinceReturnNanos() {
    return policy instanceof AdaptivePolicy adaptive && loop.state() instanceof AdaptiveState state
        ? adaptive.sinceReturnNanos(state)
        : -1;
  }
}
