package org.calando.core.layout.gear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.calando.core.BadRequestException;

/**
 * RABBIT (Amur et al. 2010, as in Le et al. 2011): each block has a replica on one of p primary
 * nodes, evenly, and the others on the nodes behind them, in proportion to 1/i on node i.
 *
 * <p>As published node i holds exactly B/i of B blocks, which is too little or too much for r
 * replicas, but for odd cases. Here every block has exactly r replicas: the 1/i are scaled until
 * they add up to r-1, and no node holds a block twice; what would be more goes to the others, again
 * in proportion to 1/i. Immutable.
 */
public final class RabbitLayout implements GearLayout {
  private final GearGroups groups;
  private final int primaries;
  private final int replicas;
  private final double[] shares;

  private RabbitLayout(GearGroups groups, int primaries, int replicas) {
    this.groups = groups;
    this.primaries = primaries;
    this.replicas = replicas;
    double[] weights = new double[groups.nodes() - primaries];
    Arrays.setAll(weights, i -> 1.0 / (primaries + i + 1));
    double[] secondaries = Shares.capped(weights, replicas - 1.0);
    this.shares = new double[groups.nodes()];
    Arrays.fill(shares, 0, primaries, 1.0 / primaries);
    System.arraycopy(secondaries, 0, shares, primaries, secondaries.length);
  }

  /**
   * A layout.
   *
   * @param primaries 1 to as many nodes as are on in gear 1, which has to read every block
   * @param replicas of each block, 1 to as many as the nodes behind the primaries can hold, and one
   * @throws BadRequestException if a number is beyond that
   */
  public static RabbitLayout of(GearGroups groups, int primaries, int replicas) {
    if (primaries < 1 || primaries > groups.nodesIn(1)) {
      throw new BadRequestException(
          primaries + " primary nodes, where gear 1 has " + groups.nodesIn(1),
          "primaries",
          "write 1 to " + groups.nodesIn(1) + ", as gear 1 has to read every block");
    }
    int most = groups.nodes() - primaries + 1;
    if (replicas < 1 || replicas > most) {
      throw new BadRequestException(
          replicas + " replicas, where " + primaries + " of " + groups.nodes() + " are primary",
          "replicas",
          "write 1 to " + most + ": one on the primary nodes, the others behind them");
    }
    return new RabbitLayout(groups, primaries, replicas);
  }

  @Override
  public String name() {
    return "rabbit";
  }

  @Override
  public GearGroups groups() {
    return groups;
  }

  @Override
  public int replicas() {
    return replicas;
  }

  /** How many nodes are primary: the first ones. */
  public int primaries() {
    return primaries;
  }

  boolean isPrimary(int node) {
    return node >= 1 && node <= primaries;
  }

  @Override
  public double share(int node) {
    return shares[node - 1];
  }

  double[] shares() {
    return shares.clone();
  }

  @Override
  public double served(int node, int gear) {
    if (!groups.isOn(node, gear)) {
      return 0;
    }
    // Primary nodes have every block between them; the others serve what they have, up to as much.
    double level =
        Shares.level(primaries, Arrays.copyOfRange(shares, primaries, groups.nodesIn(gear)));
    return isPrimary(node) ? level : Math.min(level, share(node));
  }

  @Override
  public boolean isPlaced(Collection<Integer> nodes) {
    Set<Integer> distinct = new HashSet<>(nodes);
    return distinct.size() == replicas
        && distinct.stream().allMatch(groups::has)
        && distinct.stream().filter(this::isPrimary).count() == 1;
  }

  @Override
  public boolean lacksHome(Collection<Integer> seen, int gear, int copies) {
    long first = seen.stream().distinct().filter(this::isPrimary).count();
    long others = seen.stream().distinct().filter(groups::has).count() - first;
    // Primaries are on in every gear, so that only the others can be out of sight.
    int off = groups.nodes() - groups.nodesIn(gear);
    long unseen = Math.min(off, Math.max(0, Math.max(replicas, copies) - first - others));
    return first == 0 || others + unseen < replicas - 1;
  }

  @Override
  public Placer placer() {
    return new RabbitPlacer();
  }

  @Override
  public HomeFinder homeFinder() {
    return new RabbitHomes(this);
  }

  /** Primary nodes take turns in rounds; in each the one that met the other nodes least is next. */
  private final class RabbitPlacer implements Placer {
    private final FairSequence secondaries =
        new FairSequence(Arrays.copyOfRange(shares, primaries, shares.length), replicas - 1);
    private final long[][] met = new long[primaries][shares.length - primaries];
    private final Set<Integer> tookTheirTurn = new HashSet<>();

    @Override
    public List<Integer> next(String file) {
      List<Integer> others = secondaries.next();
      int primary = primary(others);
      List<Integer> homes = new ArrayList<>();
      homes.add(primary + 1);
      for (int other : others) {
        met[primary][other]++;
        homes.add(primaries + other + 1);
      }
      return List.copyOf(homes);
    }

    private int primary(List<Integer> others) {
      if (tookTheirTurn.size() == primaries) {
        tookTheirTurn.clear();
      }
      int best = -1;
      long least = Long.MAX_VALUE;
      for (int i = 0; i < primaries; i++) {
        long meetings = 0;
        for (int other : others) {
          meetings += met[i][other];
        }
        if (!tookTheirTurn.contains(i) && meetings < least) {
          least = meetings;
          best = i;
        }
      }
      tookTheirTurn.add(best);
      return best;
    }
  }
}
