package org.calando.sim.cluster;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.calando.core.BadRequestException;
import org.calando.sim.kernel.Distribution;

/**
 * How long messages take. The most special rule counts: the kind of message, the pair of racks, the
 * pair of data centres, then whether nodes share a rack or a data centre. A node's messages to
 * itself take no time. Immutable and thread safe.
 */
public final class Links {
  private record Pair(String from, String to) {}

  private final Distribution client;
  private final Distribution withinRack;
  private final Distribution betweenRacks;
  private final Distribution betweenDataCentres;
  private final Map<LinkKind, Distribution> kinds;
  private final Map<Pair, Distribution> pairs;

  private Links(Builder builder) {
    client = builder.client;
    withinRack = builder.withinRack;
    betweenRacks = builder.betweenRacks;
    betweenDataCentres = builder.betweenDataCentres;
    kinds = new EnumMap<>(LinkKind.class);
    kinds.putAll(builder.kinds);
    pairs = Map.copyOf(builder.pairs);
  }

  /** Every message, those from and to clients too, takes a time of one distribution. */
  public static Links uniform(Distribution latency) {
    return builder()
        .client(latency)
        .withinRack(latency)
        .betweenRacks(latency)
        .betweenDataCentres(latency)
        .build();
  }

  /** Begins a description in which no message takes any time. */
  public static Builder builder() {
    return new Builder();
  }

  /** One way between a client and its coordinator. */
  public Distribution client() {
    return client;
  }

  /**
   * One way between two different nodes.
   *
   * @param kind of message
   * @param from the sender's rack
   * @param to the receiver's rack
   */
  public Distribution between(LinkKind kind, Topology.Rack from, Topology.Rack to) {
    Distribution special = kinds.get(kind);
    if (special == null) {
      special = pairs.get(new Pair(name(from), name(to)));
    }
    if (special == null) {
      special = pairs.get(new Pair(from.dataCentre(), to.dataCentre()));
    }
    if (special != null) {
      return special;
    }
    if (!from.dataCentre().equals(to.dataCentre())) {
      return betweenDataCentres;
    }
    return from.equals(to) ? withinRack : betweenRacks;
  }

  /**
   * Makes sure that every name is one of a topology's.
   *
   * @throws BadRequestException naming the first that is not
   */
  void requireNamesOf(Topology topology) {
    for (Pair pair : pairs.keySet()) {
      for (String name : new String[] {pair.from(), pair.to()}) {
        boolean known =
            topology.dataCentres().contains(name)
                || topology.racks().stream().anyMatch(rack -> name(rack).equals(name));
        if (!known) {
          throw new BadRequestException(
              "a link names " + name + ", which is no data centre and no rack",
              "links",
              "write a rack as DATA-CENTRE:RACK");
        }
      }
    }
  }

  private static String name(Topology.Rack rack) {
    return rack.dataCentre() + ":" + rack.rack();
  }

  /** Collects the distributions; not thread safe. */
  public static final class Builder {
    private Distribution client = Distribution.NONE;
    private Distribution withinRack = Distribution.NONE;
    private Distribution betweenRacks = Distribution.NONE;
    private Distribution betweenDataCentres = Distribution.NONE;
    private final Map<LinkKind, Distribution> kinds = new EnumMap<>(LinkKind.class);
    private final Map<Pair, Distribution> pairs = new HashMap<>();

    private Builder() {}

    /** Between clients and coordinators; default none. */
    public Builder client(Distribution latency) {
      client = latency;
      return this;
    }

    /** Between nodes of one rack; default none. */
    public Builder withinRack(Distribution latency) {
      withinRack = latency;
      return this;
    }

    /** Between racks of one data centre; default none. */
    public Builder betweenRacks(Distribution latency) {
      betweenRacks = latency;
      return this;
    }

    /** Between data centres; default none. */
    public Builder betweenDataCentres(Distribution latency) {
      betweenDataCentres = latency;
      return this;
    }

    /** For all messages of a kind between different nodes; default as the rest says. */
    public Builder kind(LinkKind kind, Distribution latency) {
      kinds.put(kind, latency);
      return this;
    }

    /**
     * Between two data centres, or two racks, both ways.
     *
     * @param one name of a data centre, or {@code DATA-CENTRE:RACK}
     * @param other name of the same kind
     */
    public Builder pair(String one, String other, Distribution latency) {
      pairs.put(new Pair(Objects.requireNonNull(one), other), latency);
      pairs.put(new Pair(other, one), latency);
      return this;
    }

    /** The description. */
    public Links build() {
      return new Links(this);
    }
  }
}
