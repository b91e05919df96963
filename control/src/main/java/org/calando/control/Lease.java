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
import org.calando.core.CalandoException;
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
 * Each setting of a knob that goes back is a plan from how it was at first, so whatever plan is open takes it back to that. A
 * new one is in force before the old one is given up: a journal that a killed process left has what was set last, and at
 * no moment nothing. Their plans have one step each, or none where that is how the knob was.
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
  private final Map<Key, Held> held = new LinkedHashMap<>();
  private @Nullable LeaseGuard guard;
  private boolean closed;

  private record Key(String knob, String target) {
    static Key of(Knob<?> knob) {
      return new Key(knob.id().name(), knob.target());
    }
  }

  /** A knob that is owned, and the plan that is in force since, if one is. */
  private record Held(KnobOwner owner, @Nullable Plan plan, @Nullable JournalEntry last) {}

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
      lease.held.put(Key.of(knob), new Held(mine, null, null));
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
    held.computeIfAbsent(Key.of(knob), key -> new Held(owners.take(knob), null, null));
  }

  /**
   * Sets a knob that this owns, and reads it back.
   *
   * @param before how it was when it was taken
   * @param words the same in the words of {@link Plan#value}
   * @return the plan's number in the journal; 0 if the knob is as before
   * @throws org.calando.core.BadRequestException if it cannot be set so
   * @throws FailedWorkException if it could not be set: it is as before then; a durable one stays
   *     where it is, with its plan open
   * @throws InterruptedException if the waiting thread is interrupted; the plan is open
   */
  public synchronized <V> long set(Knob<V> knob, V before, V to, String words)
      throws InterruptedException {
    requireOpen();
    Key key = Key.of(knob);
    @Nullable Held mine = held.get(key);
    if (mine == null) {
      throw new IllegalStateException(key + " is not owned");
    }
    Plan plan = knob.plan(before, to);
    if (lifetime == Lifetime.DURABLE) {
      return executor.execute(plan, words, lifetime).plan();
    }
    if (plan.steps().isEmpty()) {
      held.put(key, goBack(mine));
      return 0;
    }
    @Nullable JournalEntry old = mine.last();
    if (old != null && knob.current().equals(to)) {
      // The new plan would have nothing to take back.
      return old.plan();
    }
    owners.note(mine.owner(), knob, plan, words);
    JournalEntry last;
    try {
      last = executor.execute(plan, words, lifetime);
    } catch (CalandoException | InterruptedException e) {
      keepOpen(key, mine, plan);
      throw e;
    }
    // The newest goes back first.
    held.remove(key);
    held.put(key, new Held(mine.owner(), plan, last));
    if (old != null) {
      executor.giveUp(old);
    }
    return last.plan();
  }

  /**
   * Does again what others have undone of the plan in force; nothing where there is none.
   *
   * @return the steps that were undone and what became of them, in words
   */
  public synchronized List<String> verify(Knob<?> knob) throws InterruptedException {
    @Nullable Held mine = held.get(Key.of(knob));
    @Nullable Plan plan = mine == null ? null : mine.plan();
    @Nullable JournalEntry last = mine == null ? null : mine.last();
    return plan == null || last == null ? List.of() : executor.repeat(plan, last);
  }

  /** What a plan that failed has left is taken back when the knob is released. */
  private void keepOpen(Key key, Held mine, Plan plan) {
    List<JournalEntry> open = openOf(key);
    if (!open.isEmpty() && open.get(open.size() - 1).value().equals(plan.value())) {
      held.put(key, new Held(mine.owner(), plan, open.get(open.size() - 1)));
    }
  }

  private List<JournalEntry> openOf(Key key) {
    return journal.open().stream()
        .filter(one -> new Key(one.knob(), one.target()).equals(key))
        .toList();
  }

  /**
   * Restores a knob and gives it back; nothing if this does not own it.
   *
   * @throws FailedWorkException if it cannot be restored; it is tried again when the lease ends
   */
  public synchronized void release(Knob<?> knob) throws InterruptedException {
    Key key = Key.of(knob);
    @Nullable Held mine = held.get(key);
    if (mine != null) {
      Held back = goBack(mine);
      held.remove(key);
      giveBack(key, back);
    }
  }

  private Held goBack(Held mine) throws InterruptedException {
    @Nullable Plan plan = mine.plan();
    @Nullable JournalEntry last = mine.last();
    if (plan != null && last != null) {
      executor.takeBack(plan, last);
      // Those that it replaced and could not give up.
      openOf(new Key(last.knob(), last.target())).forEach(executor::giveUp);
    }
    return new Held(mine.owner(), null, null);
  }

  /** What could not be taken back stays noted. */
  private void giveBack(Key key, Held mine) {
    if (!openOf(key).isEmpty() || lifetime == Lifetime.DURABLE) {
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
    List<Map.Entry<Key, Held>> newestFirst = new ArrayList<>(held.entrySet());
    Collections.reverse(newestFirst);
    for (Map.Entry<Key, Held> one : newestFirst) {
      try {
        giveBack(one.getKey(), goBack(one.getValue()));
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
