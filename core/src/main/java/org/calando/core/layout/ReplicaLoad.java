package org.calando.core.layout;

import java.math.BigInteger;
import java.util.Arrays;
import org.calando.core.energy.Spread;

/**
 * What each node of a ring holds as a replica, and so which share it has of writes, and of reads
 * where all replicas are read alike. Keys are taken to be spread evenly over the tokens, and
 * requests over the keys. Immutable.
 */
public final class ReplicaLoad {
  private final BigInteger size;
  private final int replicationFactor;
  private final BigInteger[] held;

  private ReplicaLoad(BigInteger size, int replicationFactor, BigInteger[] held) {
    this.size = size;
    this.replicationFactor = replicationFactor;
    this.held = held;
  }

  /** The load of a ring's nodes. */
  public static ReplicaLoad of(TokenRing ring, Placement placement) {
    BigInteger[] held = new BigInteger[ring.nodes()];
    Arrays.fill(held, BigInteger.ZERO);
    for (int position = 0; position < ring.nodes(); position++) {
      BigInteger range = ring.range(position);
      for (int node : placement.replicas(ring, position)) {
        held[node - 1] = held[node - 1].add(range);
      }
    }
    return new ReplicaLoad(ring.size(), placement.replicationFactor(), held);
  }

  /**
   * The share of all keys of which a node holds a replica.
   *
   * @param node 1 to N
   */
  public Fraction held(int node) {
    return new Fraction(held[node - 1], size);
  }

  /**
   * A node's share of all replicas, and so of the work that replicas have; the shares of all nodes
   * make 1.
   *
   * @param node 1 to N
   */
  public Fraction share(int node) {
    return held(node).dividedBy(replicationFactor);
  }

  /** How far the nodes' shares lie apart. */
  public Spread spread() {
    double[] shares = new double[held.length];
    Arrays.setAll(shares, i -> share(i + 1).toDouble());
    return Spread.of(shares);
  }
}
