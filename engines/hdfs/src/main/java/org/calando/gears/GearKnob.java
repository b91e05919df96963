package org.calando.gears;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    int gear = GearFiles.read(means.path()).gear();
    return GearSetting.of(gear).without(means.leftOff(gear));
  }

  /** What to set for a gear, with all its nodes. */
  public GearSetting to(int gear) {
    return to(gear, Set.of());
  }

  /**
   * What to set for a gear: remembers when nodes that are to be switched on last reported. They are
   * those that were off in the gear before, and those that stayed in maintenance when others went
   * on.
   *
   * @param without nodes of the gear that stay off
   * @throws BadRequestException if one of them is not to be switched on, or nothing else is
   */
  GearSetting to(int gear, Set<String> without) {
    requireGear(gear);
    Set<String> coming = coming(gear);
    if (!coming.containsAll(without)) {
      throw new BadRequestException(
          "not all of "
              + String.join(", ", without)
              + " are nodes that this switches on, which are "
              + (coming.isEmpty() ? "none" : String.join(", ", coming)),
          "--without",
          "name nodes that are off now and on in gear " + gear);
    }
    coming.removeAll(without);
    if (coming.isEmpty() && !without.isEmpty()) {
      throw new BadRequestException(
          "that leaves no node to switch on",
          "--without",
          "stay in the gear it is in until a node can go on");
    }
    return new GearSetting(gear, means.nodes().reports(coming)).without(without);
  }

  private Set<String> coming(int gear) {
    int now = current().gear();
    if (gear < now) {
      return new TreeSet<>();
    }
    Set<String> coming = means.leftOff(gear);
    if (gear > now) {
      coming.addAll(means.between(now, gear));
    }
    return coming;
  }

  @Override
  public Plan plan(GearSetting from, GearSetting to) {
    requireGear(from.gear());
    requireGear(to.gear());
    List<Plan.Action> steps =
        to.gear() < from.gear()
            ? new DownShift(means, from, to.gear()).steps()
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
