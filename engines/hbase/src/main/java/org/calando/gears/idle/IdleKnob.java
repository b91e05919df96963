package org.calando.gears.idle;

import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.gears.idle.IdleState.Shift;

/** Which servers of an HBase sleep. Durable. Not thread safe. */
public final class IdleKnob implements Knob<IdleSetting> {
  private static final KnobId<IdleSetting> ID = new KnobId<>("idle-servers", IdleSetting.class);

  private final IdleMeans means;

  /** A knob that works with these. */
  public IdleKnob(IdleMeans means) {
    this.means = means;
  }

  @Override
  public KnobId<IdleSetting> id() {
    return ID;
  }

  @Override
  public String target() {
    return "hbase " + means.regions().name();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public IdleSetting current() {
    return IdleFile.read(means.path()).setting();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FailedWorkException if the file that tells who sleeps does not tell of this shift
   */
  @Override
  public Plan plan(IdleSetting from, IdleSetting to) {
    Shift shift =
        IdleFile.read(means.path())
            .shift()
            .filter(noted -> IdleSetting.of(IdleState.names(noted.before())).equals(from))
            .filter(noted -> IdleSetting.of(IdleState.names(noted.after())).equals(to))
            .orElseThrow(
                () ->
                    new FailedWorkException(
                        "tells of another shift than from " + from.words() + " to " + to.words(),
                        means.path().toString(),
                        "restore it, or give the plan up by --abandon"));
    return plan(shift);
  }

  /** The plan of a shift: down if nodes go to sleep, else up. */
  Plan plan(Shift shift) {
    IdleSetting from = IdleSetting.of(IdleState.names(shift.before()));
    IdleSetting to = IdleSetting.of(IdleState.names(shift.after()));
    List<Plan.Action> steps =
        to.without(from).isEmpty()
            ? new IdleUp(means, shift, from, to).steps()
            : new IdleDown(means, shift, from, to).steps();
    return new Plan(id().name(), target(), to.text(), steps);
  }
}
