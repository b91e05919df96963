package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What to send so that blocks lie where the layout wants them, as far as nodes are on: of each
 * block just the replicas that its homes lack. Immutable.
 *
 * <p>A replica that is on no home goes when its copy is there, unless it stands in for a home that
 * is still off. A block never gets more replicas than it has homes.
 */
public final class CatchUpPlan {
  private final List<Transfer> transfers;
  private final List<Long> unreadable;
  private final long pending;

  private CatchUpPlan(List<Transfer> transfers, List<Long> unreadable, long pending) {
    this.transfers = List.copyOf(transfers);
    this.unreadable = List.copyOf(unreadable);
    this.pending = pending;
  }

  /**
   * The plan. Blocks whose homes are not known are sent only where they break the layout's rule.
   *
   * @param isOn which nodes are: only they send and get anything
   * @param blocks all blocks that the layout is for
   */
  public static CatchUpPlan of(GearLayout layout, IntPredicate isOn, List<PlacedBlock> blocks) {
    return new Making(layout, isOn).plan(blocks);
  }

  /** The transfers, by id of their block; of a block copies come before moves. */
  public List<Transfer> transfers() {
    return transfers;
  }

  /** Ids of blocks that no node that is on could send, so that nothing can be done for them. */
  public List<Long> unreadable() {
    return unreadable;
  }

  /** Replicas that wait for a node that is off. */
  public long pending() {
    return pending;
  }

  /** What is sent. */
  public long bytes() {
    return transfers.stream().mapToLong(Transfer::bytes).sum();
  }

  private static final class Making {
    private final GearLayout layout;
    private final IntPredicate isOn;
    private final List<Transfer> transfers = new ArrayList<>();
    private final List<Long> unreadable = new ArrayList<>();
    private final long[] sent;
    private long pending;

    Making(GearLayout layout, IntPredicate isOn) {
      this.layout = layout;
      this.isOn = isOn;
      this.sent = new long[layout.groups().nodes()];
    }

    CatchUpPlan plan(List<PlacedBlock> blocks) {
      List<Set<Integer>> homes = layout.homeFinder().homes(blocks);
      IntStream.range(0, blocks.size())
          .boxed()
          .sorted(Comparator.comparingLong(i -> blocks.get(i).id()))
          .forEach(i -> plan(blocks.get(i), homes.get(i)));
      return new CatchUpPlan(transfers, unreadable, pending);
    }

    private void plan(PlacedBlock block, Set<Integer> homes) {
      Set<Integer> missing = new TreeSet<>(homes);
      missing.removeAll(block.nodes());
      List<Integer> now = missing.stream().filter(this::isOn).toList();
      int later = missing.size() - now.size();
      pending += later;
      if (now.isEmpty()) {
        return;
      }
      List<Integer> holders = new ArrayList<>(block.nodes().stream().filter(this::isOn).toList());
      if (holders.isEmpty()) {
        unreadable.add(block.id());
        return;
      }
      List<Integer> leaving = leaving(block, homes, later);
      int copies = Math.max(0, now.size() - leaving.size());
      for (int i = 0; i < now.size(); i++) {
        OptionalInt from =
            i < copies ? OptionalInt.empty() : OptionalInt.of(leaving.get(i - copies));
        int source = source(holders, from);
        sent[source - 1] += block.bytes();
        transfers.add(new Transfer(block.id(), block.bytes(), from, source, now.get(i)));
        from.ifPresent(node -> holders.remove(Integer.valueOf(node)));
        holders.add(now.get(i));
      }
    }

    /**
     * Replicas that may go: those on no home, but for as many as stand in for homes that are off.
     */
    private List<Integer> leaving(PlacedBlock block, Set<Integer> homes, int later) {
      List<Integer> extra = block.nodes().stream().filter(node -> !homes.contains(node)).toList();
      List<Integer> on = extra.stream().filter(this::isOn).toList();
      int standingIn = Math.max(0, later - (extra.size() - on.size()));
      return on.subList(0, Math.max(0, on.size() - standingIn));
    }

    /** The replica that goes is read itself; else the holder that has sent least so far. */
    private int source(List<Integer> holders, OptionalInt from) {
      return from.orElseGet(
          () ->
              holders.stream()
                  .min(
                      Comparator.<Integer>comparingLong(node -> sent[node - 1])
                          .thenComparing(Comparator.naturalOrder()))
                  .orElseThrow());
    }

    private boolean isOn(int node) {
      return isOn.test(node);
    }
  }
}
