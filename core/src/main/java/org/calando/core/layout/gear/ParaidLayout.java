package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.calando.core.BadRequestException;

/**
 * PARAID (Weddle et al. 2007, as in Le et al. 2011): each block has one replica, evenly over all
 * nodes; a block that a lower gear could not read then has a copy on a node of that gear, evenly
 * too. So a block has at most one replica in each group of nodes, and one in the first.
 *
 * <p>Of blocks that lie so, each gear's nodes serve equal parts, and a node of group g holds the
 * part that it serves in gear g: the paper's table 1. Immutable.
 */
public final class ParaidLayout implements GearLayout {
  /** In what order the nodes get the first replica. */
  public enum Order {
    /** One round over all files. */
    EVEN,
    /** The round begins at node 1 for each file, as the paper's figure of 8 MB shows. */
    PER_FILE;

    /** How it is written: {@code even} or {@code per-file}. */
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads what {@link #label} writes.
     *
     * @throws BadRequestException if it is neither
     */
    public static Order parse(String text) {
      for (Order order : values()) {
        if (order.label().equals(text)) {
          return order;
        }
      }
      throw new BadRequestException(
          "'" + text + "' is no order", "order", "write even or per-file");
    }
  }

  private static final int FILES = 1 << 16;

  private final GearGroups groups;
  private final Order order;

  private ParaidLayout(GearGroups groups, Order order) {
    this.groups = groups;
    this.order = order;
  }

  /** A layout. */
  public static ParaidLayout of(GearGroups groups, Order order) {
    return new ParaidLayout(groups, order);
  }

  @Override
  public String name() {
    return "paraid";
  }

  @Override
  public GearGroups groups() {
    return groups;
  }

  /** In what order the nodes get the first replica. */
  public Order order() {
    return order;
  }

  @Override
  public int replicas() {
    return groups.gears();
  }

  /** As {@link GearLayout#share}; in the order per file it is reached by long files only. */
  @Override
  public double share(int node) {
    return 1.0 / groups.nodesIn(groups.gearOf(node));
  }

  @Override
  public double served(int node, int gear) {
    return groups.isOn(node, gear) ? 1.0 / groups.nodesIn(gear) : 0;
  }

  @Override
  public boolean isPlaced(Collection<Integer> nodes) {
    Set<Integer> distinct = new HashSet<>(nodes);
    if (!distinct.stream().allMatch(groups::has)) {
      return false;
    }
    Set<Integer> seen = new HashSet<>();
    return distinct.stream().map(groups::gearOf).allMatch(seen::add) && seen.contains(1);
  }

  @Override
  public boolean lacksHome(Collection<Integer> seen, int gear, int copies) {
    return !isReadable(seen, 1);
  }

  @Override
  public Placer placer() {
    return new ParaidPlacer();
  }

  @Override
  public HomeFinder homeFinder() {
    return new ParaidHomes(this);
  }

  private final class ParaidPlacer implements Placer {
    private long blocks;
    private final Map<String, Long> blocksOfFile =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > FILES;
          }
        };
    private final long[][] copies = new long[groups.nodes()][groups.nodes()];
    private final long[][] served = new long[groups.gears()][groups.nodes()];

    @Override
    public List<Integer> next(String file) {
      List<Integer> homes = new ArrayList<>();
      int home = first(file);
      homes.add(home);
      for (int gear = groups.gears(); gear >= 1; gear--) {
        if (!groups.isOn(home, gear)) {
          home = copy(home, gear);
          homes.add(home);
        }
        served[gear - 1][home - 1]++;
      }
      return List.copyOf(homes);
    }

    private int first(String file) {
      long before = order == Order.EVEN ? blocks++ : blocksOfFile.merge(file, 1L, Long::sum) - 1;
      return (int) (before % groups.nodes()) + 1;
    }

    /** The node that serves least in the gear; of equals the one that has fewest of that home. */
    private int copy(int home, int gear) {
      int best = 1;
      for (int node = 2; node <= groups.nodesIn(gear); node++) {
        long less = served[gear - 1][best - 1] - served[gear - 1][node - 1];
        if (less > 0 || (less == 0 && copies[home - 1][node - 1] < copies[home - 1][best - 1])) {
          best = node;
        }
      }
      copies[home - 1][best - 1]++;
      return best;
    }
  }
}
