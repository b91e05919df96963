package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;

/** Draws what the work of each message costs a core of its node. Not thread safe. */
final class WorkTimes {
  /** A share of work's time that nobody notices. */
  private static final double WARM = 1e-3;

  private final ServiceTimes services;
  private final Distribution[] costs = new Distribution[Messages.TYPES];
  private final boolean[] free = new boolean[Messages.TYPES];
  private final Server[] servers;
  private final double[] slowness;
  private final double[] stretch;
  private final double cold;
  private final double warming;
  private double batchShare;

  WorkTimes(ClusterConfig config, Server[] servers) {
    this.services = config.services();
    this.servers = servers;
    slowness = new double[servers.length];
    stretch = new double[servers.length];
    Arrays.fill(slowness, 1);
    Arrays.fill(stretch, 1);
    cold = config.absences().costs().cold();
    warming = StrictMath.exp(-1 / config.absences().costs().coldOperations());
    WriteBuffer buffer = config.writeBuffer();
    batchShare = buffer == null ? 1 : buffer.costShare();
    setCosts(config);
    for (int type = 0; type < costs.length; type++) {
      free[type] = costs[type].isNone();
    }
    free[Messages.REQUEST] &= services.client().isNone() && services.message().isNone();
    boolean scansFree = services.scannedRecord().isNone();
    free[Messages.READ] &= scansFree;
    free[Messages.DIGEST] &= scansFree;
    free[Messages.OWN] = false;
  }

  private void setCosts(ClusterConfig config) {
    ClientWork clients = config.clientWork();
    costs[Messages.REQUEST] = services.coordinator();
    costs[Messages.READ] = services.read();
    costs[Messages.DIGEST] = services.digest();
    costs[Messages.WRITE] = services.write();
    costs[Messages.REPAIR] = services.write();
    costs[Messages.HINT] = services.write();
    costs[Messages.RESPONSE] = services.reply();
    costs[Messages.ACKNOWLEDGEMENT] = services.reply();
    costs[Messages.CLIENT_REQUEST] = clients == null ? Distribution.NONE : clients.request();
    costs[Messages.CLIENT_ANSWER] = clients == null ? Distribution.NONE : clients.answer();
    costs[Messages.BACKGROUND] = config.background().burst();
    costs[Messages.OWN] = Distribution.NONE;
  }

  /** What the coordinator's work for a write of a buffer costs from now on. */
  void batchShare(double share) {
    batchShare = share;
  }

  /** Whether messages of a type never cost anything. */
  boolean isFree(int type) {
    return free[type];
  }

  /** Makes the work that a node starts from now on take a multiple of its time. */
  void slow(int node, double factor) {
    slowness[node] = factor;
    setFactor(node);
  }

  /** Likewise for a node's clock: the fastest one over its own, 1 or more. */
  void stretch(int node, double factor) {
    stretch[node] = factor;
    setFactor(node);
  }

  /** Makes work take longer on a node whose process has started, until it has done some. */
  void chill(int node) {
    servers[node].cold = cold;
    setFactor(node);
  }

  private void setFactor(int node) {
    servers[node].factor = slowness[node] * stretch[node] * (1 + servers[node].cold);
  }

  private void warm(int node) {
    double left = servers[node].cold * warming;
    servers[node].cold = left < WARM ? 0 : left;
    setFactor(node);
  }

  /** Core time of a message's work at its node, in nanoseconds. */
  long nanos(Message message, Server server) {
    int type = message.type;
    RandomStream stream = server.random;
    if (isForNobody(type, message)) {
      return 0;
    }
    long nanos = costs[type].sample(stream);
    if (type == Messages.REQUEST) {
      nanos += services.client().sample(stream);
      int sends = message.operation.pending;
      nanos += services.message().sampleSum(sends, stream);
      if (batchShare != 1 && message.operation.batched) {
        nanos = StrictMath.round(nanos * batchShare);
      }
    } else if (type == Messages.OWN) {
      // What was measured of a node that starts is of a cold one.
      return StrictMath.round(message.version * slowness[message.node] * stretch[message.node]);
    } else if (type == Messages.READ || type == Messages.DIGEST) {
      long scanned = message.operation.scanned;
      if (scanned > 0) {
        nanos += services.scannedRecord().sampleSum(scanned, stream);
      }
    }
    long scaled = scaled(nanos, server);
    if (server.cold > 0 && type <= Messages.HINT) {
      warm(message.node);
    }
    return scaled;
  }

  /** What takes a time at the fastest clock takes at a node's own. */
  long scaled(long nanos, Server server) {
    double factor = server.factor;
    return factor == 1 ? nanos : StrictMath.round(nanos * factor);
  }

  /** Whether a reply comes to an operation that has been answered already. */
  private boolean isForNobody(int type, Message message) {
    return (type == Messages.RESPONSE || type == Messages.ACKNOWLEDGEMENT)
        && message.operation.state == OperationRecord.ENDED;
  }
}
