package org.calando.control;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.calando.control.file.AtomicFiles;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Knob.Lifetime;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/*
 * What differs by the lifetime of its knobs:
 *
 *                    process                leased                         durable
 *   journal          in memory              on disk, gone when restored    on disk, stays
 *   a step fails     the plan is taken back, likewise                      the plan stays where it is, open
 *   it is closed     knobs go back          knobs go back                  knobs stay
 *   it is killed     knobs end with it      the guard, or restore          the next owner resumes, or takes back
 *
 * A journal's channel is closed by an interrupt of whoever writes to it. Going back must not fail for that, so a pending
 * interrupt is kept until it is done.
 */
/**
 * The one owner of knobs, for as long as it is open. Each setting is a plan: in the journal before
 * it is begun, read back after each step. Thread safe.
 */
public final class Lease implements AutoCloseable {
  private final Lifetime lifetime;
  private final KnobOwners owners;
  private final Journal journal;
  private final List<Path> files;
  private final PlanExecutor executor;
  private final Map<Key, LeasedKnob> held = new LinkedHashMap<>();
  private @Nullable LeaseGuard guard;
  private boolean closed;

  private record Key(String knob, String target) {
    static Key of(Knob<?> knob) {
      return new Key(knob.id().name(), knob.target());
    }
  }

  private Lease(Lifetime lifetime, KnobOwners owners, Journal journal, List<Path> files) {
    this.lifetime = lifetime;
    this.owners = owners;
    this.journal = journal;
    this.files = List.copyOf(files);
    this.executor =
        new PlanExecutor(
            journal,
            Instant::now,
            lifetime == Lifetime.DURABLE
                ? PlanExecutor.OnFailure.LEAVE
                : PlanExecutor.OnFailure.TAKE_BACK);
  }

  /**
   * Begins a lease of knobs that end with this process; nothing is written to a disk.
   *
   * @param words who has them, for whoever is refused
   */
  public static Lease ofProcess(String words) {
    return new Lease(
        Lifetime.PROCESS, knob -> KnobOwner.ofProcess(knob, words), Journal.inMemory(), List.of());
  }

  /**
   * Begins a lease of knobs that go back when it ends, of none yet.
   *
   * @param journal a new file
   * @param beside files that go before it, once everything is restored
   * @param guards what watches over it; the lease begins when it does
   * @throws FailedWorkException if the journal cannot be written, or nobody watches
   */
  public static Lease leased(
      Path journal, List<Path> beside, KnobOwners owners, LeaseGuard.Starter guards) {
    List<Path> files = new ArrayList<>(beside);
    files.add(journal);
    Lease lease = new Lease(Lifetime.LEASED, owners, Journal.openSoon(journal), files);
    try {
      lease.guard = guards.start(journal);
    } finally {
      if (lease.guard == null) {
        lease.close();
      }
    }
    return lease;
  }

  /**
   * Takes a durable knob.
   *
   * @param journal made if it is not there
   * @throws org.calando.core.BadRequestException if another has the knob
   * @throws FailedWorkException if the journal cannot be read or written
   */
  public static Lease durable(Path journal, KnobOwners owners, Knob<?> knob) {
    KnobOwner mine = owners.take(knob);
    @Nullable Lease lease = null;
    try {
      lease = new Lease(Lifetime.DURABLE, owners, Journal.openSoon(journal), List.of());
      lease.held.put(Key.of(knob), lease.leased(mine));
      return lease;
    } finally {
      if (lease == null) {
        mine.close();
      }
    }
  }

  /**
   * Takes a journal whose owner has ended, to end its plans; owns none of their knobs.
   *
   * @return nothing if somebody has it
   * @throws FailedWorkException if it cannot be read, or is damaged
   */
  public static Optional<Lease> left(Path journal) {
    KnobOwners none =
        knob -> {
          throw new IllegalStateException("owns no knobs");
        };
    return Journal.openIfFree(journal)
        .map(free -> new Lease(Lifetime.LEASED, none, free, List.of()));
  }

  /** What a plan would do, a line a step. Changes nothing. */
  public static List<String> dryRun(Plan plan) {
    return PlanExecutor.dryRun(plan);
  }

