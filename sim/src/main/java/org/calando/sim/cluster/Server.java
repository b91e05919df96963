package org.calando.sim.cluster;

import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Station;

/**
 * What the work of a node, or of the clients, needs to know of it, in one place of memory: an array
 * of each would be a line of cache each for every piece of work. Not thread safe.
 */
final class Server {
  /** Its cores, perhaps beside those of others on its machine. */
  final Station cpu;

  final Station disk;

  /** For core times. */
  final RandomStream random;

  final RandomStream diskRandom;

  /** Whether its machine was declared, so that its cores may be those of others too. */
  final boolean shares;

  /** Whether its machine serves what waits in random order. */
  final boolean anyOrder;

  boolean serving = true;

  /** How many times it has failed or been switched off. */
  int life;

  /** By which its core times are multiplied, {@link #cold} included. */
  double factor = 1;

  /** How much longer its work takes as it has started of late, 0 or more. */
  double cold;

  /** Until when it stands still; 0 if it never did. */
  long stillNanos;

  /** When it last ended work that was for an operation; 0 if it never did. */
  long lastWorkNanos;

  private Server(int node, Station cpu, ClusterConfig config, HostPlan hosts) {
    RandomStreams streams = new RandomStreams(config.seed());
    this.cpu = cpu;
    disk = new Station(config.services().disks(), config.mostWaiting());
    random = streams.of("cores", node);
    diskRandom = streams.of("disk", node);
    shares = hosts.isDeclared(node);
    anyOrder = hosts.anyOrder(node);
  }

  /** The nodes of a cluster, then its clients. */
  static Server[] of(ClusterConfig config, HostPlan hosts) {
    Station[] ofHosts = new Station[hosts.hosts()];
    for (int host = 0; host < ofHosts.length; host++) {
      ofHosts[host] = new Station(hosts.coresOf(host), config.mostWaiting());
    }
    Server[] servers = new Server[config.topology().size() + 1];
    for (int node = 0; node < servers.length; node++) {
      int host = hosts.hostOf(node);
      // Clients without a machine never have work.
      Station cpu = host < 0 ? new Station(1, config.mostWaiting()) : ofHosts[host];
      servers[node] = new Server(node, cpu, config, hosts);
    }
    return servers;
  }
}
