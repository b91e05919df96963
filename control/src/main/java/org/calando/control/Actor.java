package org.calando.control;

import java.util.OptionalLong;
import org.calando.core.policy.Decision;
import org.calando.core.policy.Observed;

/**
 * Sets what a {@link ControlLoop} decides, and holds it. Called by the tasks of the loop's
 * scheduler, one at a time, but for {@link #close}, which any thread may call.
 */
@FunctionalInterface
public interface Actor {
  /**
   * Sets what was decided; where that takes long, begins to. What it throws is {@link #failed}.
   *
   * @param nowNanos the time of the loop's clock, as everywhere here
   */
  void act(Decision<?> decision, long nowNanos);

  /**
   * The loop begins.
   *
   * @throws org.calando.core.FailedWorkException if it must not
   */
  default void begin(ControlLoop<?> loop, long nowNanos) {}

  /** What is in force when a decision was taken and nothing was set yet, in words for journals. */
  default String inForce(Decision<?> decision) {
    return "";
  }

  /** Whether nothing could be set now, so that nothing is observed either. */
  default boolean isBusy() {
    return false;
  }

  /**
   * Whether an observation is decided on. One that is not leaves the policy's state as it is: what
   * stands in for it holds, so a policy must not conclude from it.
   */
  default boolean accepts(Observed observed, long nowNanos) {
    return true;
  }

  /** An observation came to nothing: what is set stays. */
  default void missed(String why) {}

  /** An observation is still under way, and within its deadline: none is begun. */
  default void waits(String why) {
    missed(why);
  }

  /**
   * Time passes; may end the loop, which then observes no more.
   *
   * @param whyNothing why nothing was decided last
   */
  default void check(long nowNanos, String whyNothing) {}

  /** When {@link #check} is to be called at the latest; empty if that is of no matter. */
  default OptionalLong validUntilNanos() {
    return OptionalLong.empty();
  }

  /**
   * Nobody knows how long what was decided has been in force, or when it will be decided again.
   *
   * @param why in words
   */
  default void lost(String why, long nowNanos) {}

  /**
   * It could not be observed at once, decided, noted or set, or the actor has thrown something
   * else. What this throws ends the loop; by default it throws the cause.
   *
   * @param why in words
   * @param cause a {@link RuntimeException} or an {@link Error}
   */
  default void failed(String why, Throwable cause, long nowNanos) {
    if (cause instanceof Error error) {
      throw error;
    }
    throw cause instanceof RuntimeException known ? known : new IllegalStateException(why, cause);
  }

  /** The loop has ended. Idempotent. */
  default void close(long nowNanos) {}
}