  /**
   * The last entry of each plan of a journal that is not ended; the file is only read, whoever has
   * it open.
   *
   * @return empty if there is no such file
   */
  public static List<JournalEntry> unfinished(Path journal) {
    return Files.exists(journal) ? Journal.openPlans(journal) : List.of();
  }

  /** Whether nothing was ever begun. */
  public boolean isEmpty() {
    return journal.entries().isEmpty();
  }

  /** The last entry of each plan that is not ended. */
  public List<JournalEntry> open() {
    return journal.open();
  }

  /** The guard's process, for people; -1 while there is none. */
  public long guardPid() {
    return guard == null ? -1 : guard.pid();
  }

  /** Whether it has a knob. */
  public synchronized boolean owns(Knob<?> knob) {
    return held.containsKey(Key.of(knob));
  }

  /**
   * Takes a knob, and leaves it as it is; nothing if it has it.
   *
   * @throws org.calando.core.BadRequestException naming the owner, if it has another
   */
  public synchronized void own(Knob<?> knob) {
    requireOpen();
    if (knob.lifetime() != lifetime) {
      throw new IllegalArgumentException(
          "knob " + knob.id().name() + " is " + knob.lifetime() + ", the lease " + lifetime);
    }
    held.computeIfAbsent(Key.of(knob), key -> leased(owners.take(knob)));
  }

  private LeasedKnob leased(KnobOwner owner) {
    return new LeasedKnob(owner, journal, executor);
  }

  /**
   * Sets a knob that this owns, and reads it back.
   *
   * @param before how it was when it was taken
   * @param words the same in the words of {@link Plan#value}
   * @return the plan's number in the journal; 0 if the plan has no steps, and the knob is as before
   * @throws org.calando.core.BadRequestException if it cannot be set so
   * @throws FailedWorkException if it could not be set, or what a failed plan left cannot be taken
   *     back: what was begun is as before then; a durable one stays where it is, with its plan open
   * @throws InterruptedException if the waiting thread is interrupted; the plan is open
   */
  public synchronized <V> long set(Knob<V> knob, V before, V to, String words)
      throws InterruptedException {
    requireOpen();
    Key key = Key.of(knob);
    @Nullable LeasedKnob mine = held.get(key);
    if (mine == null) {
      throw new IllegalStateException(key + " is not owned");
    }
    Plan plan = knob.plan(before, to);
    if (lifetime == Lifetime.DURABLE) {
      return executor.execute(plan, words, lifetime).plan();
    }
    if (plan.steps().isEmpty()) {
      mine.goBack();
      return 0;
    }
    long number = mine.set(knob, to, plan, words, owners);
    // The newest goes back first.
    held.remove(key);
    held.put(key, mine);
    return number;
  }

  /**
   * Does again what others have undone of the plan in force, and takes back what a failed one left;
   * nothing where there is neither.
   *
   * @return what was found and what became of it, in words
   */
  public synchronized List<String> verify(Knob<?> knob) throws InterruptedException {
    @Nullable LeasedKnob mine = held.get(Key.of(knob));
    return mine == null ? List.of() : mine.verify();
  }

  /**
   * Takes back what a failed plan of a knob left; nothing if that is done.
   *
   * @throws FailedWorkException if it cannot be taken back yet
   */
  public synchronized void settle(Knob<?> knob) throws InterruptedException {
    @Nullable LeasedKnob mine = held.get(Key.of(knob));
    if (mine != null) {
      mine.settle();
    }
  }

  /**
   * Restores a knob, and keeps it; nothing if this does not own it.
   *
   * @throws FailedWorkException if it cannot be restored yet: each look and each change tries again
   */
  public synchronized void goBack(Knob<?> knob) throws InterruptedException {
    @Nullable LeasedKnob mine = held.get(Key.of(knob));
    if (mine != null) {
      mine.goBack();
    }
  }

  /**
   * Restores a knob and gives it back; nothing if this does not own it.
   *
   * @throws FailedWorkException if it cannot be restored; it is tried again when the lease ends
   */
  public synchronized void release(Knob<?> knob) throws InterruptedException {
    Key key = Key.of(knob);
    @Nullable LeasedKnob mine = held.get(key);
    if (mine != null) {
      mine.goBack();
      held.remove(key);
      giveBack(key, mine);
    }
  }

