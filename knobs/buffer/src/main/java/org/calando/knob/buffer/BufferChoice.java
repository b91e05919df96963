package org.calando.knob.buffer;

import java.util.Optional;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.WriteBuffering;
import org.calando.schema.Units;

/**
 * How clients send writes, or what is promised of them, from which a policy chooses it while a run
 * goes. Immutable and thread safe.
 *
 * @param setting of a fixed choice: strong, or how far writes are deferred; of a promise strong,
 *     which writes are until the first decision
 * @param promise what a policy keeps; empty for a fixed choice
 * @param shared whether all clients fill one buffer; with a promise they do
 * @param readYourWrites whether reads see writes of this machine's clients that have not been sent
 */
record BufferChoice(
    BufferSetting setting, Optional<FreshPromise> promise, boolean shared, boolean readYourWrites) {
  /** Each write is acknowledged by the store. */
  static final BufferChoice STRONG =
      new BufferChoice(BufferSetting.STRONG, Optional.empty(), false, false);

  /** Writes that are deferred alike throughout. */
  static BufferChoice fixed(BufferSetting setting, boolean shared, boolean readYourWrites) {
    return new BufferChoice(setting, Optional.empty(), shared, readYourWrites);
  }

  /** Writes that are deferred as far as a promise allows. */
  static BufferChoice fresh(FreshPromise promise, boolean readYourWrites) {
    return new BufferChoice(BufferSetting.STRONG, Optional.of(promise), true, readYourWrites);
  }

  /** How a session of HBase begins. */
  WriteBuffering atFirst() {
    return setting.isStrong()
        ? WriteBuffering.STRONG
        : new WriteBuffering(setting, shared, readYourWrites);
  }

  /** What chooses; empty for a fixed choice. */
  Optional<BufferPolicy> policy() {
    return promise.map(each -> new FreshBufferPolicy(each, FreshLimits.DEFAULT));
  }

  /**
   * What results call it: {@code strong}, {@code deferred 12MB 100ms shared}, {@code fresh 500ms},
   * {@code fresh 500ms at-risk 10000}.
   */
  String label() {
    return promise.map(this::fresh).orElseGet(() -> atFirst().label());
  }

  private String fresh(FreshPromise each) {
    String label = "fresh " + Units.formatNanos(each.freshNanos());
    label += each.mostAtRisk() == FreshPromise.ANY ? "" : " at-risk " + each.mostAtRisk();
    return label + (readYourWrites ? " read-your-writes" : "");
  }
}
