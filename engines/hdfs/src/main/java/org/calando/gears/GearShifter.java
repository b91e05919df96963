package org.calando.gears;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.JournalEntry;
import org.calando.control.Lease;
import org.calando.control.Shifter;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;

/** Shifts a cluster's gear. Not thread safe. */
public final class GearShifter extends Shifter<GearSetting, GearKnob> {
  private final GearMeans means;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param command who it is, for whoever finds the knob taken
   */
  public GearShifter(GearMeans means, String command) {
    super(
        means.path(),
        new GearKnob(means),
        GearSetting::parse,
        command,
        "gear file " + means.path(),
        means.command("status"),
        Remedies.plan(means));
    this.means = means;
  }

  @Override
  protected void begin() throws InterruptedException {
    means.nodes().beginOrders();
  }

  /** The gear that the gear file tells. */
  public int gear() {
    return knob.current().gear();
  }

  /**
   * What a shift would do, a line a step. Changes nothing.
   *
   * @throws BadRequestException if there is no such gear
   */
  public List<String> dryRun(int gear) throws InterruptedException {
    requireSwitches(gear(), gear);
    List<String> lines = new ArrayList<>(gear < gear() ? List.of() : dryRevive());
    lines.addAll(Lease.dryRun(plan(gear)));
    if (gear < gear()) {
      try {
        lines.add("all " + requireReadable(gear) + " blocks can be read in gear " + gear);
      } catch (FailedWorkException e) {
        lines.add("it would fail: " + e.getMessage());
      }
    }
    return lines;
  }

  /** What {@link #revive} would do, a line at most. Changes nothing. */
  public List<String> dryRevive() {
    List<String> dead = dead();
    return dead.isEmpty()
        ? List.of()
        : List.of("Switch " + String.join(", ", dead) + " on again, and wait for their reports");
  }

  /**
   * Refuses a gear that the cluster does not have.
   *
   * @throws BadRequestException naming those that it has
   */
  public void requireGear(int gear) {
    knob.requireGear(gear);
  }

  /**
   * Refuses what {@link #shift} and {@link #shiftWithout} refuse of a request, before anything is
   * switched.
   *
   * @throws BadRequestException naming what is wrong
   */
  public void require(int gear, Set<String> without) {
    requireSwitches(gear(), gear);
    knob.to(gear, without).reports().keySet().forEach(this::requireSwitch);
  }

  /*
   * No step of a plan: a node that is to be on whatever becomes of the plan is not switched off to take the plan back,
   * and an open plan that waits for the node must not keep it from being switched on.
   */
  /**
   * Switches on again what is to be on in the gear that the cluster is in, does not serve, and is
   * off by its switch; waits for reports. Nodes that an unfinished plan is about are left to it.
   * What fails is told as news, and is left to {@link GearDoctor#missing}.
   *
   * @throws BadRequestException if another process shifts
   */
  public void revive() throws InterruptedException {
    Lease lease = take();
    try {
      List<String> dead = dead();
      if (dead.isEmpty()) {
        return;
      }
      means.nodes().beginOrders();
      NodeMeans nodes = means.nodes();
      Map<String, Long> before = nodes.reports(Set.copyOf(dead));
      means.news().tell("switching on again: " + String.join(", ", dead));
      try {
        nodes.switchOn(dead);
        nodes.awaitReport(Set.copyOf(dead), before);
      } catch (FailedWorkException e) {
        means.news().tell("not switched on again: " + e.problem());
      }
    } finally {
      lease.close();
    }
  }

  /**
   * To be on now, off by their switches, and no plan sees to them. What the NameNode knows, and has
   * neither in service nor in maintenance, is being taken out of the cluster: that is an order.
   */
  private List<String> dead() {
    Set<String> left = new TreeSet<>(means.offIn(gear()));
    left.addAll(means.cluster().maintained());
    left.addAll(GearDoctor.moving(means));
    return means.cluster().members().stream()
        .filter(member -> !left.contains(member.name()))
        .filter(member -> member.service() != Member.Service.OTHER || member.reportMillis() == 0)
        .filter(member -> !member.serves() || !means.cluster().answers(member))
        .map(Member::name)
        .filter(name -> means.nodes().power(name) == PowerSwitch.State.OFF)
        .toList();
  }

  private Plan plan(int gear) {
    GearSetting from = knob.current();
    return knob.plan(from, knob.to(gear));
  }

  /**
   * Shifts, or brings blocks home where the cluster is in that gear.
   *
   * @param gear from 1
   * @throws BadRequestException if there is no such gear, another process shifts, or there is an
   *     unfinished plan
   * @throws FailedWorkException if a step failed: the plan is open then, and safe to leave
   * @throws InterruptedException if the process is to end: the plan is open
   */
  public void shift(int gear) throws InterruptedException {
    set(open -> false, () -> ready(gear, Set.of()));
  }

  /**
   * Shifts up while some nodes stay off: they are left in maintenance, and what belongs there is
   * kept elsewhere as while they were off by the gear. A later shift up switches them on too. An
   * unfinished shift up to the same gear is given up for it.
   *
   * @param gear from 1
   * @param without names of nodes as the gear file has them
   * @throws BadRequestException as {@link #shift(int)}, and if a node is none that is to go on
   */
  public void shiftWithout(int gear, Set<String> without) throws InterruptedException {
    set(open -> isUpTo(gear, open), () -> ready(gear, without));
  }

  private static boolean isUpTo(int gear, JournalEntry open) {
    int to = GearSetting.parse(open.value()).gear();
    return to == gear && GearSetting.parse(open.before()).gear() <= to;
  }

  /**
   * Writes the off-load log anew from the layout's plan and where blocks are.
   *
   * @param dryRun whether only to tell what would be written
   * @throws BadRequestException if another process shifts, there is an unfinished plan, or the gear
   *     file names no log
   * @throws FailedWorkException if a node that is to be on does not serve, so that the NameNode
   *     does not know where all blocks are, or the log cannot be written
   */
  public OffloadRebuild rebuildLog(boolean dryRun) throws InterruptedException {
    try (Lease lease = take()) {
      requireNone(lease);
      return OffloadRebuild.of(means, knob.current().gear(), dryRun);
    }
  }

  /** What to set; refuses what can be known before anything is begun. */
  private GearSetting ready(int gear, Set<String> without) throws InterruptedException {
    int now = knob.current().gear();
    requireSwitches(now, gear);
    if (gear < now) {
      means.nodes().requireKnown(means.between(gear, now));
      long unused = requireReadable(gear);
    }
    GearSetting to = knob.to(gear, without);
    // Also those that were left off before, by this or by somebody else.
    to.reports().keySet().forEach(this::requireSwitch);
    return to;
  }

  private long requireReadable(int gear) throws InterruptedException {
    return Readability.require(
        means.nodes(), means.offIn(gear), Remedies.before(means, gear, knob.current().gear()));
  }

  private void requireSwitches(int now, int gear) {
    knob.requireGear(gear);
    means.between(Math.min(now, gear), Math.max(now, gear)).forEach(this::requireSwitch);
  }

  private void requireSwitch(String name) {
    if (!means.switches().containsKey(name)) {
      throw new BadRequestException("nothing switches it", "node " + name, SwitchBoard.NO_SWITCH);
    }
  }
}
