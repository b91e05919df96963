package org.calando.gears;

import java.util.List;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;

/** The gear of a cluster: which of its groups of nodes are on. Durable. Not thread safe. */
public final class GearKnob implements Knob<GearSetting> {
  private static final KnobId<GearSetting> ID = new KnobId<>("gear", GearSetting.class);

  private final GearMeans means;

  /** A knob that works with these. */
  public GearKnob(GearMeans means) {
    this.means = means;
  }

  @Override
  public KnobId<GearSetting> id() {
    return ID;
  }

  @Override
  public String target() {
    return means.cluster().target();
  }

  @Override
  public Lifetime lifetime() {
    return Lifetime.DURABLE;
  }

  @Override
  public GearSetting current() {
    return GearSetting.of(GearFiles.read(means.path()).gear());
  }

  /** What to set for a gear: remembers when nodes that are to be switched on last reported. */
  public GearSetting to(int gear) {
    requireGear(gear);
    int now = current().gear();
    return gear > now
        ? new GearSetting(gear, means.reports(Set.copyOf(means.between(now, gear))))
        : GearSetting.of(gear);
  }

  @Override
  public Plan plan(GearSetting from, GearSetting to) {
    requireGear(from.gear());
    requireGear(to.gear());
    List<Plan.Action> steps =
        to.gear() < from.gear()
            ? new DownShift(means, from.gear(), to.gear()).steps()
            : new UpShift(means, from, to).steps();
    return new Plan(id().name(), target(), to.text(), steps);
  }

  /** Refuses a gear that the cluster does not have. */
  void requireGear(int gear) {
    int gears = means.groups().gears();
    if (gear < 1 || gear > gears) {
      throw new BadRequestException(
          "there is no gear " + gear, "--to", "the cluster has gears 1 to " + gears);
    }
  }
}