  /** What could not be taken back stays noted. */
  private void giveBack(Key key, LeasedKnob mine) {
    boolean open =
        journal.open().stream().anyMatch(one -> new Key(one.knob(), one.target()).equals(key));
    if (open || lifetime == Lifetime.DURABLE) {
      mine.owner().close();
    } else {
      mine.owner().release();
    }
  }

  /** Refuses to begin a plan while there is an unfinished one. */
  void requireNone(Shifter.Words words) {
    if (!journal.open().isEmpty()) {
      throw words.unfinished(journal.open().get(0));
    }
  }

  /** The unfinished plan; refuses if there is none. */
  JournalEntry requireOne(Shifter.Words words) {
    return journal.open().stream().findFirst().orElseThrow(words::none);
  }

  /** Resumes the unfinished plan as {@code same} makes it; refuses if it is of another target. */
  void resume(Shifter.Words words, Function<JournalEntry, Plan> same) throws InterruptedException {
    JournalEntry last = requireMine(words);
    finish(same.apply(last), last);
  }

  /** Takes the unfinished plan back; as {@link #resume}. */
  void undo(Shifter.Words words, Function<JournalEntry, Plan> same) throws InterruptedException {
    JournalEntry last = requireMine(words);
    takeBack(same.apply(last), last);
  }

  private JournalEntry requireMine(Shifter.Words words) {
    JournalEntry last = requireOne(words);
    for (Key key : held.keySet()) {
      if (!key.target().equals(last.target())) {
        throw words.ofAnother(last, key.target());
      }
    }
    return last;
  }

  /** Resumes a plan, which its knob made again of its last entry. */
  public synchronized void finish(Plan plan, JournalEntry last) throws InterruptedException {
    executor.finish(plan, last);
  }

  /**
   * Takes a plan back, which its knob made again of its last entry.
   *
   * @throws FailedWorkException naming the steps that could not be taken back
   */
  public synchronized void takeBack(Plan plan, JournalEntry last) throws InterruptedException {
    executor.takeBack(plan, last);
  }

  /** Ends a plan where it is. */
  public synchronized void giveUp(JournalEntry last) {
    executor.giveUp(last);
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the lease has ended");
    }
  }

  /**
   * Restores everything but what is durable, and lets knobs and guard go. Idempotent.
   *
   * @throws FailedWorkException naming what is not restored; it stays in the journal
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean interrupted = Thread.interrupted();
    List<String> failed = new ArrayList<>();
    List<Map.Entry<Key, LeasedKnob>> newestFirst = new ArrayList<>(held.entrySet());
    Collections.reverse(newestFirst);
    for (Map.Entry<Key, LeasedKnob> one : newestFirst) {
      try {
        one.getValue().goBack();
        giveBack(one.getKey(), one.getValue());
        held.remove(one.getKey());
      } catch (InterruptedException e) {
        interrupted = true;
        failed.add("interrupted");
      } catch (RuntimeException e) {
        // Whatever it is, the other knobs are restored.
        failed.add(String.valueOf(e.getMessage()));
      }
    }
    end();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (!failed.isEmpty()) {
      Path last = files.isEmpty() ? null : files.get(files.size() - 1).getFileName();
      throw new FailedWorkException(
          String.join("\n", failed),
          last == null ? "knobs of this process" : "lease " + last,
          last == null ? "end this process" : "./calando restore");
    }
  }

  private void end() {
    boolean restored = journal.open().isEmpty();
    try {
      if (restored) {
        files.forEach(AtomicFiles::removeRestored);
      }
    } finally {
      abandon();
      if (guard != null && restored) {
        guard.close();
      } else if (guard != null) {
        guard.restore();
      }
    }
  }

  /** Lets go of the files and restores nothing: what the end of this process would do. */
  public synchronized void abandon() {
    closed = true;
    journal.close();
    held.values().forEach(one -> one.owner().close());
    held.clear();
  }
}
