package org.calando.core.policy.joint;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.BufferPolicy;
import org.calando.core.policy.buffer.BufferState;
import org.calando.core.policy.joint.DeferringJoint.State;

/*
 * The longer clients may collect writes, the fewer requests carry them, and the less work and watts
 * there are in any gear. So of all buffers that keep the promised freshness the largest is the cheapest,
 * whatever the gear, and is chosen first; the gear is then the cheapest one for as many requests as
 * clients were seen to send. Requests that take longer in a lower gear leave less time for collecting, and
 * make more of them: so the next decisions see, and correct the gear.
 */
/**
 * Decides how far clients defer writes, and by that on all else. Immutable and thread safe.
 *
 * @param joint decides on the rest
 * @param deferral keeps what is promised of when others can read a write
 */
public record DeferringJoint(JointController joint, BufferPolicy deferral)
    implements Controller<State> {
  private static final String AND = " | ";

  /** What both remember. Immutable and thread safe. */
  public record State(JointState joint, BufferState deferral) {}

  @Override
  public String name() {
    return joint.name();
  }

  @Override
  public Set<SignalId<?>> needs() {
    Set<SignalId<?>> needs = new HashSet<>(joint.needs());
    needs.addAll(deferral.needs());
    return Set.copyOf(needs);
  }

  @Override
  public Set<KnobId<?>> sets() {
    Set<KnobId<?>> sets = new HashSet<>(joint.sets());
    sets.addAll(deferral.sets());
    return Set.copyOf(sets);
  }

  @Override
  public State initial() {
    return new State(joint.initial(), deferral.initial());
  }

  @Override
  public Step<State> decide(State last, Signals signals) {
    Step<JointState> rest = joint.decide(last.joint(), signals);
    Optional<BufferObservation> writes = signals.find(BufferObservation.WRITES);
    List<Setting<?>> settings = new ArrayList<>(rest.settings());
    List<String> reasons = new ArrayList<>(rest.reasons());
    BufferState then = last.deferral();
    if (writes.isPresent()) {
      Step<BufferState> buffer = deferral.decide(then, writes.get());
      settings.addAll(buffer.settings());
      reasons.addAll(buffer.reasons());
      then = buffer.state();
    } else {
      reasons.add("what becomes of writes is unknown: their buffer stays");
    }
    return new Step<>(new State(rest.state(), then), settings, reasons);
  }

  /** That the promised freshness is not to be had, in words, as far as was seen; else empty. */
  public Optional<String> notToBeHad(State state) {
    return deferral.notToBeHad(state.deferral());
  }

  @Override
  public String write(State state) {
    return joint.write(state.joint()) + AND + deferral.write(state.deferral());
  }

  @Override
  public State read(String text) {
    int and = text.indexOf(AND);
    if (and < 0) {
      throw new IllegalArgumentException("no state of two controllers: " + text);
    }
    return new State(
        joint.read(text.substring(0, and)), deferral.read(text.substring(and + AND.length())));
  }
}
