package org.calando.clock;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.control.Lease;
import org.calando.core.policy.Knob;
import org.calando.core.store.KnobNotes;
import org.calando.knob.KnobAxis;
import org.jspecify.annotations.Nullable;

/**
 * Knobs of clusters that this process has on lease, each as it was before when this is closed, or
 * when the process ends in whatever way. Thread safe.
 */
public final class KnobLease implements AutoCloseable {
  private final LeaseFolders folders;
  private final String words;
  private final Consumer<String> listener;
  private final Optional<HandedOver> handedOver;
  private final Lease ofProcess;
  private @Nullable LeaseOwners owners;
  private @Nullable Lease leased;
  private boolean closed;

  private KnobLease(
      LeaseFolders folders,
      String words,
      Consumer<String> listener,
      Optional<? extends KnobNotes> notes) {
    this.folders = folders;
    this.handedOver = notes.map(its -> new HandedOver(its, listener));
    this.words = words;
    this.listener = listener;
    this.ofProcess = Lease.ofProcess(words);
  }

  /**
   * Begins a lease, of nothing yet.
   *
   * @param folders of the command, beside which it is noted
   * @param owner who holds it, for others who are refused: the command and what it serves
   * @param listener takes lines on what happens to the guard, from another thread
   */
  public static KnobLease begin(LeaseFolders folders, String owner, Consumer<String> listener) {
    return new KnobLease(folders.ofClusters(), owner, listener, Optional.empty());
  }

  /**
   * Begins a lease that is noted in the cluster too, and restores what is noted there of governors
   * that have ended, maybe with their machines.
   *
   * @param notes of the cluster, which nobody else sets meanwhile; empty if it keeps none
   * @throws org.calando.core.FailedWorkException if that cannot be restored
   */
  public static KnobLease begin(
      LeaseFolders folders,
      String owner,
      Consumer<String> listener,
      Optional<? extends KnobNotes> notes)
      throws InterruptedException {
    KnobLease lease = new KnobLease(folders.ofClusters(), owner, listener, notes);
    boolean begun = false;
    try {
      if (lease.handedOver.isPresent()) {
        lease.handedOver.get().restore(lease::own);
      }
      begun = true;
      return lease;
    } finally {
      if (!begun) {
        lease.close();
      }
    }
  }

  /**
   * Takes a knob; what ended processes left of it is restored before, and from the first one that
   * does not end with this process a guard watches.
   *
   * @param knob none that is durable
   * @throws org.calando.core.BadRequestException if it has another owner, or could not be restored
   * @throws org.calando.core.FailedWorkException if it cannot be noted, or the guard does not start
   */
  public synchronized void own(Knob<?> knob) {
    if (knob.lifetime() == Knob.Lifetime.PROCESS) {
      ofProcess.own(knob);
      return;
    }
    LeaseOwners all = owners;
    Lease lease = leased;
    if (all == null || lease == null) {
      folders.makeOwners();
      long pid = ProcessHandle.current().pid();
      long start = ProcFs.machine().startTicks(pid).orElse(0);
      Path journal = folders.newJournal(pid, start);
      all = LeaseOwners.ofClusters(Machine.real(), folders, words, start, journal);
      lease =
          Lease.leased(
              journal, List.of(), all, file -> ClockGuard.over(file, folders.owners(), listener));
      owners = all;
      leased = lease;
    }
    all.restoreFormer(knob);
    lease.own(knob);
  }

  /**
   * Sets a knob that this owns, until the lease ends; noted before.
   *
   * @param before how it was when it was taken
   * @throws org.calando.core.BadRequestException if it cannot be set so
   * @throws org.calando.core.FailedWorkException if it could not be set: it is as before then
   */
  public <V> void set(KnobAxis<V> type, Knob<V> knob, V before, V to) throws InterruptedException {
    Lease mine = of(knob).orElseThrow();
    Optional<HandedOver> notes = handedOver.filter(its -> knob.lifetime() != Knob.Lifetime.PROCESS);
    // Until then the note tells of what a failed change left.
    mine.settle(knob);
    notes.ifPresent(its -> its.note(type, knob, before, to));
    long unused = mine.set(knob, before, to, type.text(before));
    notes.ifPresent(its -> its.inForce(type, knob, to));
  }

  /**
   * Restores a knob, and keeps it; nothing if this does not own it.
   *
   * @throws org.calando.core.FailedWorkException if it cannot be restored yet: each look and each
   *     change tries again
   */
  public <V> void goBack(KnobAxis<V> type, Knob<V> knob, V before) throws InterruptedException {
    Optional<Lease> lease = of(knob);
    if (lease.isPresent()) {
      lease.get().goBack(knob);
      handedOver.ifPresent(its -> its.inForce(type, knob, before));
    }
  }

  /**
   * Sets again what others have changed since it was set last; reads the knob.
   *
   * @return what was found and done, in words; empty if the knob is as it was set, or is not owned
   */
  public List<String> verify(Knob<?> knob) throws InterruptedException {
    Optional<Lease> lease = of(knob);
    return lease.isPresent() ? lease.get().verify(knob) : List.of();
  }

  /**
   * Restores a knob and gives it back; nothing if this does not own it.
   *
   * @throws org.calando.core.FailedWorkException if it cannot be restored; it is tried again when
   *     the lease ends
   */
  public void release(Knob<?> knob) throws InterruptedException {
    Optional<Lease> lease = of(knob);
    if (lease.isPresent()) {
      lease.get().release(knob);
    }
  }

  private synchronized Optional<Lease> of(Knob<?> knob) {
    return knob.lifetime() == Knob.Lifetime.PROCESS
        ? Optional.of(ofProcess)
        : Optional.ofNullable(leased);
  }

  /**
   * Restores everything, and lets the guard go; see {@link Lease#close}. Idempotent: what is not
   * restored by the first stays noted.
   */
  @Override
  @SuppressWarnings("try") // both are only closed, each whatever becomes of the other
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (Lease process = ofProcess;
        @Nullable Lease last = leased) {
      leased = null;
    }
    handedOver.ifPresent(HandedOver::forget);
  }
}
