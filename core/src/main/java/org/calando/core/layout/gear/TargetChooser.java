package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/**
 * Says to which nodes a block is written when some of its homes cannot take it. A block that has no
 * node of the first group gets one of these before all else, as every gear reads those. Not thread
 * safe.
 */
public final class TargetChooser {
  private final GearLayout layout;
  private final GearGroups groups;
  private final GearFile.Offload offload;
  private final SplittableRandom random;
  private final long[] stoodInBytes;

  /**
   * One that has chosen nothing yet.
   *
   * @param seed of random choices
   */
  public TargetChooser(GearLayout layout, GearFile.Offload offload, long seed) {
    this.layout = layout;
    this.groups = layout.groups();
    this.offload = offload;
    this.random = new SplittableRandom(seed);
    this.stoodInBytes = new long[groups.nodes()];
  }

  /**
   * Nodes for a new block; empty if no node is left.
   *
   * @param homes where it belongs
   * @param wanted the most replicas, 1 or more
   * @param isUsable whether a node can take the block
   * @param bytes its length at most
   */
  public List<Integer> forNew(List<Integer> homes, int wanted, IntPredicate isUsable, long bytes) {
    Set<Integer> chosen = new TreeSet<>();
    // Low nodes first: where fewer replicas are wanted than there are homes, low gears read them.
    homes.stream().sorted().filter(isUsable::test).limit(wanted).forEach(chosen::add);
    int extra = Math.max(0, wanted - layout.replicas());
    int full = layout instanceof ParaidLayout ? chosen.size() : homes.size();
    List<Integer> order = new ArrayList<>(homes);
    order.removeIf(home -> !chosen.contains(home));
    if (!layout.isReadable(chosen, 1) && chosen.size() < wanted) {
      standIn(order, first(isUsable), bytes);
    }
    // Any node is better than none.
    int enough = Math.max(1, Math.min(wanted, Math.max(full, order.size()) + extra));
    fill(order, enough, isUsable, bytes);
    return List.copyOf(order);
  }

  /**
   * Nodes for a block that has too few replicas: only what its layout lacks.
   *
   * @param held nodes that hold it
   * @param wanted the most new replicas that the store asks for
   * @param isUsable whether a node can take the block
   */
  public List<Integer> forLacking(
      Collection<Integer> held, int wanted, IntPredicate isUsable, long bytes) {
    if (layout instanceof ParaidLayout) {
      int extra = held.size() + wanted - layout.replicas();
      int lacking = layout.isReadable(held, 1) ? 0 : 1;
      return forMore(held, Math.min(wanted, Math.max(lacking, extra)), isUsable, bytes);
    }
    return forMore(held, wanted, isUsable, bytes);
  }

  /**
   * So many more nodes for a block, as long as there are any: first those of groups that hold none
   * of it.
   */
  public List<Integer> forMore(
      Collection<Integer> held, int wanted, IntPredicate isUsable, long bytes) {
    List<Integer> all = new ArrayList<>(held);
    if (wanted > 0 && !layout.isReadable(held, 1)) {
      standIn(all, first(isUsable), bytes);
    }
    while (all.size() < held.size() + wanted && standIn(all, fitting(all, isUsable), bytes)) {
      // One more that the layout's rule would have.
    }
    fill(all, held.size() + wanted, isUsable, bytes);
    return List.copyOf(all.subList(held.size(), all.size()));
  }

  /** Nodes that may hold a replica beside these without breaking the layout's rule. */
  private IntPredicate fitting(Collection<Integer> held, IntPredicate isUsable) {
    if (layout instanceof RabbitLayout rabbit) {
      boolean hasPrimary = held.stream().anyMatch(rabbit::isPrimary);
      return node -> isUsable.test(node) && rabbit.isPrimary(node) != hasPrimary;
    }
    Set<Integer> seen = new HashSet<>();
    held.stream().filter(groups::has).map(groups::gearOf).forEach(seen::add);
    return node -> isUsable.test(node) && !seen.contains(groups.gearOf(node));
  }

  private IntPredicate first(IntPredicate isUsable) {
    return node -> node <= groups.nodesIn(1) && isUsable.test(node);
  }

  private void fill(List<Integer> chosen, int size, IntPredicate isUsable, long bytes) {
    while (chosen.size() < size && standIn(chosen, isUsable, bytes)) {
      // One more.
    }
  }

  /** Adds a node that is usable, if there is one. */
  private boolean standIn(List<Integer> chosen, IntPredicate isUsable, long bytes) {
    List<Integer> free =
        Tally.range(1, groups.nodes()).stream()
            .filter(node -> !chosen.contains(node) && isUsable.test(node))
            .toList();
    if (free.isEmpty()) {
      return false;
    }
    int node =
        offload == GearFile.Offload.RANDOM
            ? free.get(random.nextInt(free.size()))
            : free.stream()
                .min(Comparator.comparingLong(each -> stoodInBytes[each - 1]))
                .orElseThrow();
    stoodInBytes[node - 1] += Math.max(1, bytes);
    chosen.add(node);
    return true;
  }

  /**
   * Which of a block's nodes may give up their replicas, the first of them first; never one without
   * which a gear could not read the block that can read it now.
   *
   * @param held nodes that hold it, those of the store that the layout does not know left out
   * @param candidates of these, those that may be asked
   * @param hint the one that is to go if it may, 0 if none
   * @param excess how many replicas are too many
   */
  public static List<Integer> toDelete(
      GearLayout layout,
      Collection<Integer> held,
      Collection<Integer> candidates,
      int hint,
      int excess) {
    List<Integer> left = new ArrayList<>(held);
    List<Integer> deleted = new ArrayList<>();
    if (excess > 0 && candidates.contains(hint) && canSpare(layout, left, hint)) {
      left.remove(Integer.valueOf(hint));
      deleted.add(hint);
    }
    while (deleted.size() < excess) {
      List<Integer> spare =
          candidates.stream()
              .filter(node -> left.contains(node) && canSpare(layout, left, node))
              .sorted(
                  Comparator.<Integer>comparingInt(node -> brokenWithout(layout, left, node))
                      .thenComparing(Comparator.reverseOrder()))
              .toList();
      if (spare.isEmpty()) {
        break;
      }
      left.remove(spare.get(0));
      deleted.add(spare.get(0));
    }
    return deleted;
  }

  private static boolean canSpare(GearLayout layout, List<Integer> held, int node) {
    List<Integer> rest = without(held, node);
    for (int gear = 1; gear <= layout.groups().gears(); gear++) {
      if (layout.isReadable(held, gear) && !layout.isReadable(rest, gear)) {
        return false;
      }
    }
    return !rest.isEmpty();
  }

  /** How far from the layout's rule the block is without a node: 0 is not at all. */
  private static int brokenWithout(GearLayout layout, List<Integer> held, int node) {
    List<Integer> rest = without(held, node);
    GearGroups groups = layout.groups();
    if (layout.isPlaced(rest)) {
      return 0;
    }
    if (layout instanceof RabbitLayout rabbit) {
      return 1 + (int) Math.abs(rest.stream().filter(rabbit::isPrimary).count() - 1);
    }
    return 1 + rest.size() - (int) rest.stream().map(groups::gearOf).distinct().count();
  }

  private static List<Integer> without(List<Integer> held, int node) {
    List<Integer> rest = new ArrayList<>(held);
    rest.remove(Integer.valueOf(node));
    return rest;
  }
}
