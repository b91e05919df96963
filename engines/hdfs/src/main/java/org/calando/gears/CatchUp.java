package org.calando.gears;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.CatchUpPlan;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.PlacedBlock;
import org.calando.core.layout.gear.Transfer;

/*
 * What is to be moved is worked out anew from where blocks are, each time: so it can be ended and begun again at any point,
 * and what counts in the end is what the name server says. The log of off-loaded writes only tells where a block was meant
 * to be; without it homes are chosen that need as few bytes.
 *
 * In the highest gear all replicas are seen. In those below, replicas on nodes that are off are not: only blocks that the
 * log tells of are touched there, the others wait.
 */
/** Brings blocks home. Not thread safe. */
final class CatchUp {
  private static final int ROUNDS = 6;
  private static final int IDLE_ROUNDS = 4;
  private static final long AGAIN_MILLIS = 300;
  private static final int MOST_LOOKS = 10;
  private static final long IDLE_POLLS = 5;
  private static final long COMPACT_BYTES = 1 << 20;

  private final GearMeans means;
  private final int gear;
  private final GearLayout layout;
  private final Set<Integer> missing = new TreeSet<>();
  private boolean settled;

  /**
   * One of a gear.
   *
   * @param without nodes that are to be on in it, and are not
   */
  CatchUp(GearMeans means, int gear, Set<String> without) {
    this.means = means;
    this.gear = gear;
    this.layout = means.file().layout();
    for (String name : without) {
      missing.add(means.file().nodes().indexOf(name) + 1);
    }
  }

  private boolean isOn(int node) {
    return layout.groups().isOn(node, gear) && !missing.contains(node);
  }

  /** Whether all nodes there are are on, so that all replicas are seen. */
  private boolean isTop() {
    return gear == layout.groups().gears() && missing.isEmpty();
  }

  /**
   * What there is, and what is to be done about it.
   *
   * @param hints by the off-load log
   * @param blocks by their ids
   * @param mustWait whether the log tells of a block that is still being written: it is for later
   * @param plan by all of these
   * @param transfers of the plan that are to be carried out now
   */
  record Look(
      OffloadHints hints,
      Map<Long, StoredBlock> blocks,
      boolean mustWait,
      CatchUpPlan plan,
      List<Transfer> transfers) {
    long bytes() {
      return transfers.stream().mapToLong(Transfer::bytes).sum();
    }
  }

  /** Looks at all blocks of the folder. */
  Look look() {
    OffloadHints hints = OffloadHints.of(means.file());
    boolean top = isTop();
    Map<Long, StoredBlock> blocks = new HashMap<>();
    List<PlacedBlock> placed = new ArrayList<>();
    boolean[] open = {false};
    means
        .cluster()
        .survey(
            block -> {
              if (block.open()) {
                open[0] |= block.ours() && hints.homes(block).isPresent();
              }
              if (!block.ours() || block.open()) {
                return;
              }
              PlacedBlock one =
                  new PlacedBlock(
                      block.id(),
                      block.bytes(),
                      block.nodes().tailSet(1, true),
                      hints.homes(block));
              if (top || one.homes().isPresent()) {
                blocks.put(block.id(), block);
                placed.add(one);
              }
            });
    CatchUpPlan plan = CatchUpPlan.of(layout, this::isOn, placed);
    return new Look(hints, blocks, open[0], plan, plan.transfers());
  }

  /** Whether nothing is left to bring home, or was not when it was brought home just now. */
  boolean isDone() {
    return settled || look().plan().transfers().isEmpty();
  }

  /** A NameNode that has just started misses blocks until all nodes have reported theirs. */
  private Look lookWhenReported() throws InterruptedException {
    long end = System.nanoTime() + means.patience().file().toNanos();
    Look look = lookTwice();
    while (!look.plan().unreadable().isEmpty() && System.nanoTime() - end < 0) {
      Thread.sleep(AGAIN_MILLIS);
      look = lookTwice();
    }
    return look;
  }

  /**
   * Two looks also agree while nodes that were on all along have yet to report to a NameNode that
   * has just started: their replicas would be taken for lost, and made anew. A node that is dead by
   * then is not waited for longer than the NameNode takes to read the gear file.
   */
  private void awaitReports() throws InterruptedException {
    long end = System.nanoTime() + means.patience().file().toNanos();
    while (!haveAllReported() && System.nanoTime() - end < 0) {
      Thread.sleep(means.patience().poll().toMillis());
    }
  }

  private boolean haveAllReported() {
    return means.cluster().members().stream()
        .filter(member -> isOn(member.number()))
        .allMatch(member -> member.reportMillis() > 0);
  }

