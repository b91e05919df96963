package org.calando.sim.cluster;

import java.util.Arrays;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;

/** Draws what the work of each message costs a core of its node. Not thread safe. */
final class WorkTimes {
  private final Messages messages;
  private final Operations operations;
  private final ServiceTimes services;
  private final Distribution[] costs = new Distribution[Messages.TYPES];
  private final boolean[] free = new boolean[Messages.TYPES];
  private final RandomStream[] random;
  private final double[] slowness;

  WorkTimes(ClusterConfig config, Messages messages, Operations operations) {
    this.messages = messages;
    this.operations = operations;
    this.services = config.services();
    int size = config.topology().size() + 1;
    RandomStreams streams = new RandomStreams(config.seed());
    random = new RandomStream[size];
    slowness = new double[size];
    Arrays.fill(slowness, 1);
    for (int node = 0; node < size; node++) {
      random[node] = streams.of("cores", node);
    }
    setCosts(config);
    for (int type = 0; type < costs.length; type++) {
      free[type] = costs[type].isNone();
    }
    free[Messages.REQUEST] &= services.client().isNone() && services.message().isNone();
    boolean scansFree = services.scannedRecord().isNone();
    free[Messages.READ] &= scansFree;
    free[Messages.DIGEST] &= scansFree;
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
  }

  /** Whether messages of a type never cost anything. */
  boolean isFree(int type) {
    return free[type];
  }

  /** Makes the work that a node starts from now on take a multiple of its time. */
  void slow(int node, double factor) {
    slowness[node] = factor;
  }

  /** Core time of a message's work at its node, in nanoseconds. */
  long nanos(int message) {
    int type = messages.type(message);
    int node = messages.node(message);
    RandomStream stream = random[node];
    if (isForNobody(type, message)) {
      return 0;
    }
    long nanos = costs[type].sample(stream);
    if (type == Messages.REQUEST) {
      nanos += services.client().sample(stream);
      for (int i = operations.get(messages.operation(message), Operations.PENDING); i > 0; i--) {
        nanos += services.message().sample(stream);
      }
    } else if (type == Messages.READ || type == Messages.DIGEST) {
      for (long i = operations.getLong(messages.operation(message), Operations.SCANNED);
          i > 0;
          i--) {
        nanos += services.scannedRecord().sample(stream);
      }
    }
    return slowness[node] == 1 ? nanos : StrictMath.round(nanos * slowness[node]);
  }

  /** Whether a reply comes to an operation that has been answered already. */
  private boolean isForNobody(int type, int message) {
    return (type == Messages.RESPONSE || type == Messages.ACKNOWLEDGEMENT)
        && operations.get(messages.operation(message), Operations.STATE) == Operations.ENDED;
  }
}
