package org.calando.sim.joint;

import java.util.Set;
import java.util.function.UnaryOperator;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.joint.JointController;
import org.calando.core.policy.joint.JointState;

/**
 * A joint controller whose sensors do not tell it the truth. Immutable and thread safe.
 *
 * @param controller that decides
 * @param told what it is told in place of what is the case
 */
record MisledController(JointController controller, UnaryOperator<Signals> told)
    implements Controller<JointState> {
  @Override
  public String name() {
    return controller.name();
  }

  @Override
  public Set<SignalId<?>> needs() {
    return controller.needs();
  }

  @Override
  public Set<KnobId<?>> sets() {
    return controller.sets();
  }

  @Override
  public JointState initial() {
    return controller.initial();
  }

  @Override
  public Step<JointState> decide(JointState state, Signals signals) {
    return controller.decide(state, told.apply(signals));
  }

  @Override
  public String write(JointState state) {
    return controller.write(state);
  }

  @Override
  public JointState read(String text) {
    return controller.read(text);
  }
}
