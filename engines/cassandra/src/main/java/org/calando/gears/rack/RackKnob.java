package org.calando.gears.rack;

import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.gears.rack.RackState.Shift;

/** Which racks of a Cassandra are off. Durable. Not thread safe. */
final class RackKnob implements Knob<RackSetting> {
  private static final KnobId<RackSetting> ID = new KnobId<>("racks", RackSetting.class);

  private final RackMeans means;
  private final String target;

  RackKnob(RackMeans means) {
    this.means = means;
    this.target = "cassandra " + means.target();
  }

  @Override
  public KnobId<RackSetting> id() {
    return ID;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public RackSetting current() {
    return means.state().setting();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException if the file does not have this shift, without which nobody knows
   *     what it was about
   */
  @Override
  public Plan plan(RackSetting from, RackSetting to) {
    RackState state = means.state();
    Shift shift =
        state
            .shift()
            .filter(noted -> noted.before().equals(from) && noted.after().equals(to))
            .orElseThrow(
                () ->
                    new FailedWorkException(
                        "has another shift than from " + from.words() + " to " + to.words(),
                        means.path().toString(),
                        "restore it, or give the plan up by --abandon"));
    return plan(state, shift);
  }

  Plan plan(RackState state, Shift shift) {
    return new Plan(
        id().name(), target(), shift.after().text(), new RackSteps(means, state, shift).steps());
  }
}
