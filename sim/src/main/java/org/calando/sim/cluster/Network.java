package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;

/** Draws latencies of messages. Not thread safe. */
final class Network {
  private static final LinkKind[] BY_TYPE = {
    LinkKind.READ, // requests come from clients
    LinkKind.READ,
    LinkKind.READ,
    LinkKind.WRITE,
    LinkKind.WRITE,
    LinkKind.WRITE,
    LinkKind.RESPONSE,
    LinkKind.ACKNOWLEDGEMENT
  };

  private final int racks;
  private final int[] rackOf;
  private final Distribution[] table;
  private Distribution client;
  private final RandomStream clientRandom;
  private final RandomStream[] random;
  private LinkDelays delays = LinkDelays.NONE;

  Network(Topology topology, Links links, RandomStreams streams) {
    racks = topology.racks().size();
    rackOf = new int[topology.size()];
    random = new RandomStream[topology.size()];
    for (int node = 0; node < rackOf.length; node++) {
      rackOf[node] = topology.rackOf(node);
      random[node] = streams.of("network", node);
    }
    clientRandom = streams.of("clients' network");
    table = new Distribution[BY_TYPE.length * racks * racks];
    client = links.client();
    fill(topology, links);
  }

  /** Other latencies from now on; random numbers go on where they were. */
  void change(Topology topology, Links links) {
    client = links.client();
    fill(topology, links);
  }

  private void fill(Topology topology, Links links) {
    for (int i = 0; i < table.length; i++) {
      table[i] =
          links.between(
              BY_TYPE[i / (racks * racks)],
              topology.racks().get(i / racks % racks),
              topology.racks().get(i % racks));
    }
  }

  /** From a client to its coordinator, or back. */
  long clientNanos() {
    return client.sample(clientRandom);
  }

  /** From a node to another one, for a message of a type of {@link Messages}. */
  long nanos(int type, int from, int to) {
    int index = (type * racks + rackOf[from]) * racks + rackOf[to];
    return table[index].sample(random[from]) + delays.nanos(from, to);
  }

  /** Delays messages from now on. */
  void delay(LinkDelays links) {
    delays = links;
  }
}
