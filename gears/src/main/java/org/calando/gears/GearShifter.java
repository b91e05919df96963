package org.calando.gears;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwner;
import org.calando.control.PlanExecutor;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Plan;

/*
 * Journal and lock lie beside the gear file, not in a user's home: whoever may shift this cluster writes that file, and
 * must find what another began. A shift that fails stays where it is: each point between is safe, and a step back is a
 * shift too, with its own risks, which somebody should order.
 */
/**
 * Shifts a cluster's gear by plans that outlive the process: what was begun by one that was killed
 * is gone on with, or taken back, by the next. Not thread safe.
 */
public final class GearShifter {
  private final GearMeans means;
  private final GearKnob knob;
  private final String command;

  /**
   * A shifter.
   *
   * @param means what it works with
   * @param command who it is, for whoever finds the knob taken
   */
  public GearShifter(GearMeans means, String command) {
    this.means = means;
    this.knob = new GearKnob(means);
    this.command = command;
  }

  /** Where plans of a gear file are noted. */
  public static Path journal(Path gearFile) {
    return gearFile.resolveSibling(gearFile.getFileName() + ".journal");
  }

  /** The last entry of a plan that is neither done nor taken back nor given up. */
  public static Optional<JournalEntry> unfinished(Path gearFile) {
    Path file = journal(gearFile);
    return java.nio.file.Files.exists(file)
        ? Journal.openPlans(file).stream().findFirst()
        : Optional.empty();
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
    List<String> lines = new ArrayList<>(PlanExecutor.dryRun(plan(gear)));
    if (gear < gear()) {
      try {
        lines.add(
            "all " + Readability.require(means, gear) + " blocks can be read in gear " + gear);
      } catch (FailedWorkException e) {
        lines.add("it would fail: " + e.getMessage());
      }
    }
    return lines;
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
    owned(
        journal -> {
          requireNone(journal);
          execute(journal, ready(gear, Set.of()));
        });
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
    owned(
        journal -> {
          Optional<JournalEntry> open = journal.open().stream().findFirst();
          if (open.isEmpty() || !isUpTo(gear, open.get())) {
            requireNone(journal);
          }
          GearSetting to = ready(gear, without);
          if (open.isPresent()) {
            executor(journal).giveUp(open.get());
          }
          execute(journal, to);
        });
  }

  private static boolean isUpTo(int gear, JournalEntry open) {
    int to = GearSetting.parse(open.value()).gear();
    return to == gear && GearSetting.parse(open.before()).gear() <= to;
  }

  private void execute(Journal journal, GearSetting to) throws InterruptedException {
    GearSetting from = knob.current();
    executor(journal).execute(knob.plan(from, to), from.text(), knob.lifetime());
  }

  /** Goes on with the unfinished plan. */
  public void resume() throws InterruptedException {
    owned(
        journal -> {
          JournalEntry last = requireOne(journal);
          executor(journal).finish(same(last), last);
        });
  }

  /** Takes the unfinished plan back. */
  public void undo() throws InterruptedException {
    owned(
        journal -> {
          JournalEntry last = requireOne(journal);
          executor(journal).takeBack(same(last), last);
        });
  }

  /** Leaves the cluster where it is, and forgets the plan. */
  public void abandon() throws InterruptedException {
    owned(
        journal -> {
          executor(journal).giveUp(requireOne(journal));
        });
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
    List<OffloadRebuild> made = new ArrayList<>();
    owned(
        journal -> {
          requireNone(journal);
          made.add(OffloadRebuild.of(means, knob.current().gear(), dryRun));
        });
    return made.get(0);
  }

  /** What is done while nobody else can shift. */
  private interface Work {
    void run(Journal journal) throws InterruptedException;
  }

  private void owned(Work work) throws InterruptedException {
    KnobOwner owner = own();
    try (Journal journal = Journal.open(journal(means.path()))) {
      work.run(journal);
    } finally {
      owner.close();
    }
  }

  /** What to set; refuses what can be known before anything is begun. */
  private GearSetting ready(int gear, Set<String> without) throws InterruptedException {
    int now = knob.current().gear();
    requireSwitches(now, gear);
    if (gear < now) {
      long unused = Readability.require(means, gear);
    }
    GearSetting to = knob.to(gear, without);
    // Also those that were left off before, by this or by somebody else.
    to.reports().keySet().forEach(this::requireSwitch);
    return to;
  }

  private void requireSwitches(int now, int gear) {
    knob.requireGear(gear);
    means.between(Math.min(now, gear), Math.max(now, gear)).forEach(this::requireSwitch);
  }

  private void requireSwitch(String name) {
    if (!means.switches().containsKey(name)) {
      throw new BadRequestException(
          "nothing switches it",
          "node " + name,
          "give it a switch: in the inventory; see docs/switches.md");
    }
  }

  private Plan same(JournalEntry last) {
    if (!last.target().equals(knob.target())) {
      throw new BadRequestException(
          "the unfinished plan is of " + last.target() + ", and this is " + knob.target(),
          "gear file " + means.path(),
          "name the NameNode as before, or give the plan up by --abandon there");
    }
    return knob.plan(GearSetting.parse(last.before()), GearSetting.parse(last.value()));
  }

  private static PlanExecutor executor(Journal journal) {
    return new PlanExecutor(journal, Instant::now, PlanExecutor.OnFailure.LEAVE);
  }

  private void requireNone(Journal journal) {
    journal.open().stream()
        .findFirst()
        .ifPresent(
            last -> {
              throw new BadRequestException(
                  "there is an unfinished plan from "
                      + last.before()
                      + " to gear "
                      + GearSetting.parse(last.value()).gear()
                      + " of "
                      + last.at(),
                  "gear file " + means.path(),
                  "finish it by --resume, take it back by --undo, or leave it by --abandon");
            });
  }

  private JournalEntry requireOne(Journal journal) {
    return journal.open().stream()
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there is no unfinished plan",
                    "gear file " + means.path(),
                    "shift by ./calando gear up or down"));
  }

  private KnobOwner own() {
    Path folder = means.path().toAbsolutePath().getParent();
    return KnobOwner.take(folder == null ? Path.of(".") : folder, knob, command);
  }
}
