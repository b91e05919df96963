package org.calando.sim.cluster;

/**
 * What nodes did for operations, and what replicas have yet to do: counted where their clocks are
 * to follow it. Not thread safe.
 */
final class ReplicaWork {
  private final long[] reads;
  private final long[] writes;
  private final long[] readNanos;
  private final long[] writeNanos;
  private final long[] sent;
  private final long[] pending;

  ReplicaWork(int nodes) {
    reads = new long[nodes];
    writes = new long[nodes];
    readNanos = new long[nodes];
    writeNanos = new long[nodes];
    sent = new long[nodes];
    pending = new long[nodes];
  }

  /** A node begins work that takes a time; what is for no operation is not counted. */
  void began(Message message, long nanos) {
    int node = message.node;
    switch (message.type) {
      case Messages.READ, Messages.DIGEST -> {
        reads[node]++;
        readNanos[node] += nanos;
      }
      case Messages.WRITE, Messages.REPAIR, Messages.HINT -> {
        writes[node]++;
        writeNanos[node] += nanos;
      }
      case Messages.REQUEST, Messages.RESPONSE, Messages.ACKNOWLEDGEMENT -> {
        if (message.operation.type == OperationRecord.READ) {
          readNanos[node] += nanos;
        } else {
          writeNanos[node] += nanos;
        }
      }
      default -> {}
    }
  }

  /** A master has written, and sends the write on. */
  void replicates(int master) {
    sent[master]++;
  }

  /** A write is on its way to a replica, or waits to be sent. */
  void sends(int replica) {
    pending[replica]++;
  }

  /** A write has come to a replica, or was lost. */
  void arrived(Message message) {
    if (message.type == Messages.WRITE && message.node != message.from) {
      pending[message.node]--;
    }
  }

  long reads(int node) {
    return reads[node];
  }

  long writes(int node) {
    return writes[node];
  }

  long readNanos(int node) {
    return readNanos[node];
  }

  long writeNanos(int node) {
    return writeNanos[node];
  }

  long sent(int node) {
    return sent[node];
  }

  long pending(int node) {
    return pending[node];
  }
}
