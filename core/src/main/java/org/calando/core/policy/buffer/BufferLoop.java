package org.calando.core.policy.buffer;

import java.util.Optional;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;

/**
 * Drives a policy of write buffers: keeps its state from decision to decision, within what a client
 * can be set to. Pure, so that a client of a real store and the simulator make the same decisions
 * of the same observations. Not thread safe.
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
  private BufferState state;

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
   * A decision with all that it was made from. Immutable and thread safe.
   *
   * @param observation what was known
   * @param before the state before
   * @param step what was decided, with the state after
   * @param set what is to be in force now
   * @param changed whether it differs from what was in force by enough to set it
   * @param notToBeHad that what is promised is not to be had here, in words; else empty
   */
  public record Decided(
      BufferObservation observation,
      BufferState before,
      Step<BufferState> step,
      BufferSetting set,
      boolean changed,
      Optional<String> notToBeHad) {}

  /** A loop from the policy's beginning. */
  public BufferLoop(BufferPolicy policy, Range range) {
    this.policy = policy;
    this.range = range;
    this.state = policy.initial();
  }

  /**
   * Decides, and remembers.
   *
   * @param current what is in force
   */
  public Decided decide(BufferObservation observation, BufferSetting current) {
    BufferState before = state;
    Step<BufferState> step = policy.decide(before, observation);
    state = step.state();
    BufferSetting wanted = settingOf(step).map(range::within).orElse(current);
    boolean changed = differ(current, wanted);
    return new Decided(
        observation, before, step, changed ? wanted : current, changed, notToBeHad());
  }

  /** That what is promised is not to be had here, as of the last decision; else empty. */
  public Optional<String> notToBeHad() {
    return policy.notToBeHad(state);
  }

  /** What a step sets; empty if it sets nothing. */
  public static Optional<BufferSetting> settingOf(Step<BufferState> step) {
    for (Setting<?> setting : step.settings()) {
      if (setting.knob().equals(KnobId.WRITE_BUFFER)
          && setting.value() instanceof BufferSetting value) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
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
