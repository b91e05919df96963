package org.calando.clock;

import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/**
 * The clock of a node's processors in kHz: one step. Leased, by the {@link MachineLease} that its
 * clocks come from, in whose journal it is how they were before. Where every millisecond counts,
 * {@link LeasedClocks#set} does the same without a journal of its own. Thread safe.
 */
public final class ClockKnob implements Knob<Long> {
  private final LeasedClocks clocks;
  private final String node;

  ClockKnob(LeasedClocks clocks, String node) {
    this.clocks = clocks;
    this.node = node;
  }

  @Override
  public KnobId<Long> id() {
    return KnobId.CLOCK;
  }

  /** The node. */
  @Override
  public String target() {
    return node;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.LEASED;
  }

  /** The lowest clock in force on its processors. */
  @Override
  public Long current() {
    return clocks.kiloHertz(node);
  }

  /**
   * {@inheritDoc}
   *
   * @param to the least clock that it is to have; one that the hardware has not is the next higher
   */
  @Override
  public Plan plan(Long from, Long to) {
    return new Plan(
        id().name(),
        node,
        to.toString(),
        from.equals(to) ? List.of() : List.of(new SetClock(from, to)));
  }

  private final class SetClock implements Plan.Action {
    private final long from;
    private final long to;

    SetClock(long from, long to) {
      this.from = from;
      this.to = to;
    }

    @Override
    public String name() {
      return "set-clock";
    }

    @Override
    public String describe() {
      return "run %s at %d kHz".formatted(node, clocks.frequencies(node).atLeast(to));
    }

    @Override
    public void perform() {
      set(to);
    }

    /** Never slower; faster where it shares a core with a node that needs more. */
    @Override
    public boolean isDone() {
      return clocks.isAsked(node, to);
    }

    @Override
    public void undo() {
      if (from > 0) {
        set(from);
      }
    }

    private void set(long kiloHertz) {
      ClockOutcome outcome = clocks.set(node, kiloHertz);
      if (!outcome.ok()) {
        throw new FailedWorkException(
            outcome.faults(), "the clock of " + node, "see ./calando clocks for what can be set");
      }
    }
  }
}
