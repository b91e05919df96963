package org.calando.sim.joint;

import java.util.List;
import java.util.function.UnaryOperator;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Signals;
import org.calando.core.policy.joint.HourlySettings.Hour;

/**
 * A world, how the sensors of a joint controller fail in it, and who is compared. Immutable and
 * thread safe.
 *
 * @param world with its load and what happens
 * @param misled how sensors fail
 * @param fromNanos from when on they do, and what happens begins, after the run's begin
 * @param toNanos until when
 * @param nodeCapacity operations a second that policies of gears take a node to serve, above 0
 * @param residencyNanos for how long policies stay in a gear, 0 or more
 * @param shape of the load, in words
 * @param event that happens, in words
 * @param description of all of it
 */
public record JointScenario(
    JointWorld world,
    Misled misled,
    long fromNanos,
    long toNanos,
    double nodeCapacity,
    long residencyNanos,
    String shape,
    String event,
    String description) {
  /** Everything on at the fastest clock, strong reads; at a quorum at most if some may be stale. */
  public Rival allOn() {
    return Rival.planned("quorum", List.of(strong()));
  }

  private Hour strong() {
    return JointDraw.strong(world.cluster(), world.promise().limit(Promised.STALE).isPresent());
  }

  /** Policies of levels and gears beside each other. */
  public Rival beside() {
    return new Rival(
        "beside",
        Rival.By.POLICY,
        world.cluster().highest() > 1 ? Rival.By.POLICY : Rival.By.PLAN,
        nodeCapacity,
        allOn().hours(),
        residencyNanos);
  }

  /** The joint controller. */
  public Rival joint() {
    return Rival.joint(strong(), residencyNanos);
  }

  /** Runs one of them. */
  public JointOutcome run(Rival rival) {
    UnaryOperator<Signals> told = misled.between(fromNanos, toNanos);
    return JointRun.misled(world, rival, told);
  }
}
