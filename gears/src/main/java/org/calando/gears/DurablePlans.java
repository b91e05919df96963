package org.calando.gears;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.KnobOwner;
import org.calando.control.PlanExecutor;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;

/*
 * Journal and lock lie beside the file that says how the cluster is to be, not in a user's home: whoever may shift this
 * cluster writes that file, and must find what another began. A plan that fails stays where it is: each point between is
 * safe, and a step back is a shift too, with its own risks, which somebody should order.
 */
/**
 * Plans of a durable knob that outlive the process: one at a time, by one process at a time. Not
 * thread safe.
 */
public final class DurablePlans {
  private final Knob<?> knob;
  private final Path file;
  private final String owner;
  private final Words words;

  /**
   * How people are told.
   *
   * @param place what the file is, with its path
   * @param value makes words of a setting as the journal has it
   * @param begin how a plan is begun
   * @param resume how one that is open is resumed
   */
  public record Words(String place, UnaryOperator<String> value, String begin, String resume) {}

  /** What is done while nobody else can shift. */
  public interface Work {
    /** Does it. */
    void run(Journal journal) throws InterruptedException;
  }

  /**
   * Plans of a knob.
   *
   * @param knob which
   * @param file beside which the journal is, {@code FILE.journal}
   * @param owner who carries them out, for whoever finds the knob taken
   * @param words how people are told
   */
  public DurablePlans(Knob<?> knob, Path file, String owner, Words words) {
    this.knob = knob;
    this.file = file;
    this.owner = owner;
    this.words = words;
  }

  /** Where plans are noted. */
  public static Path journal(Path file) {
    return file.resolveSibling(file.getFileName() + ".journal");
  }

  /** The last entry of a plan that is neither done nor taken back nor given up. */
  public static Optional<JournalEntry> unfinished(Path file) {
    Path journal = journal(file);
    return Files.exists(journal)
        ? Journal.openPlans(journal).stream().findFirst()
        : Optional.empty();
  }

  /**
   * Does something while nobody else can shift.
   *
   * @throws BadRequestException if another process does
   */
  public void owned(Work work) throws InterruptedException {
    Path folder = file.toAbsolutePath().getParent();
    KnobOwner taken = KnobOwner.take(folder == null ? Path.of(".") : folder, knob, owner);
    try (Journal journal = Journal.open(journal(file))) {
      work.run(journal);
    } finally {
      taken.close();
    }
  }

  /** What carries plans out: one that fails is left where it is. */
  public PlanExecutor executor(Journal journal) {
    return new PlanExecutor(journal, Instant::now, PlanExecutor.OnFailure.LEAVE);
  }

  /** Refuses to begin a plan while there is an unfinished one. */
  public void requireNone(Journal journal) {
    journal.open().stream()
        .findFirst()
        .ifPresent(
            last -> {
              throw new BadRequestException(
                  "there is an unfinished plan from "
                      + words.value().apply(last.before())
                      + " to "
                      + words.value().apply(last.value())
                      + " of "
                      + last.at(),
                  words.place(),
                  words.resume());
            });
  }

  /**
   * The unfinished plan.
   *
   * @throws BadRequestException if there is none
   */
  public JournalEntry requireOne(Journal journal) {
    return journal.open().stream()
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "there is no unfinished plan", words.place(), words.begin()));
  }

  /**
   * Resumes the unfinished plan.
   *
   * @param same makes the plan of its last entry
   * @throws BadRequestException if there is none, it is of another cluster, or another process
   *     shifts
   */
  public void resume(Function<JournalEntry, Plan> same) throws InterruptedException {
    owned(
        journal -> {
          JournalEntry last = requireMine(journal);
          executor(journal).finish(same.apply(last), last);
        });
  }

  /** Takes the unfinished plan back; as {@link #resume}. */
  public void undo(Function<JournalEntry, Plan> same) throws InterruptedException {
    owned(
        journal -> {
          JournalEntry last = requireMine(journal);
          executor(journal).takeBack(same.apply(last), last);
        });
  }

  private JournalEntry requireMine(Journal journal) {
    JournalEntry last = requireOne(journal);
    requireSameTarget(last);
    return last;
  }

  private void requireSameTarget(JournalEntry last) {
    if (!last.target().equals(knob.target())) {
      throw new BadRequestException(
          "the unfinished plan is of " + last.target() + ", and this is " + knob.target(),
          words.place(),
          "name the cluster as before, or give the plan up by --abandon there");
    }
  }
}
