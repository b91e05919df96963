package org.calando.clock;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.calando.control.KnobOwner;
import org.calando.control.KnobOwners;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/**
 * Makes one lease the owner of knobs, for all of the machine, and restores what ended processes
 * left of them. Thread safe.
 */
final class LeaseOwners implements KnobOwners {
  /** Whoever restores opens what it looks at for a moment. */
  private static final int ATTEMPTS = 10;

  private static final long PAUSE_NANOS = 10_000_000;

  private final Machine machine;
  private final LeaseFolders folders;
  private final String words;
  private final long startTicks;
  private final String bootId;
  private final Path journal;
  private volatile RestoreReport former = new RestoreReport(List.of());

  /**
   * Owners.
   *
   * @param owner who they are, for others who are refused
   * @param startTicks when this process started
   * @param journal of the lease
   */
  LeaseOwners(Machine machine, LeaseFolders folders, String owner, long startTicks, Path journal) {
    this(machine, folders, owner, startTicks, journal, machine.proc().bootId());
  }

  private LeaseOwners(
      Machine machine,
      LeaseFolders folders,
      String owner,
      long startTicks,
      Path journal,
      String bootId) {
    this.bootId = bootId;
    this.machine = machine;
    this.folders = folders;
    this.startTicks = startTicks;
    this.journal = journal;
    this.words =
        "%s, since %s, state folder %s"
            .formatted(owner, Instant.now().truncatedTo(ChronoUnit.SECONDS), folders.state());
  }

  /** Owners of what a restart of this machine does not reset. */
  static LeaseOwners ofClusters(
      Machine machine, LeaseFolders folders, String owner, long startTicks, Path journal) {
    return new LeaseOwners(machine, folders, owner, startTicks, journal, "");
  }

  /** Restores what ended processes left of all knobs; to be done before some are taken. */
  void restoreFormer() {
    former = restorer().restoreAll();
  }

  /**
   * Restores what ended processes left of a knob, and what else is in the journals that name it: a
   * cluster that cannot be reached keeps none of the others waiting.
   */
  void restoreFormer(Knob<?> knob) {
    former = restorer().restoreOf(knob.id().name(), knob.target());
  }

  private Restorer restorer() {
    return new Restorer(machine, folders, Restorer.Mode.RESTORE, false);
  }

  /**
   * {@inheritDoc}
   *
   * @throws BadRequestException also if it could not be restored
   */
  @Override
  public KnobOwner take(Knob<?> knob) {
    requireRestored(knob, former);
    for (int attempt = 1; ; attempt++) {
      try {
        return KnobOwner.take(folders.owners(), knob, words, note -> requireRestored(knob, note));
      } catch (BadRequestException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void note(KnobOwner mine, Knob<?> knob, Plan plan, String before) {
    mine.note(
        new OwnerNote(
                KnobOwner.file(folders.owners(), plan.knob(), plan.target()),
                words,
                bootId,
                ProcessHandle.current().pid(),
                startTicks,
                knob.id().name(),
                knob.target(),
                journal,
                before,
                plan.value())
            .line());
  }

  private static void requireRestored(Knob<?> knob, RestoreReport former) {
    for (RestoreReport.Item item : former.items()) {
      if (item.state() != RestoreReport.State.LEFT) {
        continue;
      }
      if (item.isWholeLease()) {
        throw new BadRequestException(
            "the settings before an earlier lease cannot be read, so the present ones are not"
                + " taken for them: "
                + item.detail(),
            where(knob),
            "./calando restore reports it too");
      }
      if (item.knob().equals(knob.id().name()) && item.target().equals(knob.target())) {
        throw new BadRequestException(
            "is not as it was before an earlier lease: " + item.detail(),
            where(knob),
            "./calando restore, with --force or --abandon if need be");
      }
    }
  }

  /** What its last owner noted is settled by now, but for one that died this moment. */
  private void requireRestored(Knob<?> knob, String former) {
    OwnerNote.read(KnobOwner.file(folders.owners(), knob.id().name(), knob.target()), former)
        .filter(note -> !note.isVoid(machine.proc()))
        .ifPresent(
            note -> {
              throw new BadRequestException(
                  "is not restored yet; it was " + note.before() + " before " + note.words(),
                  where(knob),
                  "./calando restore, then repeat the command");
            });
  }

  private static String where(Knob<?> knob) {
    return "knob " + knob.id().name() + " of " + knob.target();
  }
}
