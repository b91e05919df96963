package org.calando.core.layout.gear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/*
 * A replica stays where it is as long as the rule allows: the block needs one primary node, and r-1
 * of the others. Which of several primary nodes keeps its replica is free; it is settled by taking
 * the neediest, and then by passing blocks on along chains of primary nodes (each block of such a
 * chain lies on both its nodes) until none that has too much can reach one that lacks something.
 */
/** Homes of RABBIT's blocks by what there is. Thread safe. */
final class RabbitHomes implements HomeFinder {
  private final RabbitLayout layout;

  RabbitHomes(RabbitLayout layout) {
    this.layout = layout;
  }

  @Override
  public List<Set<Integer>> homes(List<PlacedBlock> blocks) {
    return new Search(blocks).homes();
  }

  /** A block whose homes are open. */
  private static final class Open {
    final Set<Integer> primaries;
    final Set<Integer> homes = new TreeSet<>();
    int primary;

    Open(Set<Integer> primaries) {
      this.primaries = primaries;
    }
  }

  private final class Search {
    private final List<PlacedBlock> blocks;
    private final List<Set<Integer>> homes;
    private final Tally tally;
    private final Map<Integer, Open> open = new HashMap<>();
    private final List<Integer> order;
    private final int replicas = layout.replicas();
    private final int primaries = layout.primaries();
    private final int nodes = layout.groups().nodes();

    Search(List<PlacedBlock> blocks) {
      this.blocks = blocks;
      this.homes = new ArrayList<>(Collections.nCopies(blocks.size(), Set.of()));
      this.tally = new Tally(wanted());
      this.order =
          Tally.range(0, blocks.size() - 1).stream()
              .sorted(Comparator.comparingLong(i -> blocks.get(i).id()))
              .toList();
    }

    private long[] wanted() {
      double[] shares = layout.shares();
      long[] first = Shares.whole(blocks.size(), Arrays.copyOf(shares, primaries));
      long[] others =
          Shares.whole(blocks.size(), Arrays.copyOfRange(shares, primaries, shares.length));
      long[] wanted = Arrays.copyOf(first, shares.length);
      System.arraycopy(others, 0, wanted, primaries, others.length);
      return wanted;
    }

    List<Set<Integer>> homes() {
      order.forEach(this::settleOrOpen);
      List<Open> inOrder = order.stream().filter(open::containsKey).map(open::get).toList();
      inOrder.stream().filter(block -> block.primaries.size() == 1).forEach(this::takePrimary);
      inOrder.stream().filter(block -> block.primaries.size() > 1).forEach(this::takePrimary);
      inOrder.stream().filter(block -> block.primaries.isEmpty()).forEach(this::takePrimary);
      passOn(inOrder);
      inOrder.forEach(this::fill);
      open.forEach((i, block) -> homes.set(i, block.homes));
      return homes;
    }

    private void settleOrOpen(int i) {
      PlacedBlock block = blocks.get(i);
      if (block.homes().isPresent() && layout.isPlaced(block.homes().get())) {
        homes.set(i, new TreeSet<>(block.homes().get()));
      } else if (layout.isPlaced(block.nodes())) {
        homes.set(i, block.nodes());
      } else {
        open.put(i, opened(block));
        return;
      }
      tally.addAll(homes.get(i));
    }

    private Open opened(PlacedBlock block) {
      Set<Integer> held = new TreeSet<>(block.nodes());
      held.removeIf(node -> !layout.groups().has(node));
      Set<Integer> first = new TreeSet<>(held);
      first.removeIf(node -> !layout.isPrimary(node));
      Open opened = new Open(first);
      held.removeAll(first);
      while (opened.homes.size() < replicas - 1 && !held.isEmpty()) {
        take(opened, held);
      }
      return opened;
    }

    private void take(Open block, Set<Integer> from) {
      int node = tally.neediest(from).orElseThrow();
      from.remove(node);
      block.homes.add(node);
      tally.add(node);
    }

    private void takePrimary(Open block) {
      block.primary =
          tally
              .neediest(block.primaries.isEmpty() ? Tally.range(1, primaries) : block.primaries)
              .orElseThrow();
      tally.add(block.primary);
    }

    private void fill(Open block) {
      Set<Integer> free = new TreeSet<>(Tally.range(primaries + 1, nodes));
      free.removeAll(block.homes);
      while (block.homes.size() < replicas - 1) {
        take(block, free);
      }
      block.homes.add(block.primary);
    }

    private void passOn(List<Open> inOrder) {
      List<Open> free = inOrder.stream().filter(block -> block.primaries.size() > 1).toList();
      for (int node = 1; node <= primaries; node++) {
        while (tally.lack(node) < 0 && passOneOn(node, free)) {
          // One less to pass on.
        }
      }
    }

    /** Whether there was a chain of blocks from this node to one that lacks some. */
    private boolean passOneOn(int node, List<Open> free) {
      Map<Integer, Open> reachedBy = new HashMap<>();
      ArrayDeque<Integer> queue = new ArrayDeque<>(List.of(node));
      while (!queue.isEmpty()) {
        int from = queue.remove();
        for (Open block : free) {
          if (block.primary == from) {
            for (int to : block.primaries) {
              if (to != node && reachedBy.putIfAbsent(to, block) == null) {
                queue.add(to);
                if (tally.lack(to) > 0) {
                  shift(node, to, reachedBy);
                  return true;
                }
              }
            }
          }
        }
      }
      return false;
    }

    private void shift(int first, int last, Map<Integer, Open> reachedBy) {
      tally.remove(first);
      tally.add(last);
      int to = last;
      while (to != first) {
        Open block = reachedBy.getOrDefault(to, new Open(Set.of()));
        int from = block.primary;
        block.primary = to;
        to = from;
      }
    }
  }
}
