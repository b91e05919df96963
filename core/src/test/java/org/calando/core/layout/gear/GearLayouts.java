package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Random layouts, and what tests count of them. */
final class GearLayouts {
  static final long SEED = Long.getLong("calando.seed", 20110725L);

  private GearLayouts() {}

  static GearGroups groups(Random random) {
    TreeSet<Integer> sizes = new TreeSet<>();
    int gears = 1 + random.nextInt(4);
    while (sizes.size() < gears) {
      sizes.add(1 + random.nextInt(16));
    }
    return new GearGroups(List.copyOf(sizes));
  }

  static RabbitLayout rabbit(Random random) {
    GearGroups groups = groups(random);
    int primaries = 1 + random.nextInt(groups.nodesIn(1));
    int most = groups.nodes() - primaries + 1;
    return RabbitLayout.of(groups, primaries, 1 + random.nextInt(Math.min(4, most)));
  }

  static GearLayout any(Random random) {
    return random.nextBoolean()
        ? rabbit(random)
        : ParaidLayout.of(groups(random), ParaidLayout.Order.EVEN);
  }

  /** Homes of the next blocks, checked for the layout's rule. */
  static List<List<Integer>> homes(GearLayout layout, Placer placer, int blocks) {
    List<List<Integer>> homes = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      List<Integer> next = placer.next("file" + i / 5);
      assertThat(next).doesNotHaveDuplicates();
      assertThat(layout.isPlaced(next)).as("%s of %s", next, layout.groups()).isTrue();
      for (int gear = 1; gear <= layout.groups().gears(); gear++) {
        assertThat(layout.isReadable(next, gear)).isTrue();
      }
      homes.add(next);
    }
    return homes;
  }

  static long[] counts(GearLayout layout, Iterable<? extends Iterable<Integer>> homes) {
    long[] counts = new long[layout.groups().nodes()];
    homes.forEach(nodes -> nodes.forEach(node -> counts[node - 1]++));
    return counts;
  }

  /** How far the node is away from its share that is farthest away from it, in blocks. */
  static double farthest(GearLayout layout, long[] counts, long blocks) {
    double[] away = new double[counts.length];
    Arrays.setAll(away, i -> Math.abs(counts[i] - blocks * layout.share(i + 1)));
    return Arrays.stream(away).max().orElse(0);
  }
}
