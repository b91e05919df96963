package org.calando.control;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.calando.control.file.PlanNotes;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/*
 * Journal and lock lie beside the file that says how the cluster is to be, not in a user's home: whoever may shift this
 * cluster writes that file, and must find what another began.
 */
/**
 * Shifts a durable knob by plans that outlive the process: what was begun by one that was killed is
 * resumed, or taken back, by the next. Not thread safe, but for {@link #hold}, and that one shift
 * keeps out others.
 */
public abstract class Shifter<V extends Shifter.Setting, K extends Knob<V>> {
  /** What is shifted. */
  protected final K knob;

  private final Path file;
  private final Function<String, V> parse;
  private final KnobOwners owners;
  private final Words words;
  private volatile @Nullable KnobOwner held;

  /** What a knob is set to. */
  public interface Setting {
    /** As a journal has it. */
    String text();

    /** For people. */
    String words();
  }

  /** Of what plans are, a setting's text for people, how a plan is begun, and how it is resumed. */
  record Words(String place, UnaryOperator<String> value, String begin, String resume) {
    BadRequestException unfinished(JournalEntry last) {
      return new BadRequestException(
          "there is an unfinished plan from "
              + value.apply(last.before())
              + " to "
              + value.apply(last.value())
              + " of "
              + last.at(),
          place,
          resume);
    }

    BadRequestException none() {
      return new BadRequestException("there is no unfinished plan", place, begin);
    }

    BadRequestException ofAnother(JournalEntry last, String target) {
      return new BadRequestException(
          "the unfinished plan is of " + last.target() + ", and this is " + target,
          place,
          "name the cluster as before, or forget the plan by --abandon there");
    }
  }

  /** What to set, found out while nobody else may shift; fails if that is not possible. */
  protected interface Target<V> {
    /** Changes nothing if it fails. */
    V get() throws InterruptedException;
  }

  /**
   * Begins nothing yet.
   *
   * @param file that says how the cluster is to be
   * @param parse of {@link Setting#text}
   * @param command who it is, for whoever finds the knob taken
   * @param place what plans are of, with its path
   * @param status the command that shows whether all is well
   * @param resume the command that resumes a plan
   */
  protected Shifter(
      Path file,
      K knob,
      Function<String, V> parse,
      String command,
      String place,
      String status,
      String resume) {
    this.knob = knob;
    this.file = file;
    this.parse = parse;
    Path folder = file.toAbsolutePath().getParent();
    owners = KnobOwners.in(folder == null ? Path.of(".") : folder, command);
    String begin = "nothing to do; " + status + " shows whether all is well";
    words = new Words(place, value -> parse.apply(value).words(), begin, resume);
  }

  private static Path journal(Path file) {
    return file.resolveSibling(file.getFileName() + ".journal");
  }

  /** The last entry of a plan that is neither done nor taken back nor given up. */
  public static Optional<JournalEntry> unfinished(Path file) {
    return Lease.unfinished(journal(file)).stream().findFirst();
  }

  /** Where that plan goes. */
  public final Optional<V> unfinished() {
    return unfinished(file).map(last -> parse.apply(last.value()));
  }

  /** Whether an unfinished plan has begun a step, and has not taken it back. */
  protected final boolean hasBegun(String step) {
    return unfinished(file).isPresent() && Journal.begun(journal(file)).contains(step);
  }

  /** How the cluster is to be. */
  public final V current() {
    return knob.current();
  }

  /** The knob, for as long as nobody else may shift; refused if another process shifts. */
  protected final Lease take() {
    KnobOwner mine = held;
    return Lease.durable(journal(file), mine == null ? owners : mine::lend, knob);
  }

  /**
   * Keeps all others from shifting until {@link #letGo}, also between shifts: whoever decides on
   * from gear to gear would be at odds with them. Ends with this process in any case.
   *
   * @throws BadRequestException naming who has the knob
   */
  public final void hold() {
    if (held == null) {
      held = owners.take(knob);
    }
  }

  /** Lets others shift again. Idempotent. */
  public final void letGo() {
    KnobOwner mine = held;
    if (mine != null) {
      held = null;
      mine.close();
    }
  }

  /** Refuses to begin a plan while there is an unfinished one. */
  protected final void requireNone(Lease lease) {
    lease.requireNone(words);
  }

  /** Before the first order of a plan. */
  protected void begin() throws InterruptedException {}

  /** After plans, also where they failed. */
  protected void ended() {}

  /** Before a plan is forgotten. */
  protected void forget() {}

  /**
   * Begins a plan and carries it out.
   *
   * @param replaces unfinished plans that are given up for it
   * @throws BadRequestException if another process shifts, or there is another unfinished plan
   * @throws org.calando.core.FailedWorkException if a step failed: the plan is open, and safe to
   *     leave
   * @throws InterruptedException if the process is to end: the plan is open
   */
  protected final void set(Predicate<JournalEntry> replaces, Target<V> target)
      throws InterruptedException {
    try {
      withLease(
          lease -> {
            Optional<JournalEntry> open = lease.open().stream().findFirst();
            if (open.filter(replaces).isEmpty()) {
              requireNone(lease);
            }
            V to = target.get();
            open.ifPresent(lease::giveUp);
            begin();
            V from = current();
            PlanNotes.kept()
                .ifPresent(notes -> notes.begin(journal(file), to.words(), words.resume()));
            long unused = lease.set(knob, from, to, from.text());
          });
    } finally {
      ended();
    }
  }

  /** Resumes the unfinished plan. */
  public final void resume() throws InterruptedException {
    try {
      withLease(
          lease -> {
            begin();
            lease.resume(words, this::same);
          });
    } finally {
      ended();
    }
  }

  /** Takes the unfinished plan back. */
  public final void undo() throws InterruptedException {
    try {
      withLease(
          lease -> {
            begin();
            lease.undo(words, this::same);
          });
    } finally {
      ended();
    }
  }

  /** Leaves the cluster where it is, and forgets the plan, but for what has to be put in order. */
  public final void abandon() throws InterruptedException {
    withLease(
        lease -> {
          JournalEntry last = lease.requireOne(words);
          forget();
          lease.giveUp(last);
        });
  }

  private interface Work {
    void with(Lease lease) throws InterruptedException;
  }

  /** The note of a plan goes while nobody else can begin one. */
  private void withLease(Work work) throws InterruptedException {
    try (Lease lease = take()) {
      try {
        work.with(lease);
      } finally {
        if (lease.open().isEmpty()) {
          PlanNotes.kept().ifPresent(notes -> notes.end(journal(file)));
        }
      }
    }
  }

  private Plan same(JournalEntry last) {
    return knob.plan(parse.apply(last.before()), parse.apply(last.value()));
  }
}
