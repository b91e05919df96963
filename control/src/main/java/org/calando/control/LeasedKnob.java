package org.calando.control;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.Plan;
import org.jspecify.annotations.Nullable;

/*
 * Each setting of a knob that goes back is a plan from how it was at first, so whatever plan is open takes it back to that. A
 * new one is in force before the old one is given up: a journal that a killed process left has what was set last, and at
 * no moment nothing. Steps that the old one has begun the new one performs too, and so takes them back.
 *
 * What a failed plan could not take back, as of a node that is away, stays open, and each look and each change tries that
 * again. Until it is taken back no other plan is begun: so a knob has two open plans at most, and a node has one of their
 * values or that of before, for however long it is away.
 */
/** What a lease has set of a knob that goes back. Used by one thread at a time. */
final class LeasedKnob {
  private final KnobOwner owner;
  private final Journal journal;
  private final PlanExecutor executor;
  private @Nullable Setting inForce;
  private final List<Setting> left = new ArrayList<>(); // to be taken back yet, the oldest first

  /** A plan and its last entry. */
  private record Setting(Plan plan, JournalEntry last) {}

  LeasedKnob(KnobOwner owner, Journal journal, PlanExecutor executor) {
    this.owner = owner;
    this.journal = journal;
    this.executor = executor;
  }

  KnobOwner owner() {
    return owner;
  }

  /** As {@link Lease#set}, of a plan that has steps. */
  <V> long set(Knob<V> knob, V to, Plan plan, String words, KnobOwners owners)
      throws InterruptedException {
    settle();
    @Nullable JournalEntry old = inForce == null ? null : inForce.last();
    if (old != null && old.value().equals(plan.value()) && knob.current().equals(to)) {
      return old.plan();
    }
    owners.note(owner, knob, plan, words);
    JournalEntry last;
    try {
      Set<String> begun = old == null ? Set.of() : Set.copyOf(journal.begun(old.plan()));
      last = executor.replace(begun, plan, words, knob.lifetime());
    } catch (CalandoException | InterruptedException e) {
      journal.open().stream()
          .filter(one -> one.isOf(plan) && (old == null || one.plan() > old.plan()))
          .forEach(one -> left.add(new Setting(plan, one)));
      throw e;
    }
    inForce = new Setting(plan, last);
    if (old != null) {
      executor.giveUp(old);
    }
    return last.plan();
  }

  /** As {@link Lease#verify}. */
  List<String> verify() throws InterruptedException {
    List<String> found = new ArrayList<>();
    try {
      settle();
    } catch (FailedWorkException e) {
      found.add(e.what());
    }
    if (inForce != null) {
      found.addAll(executor.repeat(inForce.plan(), inForce.last()));
    }
    return found;
  }

  /** As {@link Lease#settle}. */
  void settle() throws InterruptedException {
    @Nullable FailedWorkException failed = null;
    for (Setting one : newestFirst()) {
      try {
        JournalEntry unused = executor.takeBack(one.plan(), one.last());
        left.remove(one);
      } catch (FailedWorkException e) {
        failed = failed == null ? e : failed;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  private List<Setting> newestFirst() {
    List<Setting> all = new ArrayList<>(left);
    Collections.reverse(all);
    return all;
  }

  /** As {@link Lease#goBack}. */
  void goBack() throws InterruptedException {
    if (inForce != null) {
      left.add(0, inForce);
      inForce = null;
    }
    List<Setting> all = List.copyOf(left);
    settle();
    if (!all.isEmpty()) {
      // Those that were replaced and could not be given up.
      Plan plan = all.get(0).plan();
      journal.open().stream().filter(one -> one.isOf(plan)).forEach(executor::giveUp);
    }
  }
}
