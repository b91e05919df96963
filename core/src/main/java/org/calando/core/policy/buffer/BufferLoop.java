package org.calando.core.policy.buffer;

import java.util.Optional;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;

/**
 * Drives a policy of write buffers: decides within what a client can be set to. Pure, so that a
 * client of a real store and the simulator make the same decisions of the same observations. Not
 * thread safe.
 */
public final class BufferLoop {
  /** From one decision to the next, where nothing else is said. */
  public static final long PERIOD_NANOS = 250_000_000L;

  /** Periods that are looked back. */
  public static final int SLICES = 8;

  /** The shortest delay that timers of clients keep. */
  public static final long SHORTEST_DELAY_NANOS = 10_000_000L;

  /** Settings nearer to each other than this are the same: no need to set anew. */
  private static final double SAME = 0.05;

  private final BufferPolicy policy;
  private final Range range;
  private final PolicyLoop<BufferState> loop;

  /**
   * What a client can be set to.
   *
   * @param leastDelayNanos the shortest delay, 1 or more
   * @param mostBytes the largest buffer, 1 or more
   */
  public record Range(long leastDelayNanos, long mostBytes) {
    /** The nearest that it can be set to. */
    BufferSetting within(BufferSetting wanted) {
      return wanted.isStrong()
          ? wanted
          : new BufferSetting(
              Math.min(wanted.bytes(), mostBytes), Math.max(wanted.delayNanos(), leastDelayNanos));
    }
  }

  /**
   * A decision, and what is to be done about it. Immutable and thread safe.
   *
   * @param decision what was decided, and from what
   * @param set what is to be in force now
   * @param changed whether it differs from what was in force by enough to set it
   * @param notToBeHad that what is promised is not to be had here, in words; else empty
   */
  public record Decided(
      Decision<BufferState> decision,
      BufferSetting set,
      boolean changed,
      Optional<String> notToBeHad) {}

  /**
   * A loop from the policy's beginning.
   *
   * @param target whose writes: a session
   */
  public BufferLoop(BufferPolicy policy, String target, Range range) {
    this.policy = policy;
    this.range = range;
    this.loop = new PolicyLoop<>(policy, target);
  }

  /**
   * Decides, and remembers.
   *
   * @param current what is in force
   */
  public Decided decide(BufferObservation observation, BufferSetting current) {
    Decision<BufferState> decision = loop.decide(observation);
    BufferSetting wanted = decision.value(KnobId.WRITE_BUFFER).map(range::within).orElse(current);
    boolean changed = differ(current, wanted);
    return new Decided(decision, changed ? wanted : current, changed, notToBeHad());
  }

  /** That what is promised is not to be had here, as of the last decision; else empty. */
  public Optional<String> notToBeHad() {
    return policy.notToBeHad(loop.state());
  }

  private static boolean differ(BufferSetting one, BufferSetting other) {
    return one.isStrong() != other.isStrong()
        || differ(one.bytes(), other.bytes())
        || differ(one.delayNanos(), other.delayNanos());
  }

  private static boolean differ(long one, long other) {
    return Math.abs((double) one - (double) other) > SAME * (double) Math.max(one, other);
  }
}