  /**
   * What two looks agree on: a block that was just closed lacks replicas until they are reported.
   * Two that both find something, and not in the same blocks, prove nothing: as long as nodes
   * report to a NameNode that has just started, each look is of another cluster.
   */
  private Look lookTwice() throws InterruptedException {
    awaitReports();
    Look first = look();
    for (int more = MOST_LOOKS; ; more--) {
      if (first.plan().transfers().isEmpty()) {
        return first;
      }
      Thread.sleep(AGAIN_MILLIS);
      Look second = look();
      Set<Long> before = new HashSet<>();
      first.plan().transfers().forEach(transfer -> before.add(transfer.id()));
      List<Transfer> both =
          second.plan().transfers().stream()
              .filter(transfer -> before.contains(transfer.id()))
              .toList();
      if (!both.isEmpty() || second.plan().transfers().isEmpty() || more == 0) {
        return new Look(second.hints(), second.blocks(), second.mustWait(), second.plan(), both);
      }
      first = second;
    }
  }

  /**
   * Brings all home that can be, and checks it.
   *
   * @throws FailedWorkException if blocks stay where they do not belong
   */
  void run() throws InterruptedException {
    long begun = System.nanoTime();
    long copied = begun;
    long bytes = 0;
    long count = 0;
    int idle = 0;
    List<String> troubles = List.of();
    Look look = lookWhenReported();
    long predicted = look.bytes();
    for (int round = 0;
        round < ROUNDS && idle < IDLE_ROUNDS && !look.transfers().isEmpty();
        round++) {
      // What fails for now, as while a node is started, may be had a little later.
      Thread.sleep(idle == 0 ? 0 : (means.patience().poll().toMillis() * IDLE_POLLS) << (idle - 1));
      TransferWorkers workers = new TransferWorkers(means, look.blocks(), look.transfers());
      workers.carryOut();
      copied = System.nanoTime();
      bytes += workers.doneBytes();
      count += workers.done().size();
      troubles = workers.troubles();
      idle = workers.done().isEmpty() && workers.failed() > 0 ? idle + 1 : 0;
      awaitGone(look.blocks(), workers.done());
      look = lookTwice();
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    means.news().ended(new CatchUpTotals(count, bytes, predicted, (copied - begun) / 1e9, seconds));
    requireAll(look, troubles);
    settled = true;
    dropSettled(look);
  }

  /** The log is to hold only what is still away, which is nothing in the highest gear. */
  private void dropSettled(Look look) throws InterruptedException {
    if (isTop() && !look.mustWait()) {
      look.hints().putAside(means.file(), means.patience());
    } else if (!look.mustWait() && missing.isEmpty() && look.hints().bytes() > COMPACT_BYTES) {
      compact();
    }
  }

  /** All is at home by now: that the log stays long is no failure of the catch-up. */
  private void compact() throws InterruptedException {
    try {
      OffloadRebuild made = OffloadRebuild.of(means, gear, false);
      means.news().tell("the off-load log holds " + made.records().size() + " records");
    } catch (FailedWorkException e) {
      means.news().tell("the off-load log stays as it is: " + e.getMessage());
    }
  }

  /**
   * Until the store has the copies and has let go what was moved away: it does so on its own time.
   * Of what could not be copied nothing goes, so that there is nothing to wait for.
   */
  private void awaitGone(Map<Long, StoredBlock> blocks, List<Transfer> done)
      throws InterruptedException {
    Map<String, Set<Long>> files = new HashMap<>();
    Map<Long, Set<Integer>> gone = new HashMap<>();
    for (Transfer move : done) {
      if (move.isMove()) {
        StoredBlock block = Objects.requireNonNull(blocks.get(move.id()));
        files.computeIfAbsent(block.path(), path -> new TreeSet<>()).add(move.id());
        gone.computeIfAbsent(move.id(), id -> new TreeSet<>()).add(move.from().orElseThrow());
      }
    }
    long end = System.nanoTime() + means.patience().file().toNanos();
    while (!files.isEmpty() && System.nanoTime() - end < 0) {
      files.keySet().removeIf(path -> !holdsAny(path, gone));
      if (!files.isEmpty()) {
        Thread.sleep(means.patience().poll().toMillis());
      }
    }
  }

  private boolean holdsAny(String path, Map<Long, Set<Integer>> gone) {
    return means.cluster().file(path).stream()
        .anyMatch(
            block ->
                gone.getOrDefault(block.id(), Set.of()).stream().anyMatch(block.nodes()::contains));
  }

  private void requireAll(Look look, List<String> troubles) {
    int left = look.transfers().size();
    int unreadable = look.plan().unreadable().size();
    if (left > 0 || unreadable > 0) {
      throw new FailedWorkException(
          left
              + " replicas are not where they belong yet"
              + (unreadable == 0 ? "" : ", " + unreadable + " blocks are on no node that is on")
              + (troubles.isEmpty() ? "" : "; " + String.join("; ", troubles)),
          "catch-up in gear " + gear,
          "fix what keeps them away; no block is lost by it");
    }
  }
}
