package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/*
 * A block may lie on any nodes of different groups, if the first group is one of them. So it keeps
 * one replica in each group that holds some, and gets one in the first group if it has none there.
 */
/** Homes of PARAID's blocks by what there is. Thread safe. */
final class ParaidHomes implements HomeFinder {
  private final ParaidLayout layout;
  private final GearGroups groups;

  ParaidHomes(ParaidLayout layout) {
    this.layout = layout;
    this.groups = layout.groups();
  }

  @Override
  public List<Set<Integer>> homes(List<PlacedBlock> blocks) {
    return new Search(blocks).homes();
  }

  private final class Search {
    private final List<PlacedBlock> blocks;
    private final List<Set<Integer>> homes;
    private final List<Integer> open = new ArrayList<>();
    private final Tally tally;

    Search(List<PlacedBlock> blocks) {
      this.blocks = blocks;
      this.homes = new ArrayList<>(Collections.nCopies(blocks.size(), Set.of()));
      double[] shares = new double[groups.nodes()];
      Arrays.setAll(shares, i -> layout.share(i + 1));
      this.tally = new Tally(wanted(shares));
    }

    /** Each group by itself, as whole numbers of all nodes would not add up in each of them. */
    private long[] wanted(double[] shares) {
      long[] wanted = new long[shares.length];
      for (int gear = 1; gear <= groups.gears(); gear++) {
        int from = gear == 1 ? 0 : groups.nodesIn(gear - 1);
        int to = groups.nodesIn(gear);
        long[] part = Shares.whole(blocks.size(), Arrays.copyOfRange(shares, from, to));
        System.arraycopy(part, 0, wanted, from, part.length);
      }
      return wanted;
    }

    List<Set<Integer>> homes() {
      List<Integer> order =
          Tally.range(0, blocks.size() - 1).stream()
              .sorted(Comparator.comparingLong(i -> blocks.get(i).id()))
              .toList();
      for (int i : order) {
        PlacedBlock block = blocks.get(i);
        if (block.homes().isPresent() && layout.isPlaced(block.homes().get())) {
          homes.set(i, new TreeSet<>(block.homes().get()));
          tally.addAll(homes.get(i));
        } else {
          open.add(i);
        }
      }
      open.forEach(this::keepOneOfEachGroup);
      open.forEach(this::makeReadable);
      return homes;
    }

    private void keepOneOfEachGroup(int i) {
      Map<Integer, List<Integer>> held = new TreeMap<>();
      for (int node : blocks.get(i).nodes()) {
        if (groups.has(node)) {
          held.computeIfAbsent(groups.gearOf(node), group -> new ArrayList<>()).add(node);
        }
      }
      Set<Integer> kept = new TreeSet<>();
      held.values().forEach(nodes -> kept.add(tally.neediest(nodes).orElseThrow()));
      tally.addAll(kept);
      homes.set(i, kept);
    }

    private void makeReadable(int i) {
      Set<Integer> nodes = homes.get(i);
      if (!layout.isReadable(nodes, 1)) {
        int node = tally.neediest(Tally.range(1, groups.nodesIn(1))).orElseThrow();
        nodes.add(node);
        tally.add(node);
      }
    }
  }
}
