package org.calando.power.onoff;

import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch.State;

/** What is seen of a node in one turn of its switch. Not thread safe. */
final class Sight {
  /**
   * Looks in a row that must show a node off: one of them may have missed a node that answers
   * slowly, or that is started again by something else.
   */
  private static final int OFF_LOOKS = 2;

  private final PowerSwitch plain;
  private final Optional<Lookout> lookout;
  private State state = State.UNKNOWN;
  private boolean answers;
  private int agreeing;
  private Optional<FailedWorkException> problem = Optional.empty();

  Sight(PowerSwitch plain, Optional<Lookout> lookout) {
    this.plain = plain;
    this.lookout = lookout;
  }

  /** Looks once; a switch or lookout that cannot be asked leaves the state unknown. */
  void look(State wanted) throws InterruptedException {
    problem = Optional.empty();
    answers = false;
    state = State.UNKNOWN;
    try {
      state = plain.read();
      answers = lookout.isPresent() && lookout.get().answers();
    } catch (FailedWorkException e) {
      problem = Optional.of(e);
    }
    boolean silent = lookout.isPresent() && !answers;
    boolean agrees =
        problem.isEmpty() && state == wanted && (wanted == State.ON ? !silent : !answers);
    agreeing = agrees ? agreeing + 1 : 0;
  }

  /** Whether the last looks show the node as wanted. */
  boolean isSettled(State wanted) {
    return agreeing >= (wanted == State.OFF ? OFF_LOOKS : 1);
  }

  /** Whether the switch said the contrary at the last look. */
  boolean isContrary(State wanted) {
    return state == (wanted == State.ON ? State.OFF : State.ON);
  }

  /** Whether the switch said off at the last look, and the node answered. */
  boolean isContradicted() {
    return state == State.OFF && answers;
  }

  /** Whether the last look showed that an order failed after the switch had taken it. */
  boolean isOrderLost() {
    return problem.isPresent() && problem.get().what().contains(AgentSwitch.ORDER_FAILED);
  }

  /** Why the node is not believed to be as wanted. */
  FailedWorkException failure(State wanted, long seconds) {
    String order = wanted == State.ON ? "on" : "off";
    String where = plain.describe();
    if (problem.isPresent()) {
      return new FailedWorkException(
          "cannot be seen to be " + order + " within " + seconds + " s of the order",
          where,
          "fix the cause, then order it again: " + problem.get().getMessage(),
          problem.get());
    }
    if (state == wanted) {
      return wanted == State.OFF
          ? new FailedWorkException(
              "the switch says off, but the node still answers after " + seconds + " s",
              where,
              "check that the switch is this node's, and turn the node off by hand; a process that"
                  + " was started by hand is ended by hand")
          : new FailedWorkException(
              "the switch says on, but the node does not answer after " + seconds + " s",
              where,
              "look at the node's console, check that the switch is this node's, or give it more"
                  + " time with on-within");
    }
    if (state == State.UNKNOWN) {
      return new FailedWorkException(
          "the switch reports neither on nor off " + seconds + " s after it was ordered " + order,
          where,
          "look at the node, and at what the switch's status shows");
    }
    return new FailedWorkException(
        "the node is not " + order + " " + seconds + " s after it was ordered so",
        where,
        wanted == State.OFF
            ? "turn it off by hand, give it more time with off-within, or set force-after"
            : "turn it on by hand, or give it more time with on-within");
  }
}
