package org.calando.sim.cluster;

/**
 * A message, and the work that it is for the node it reaches. A reply uses the record of what it
 * replies to. A record is used again: it is one of {@link Messages}. Not thread safe.
 */
final class Message {
  /** By which events and queues name it. */
  final int number;

  /** One of the types of {@link Messages}, or {@link Messages#FREE}. */
  byte type = Messages.FREE;

  /** Place of the replica among the key's. */
  byte place;

  /** Of replies: 0 to the first question, 1 to a second one, 2 to what nobody waits for. */
  byte round;

  /** Where it is on its way between the stages of {@link Nodes}; 0 if not on a messaging loop. */
  byte hop;

  /** The node that it reaches. */
  int node;

  /** The node that sent it. */
  int from;

  /** How many times its node had failed when its service started. */
  int life;

  /** What it belongs to; of hints, and of a node's own work, a record of no operation. */
  OperationRecord operation;

  long version;

  /** Of what a replica is to do. */
  long key;

  /** From when on nobody waits for the work that it is. */
  long deadlineNanos;

  /** Where replies are timed. */
  long sentNanos;

  Message(int number, OperationRecord operation) {
    this.number = number;
    this.operation = operation;
  }

  /** Sends it back to where it came from, as another type. */
  void turn(int newType) {
    int replica = node;
    node = from;
    from = replica;
    type = (byte) newType;
    deadlineNanos = Messages.NEVER;
  }

  /** Sends it on to another node, as another type. */
  void pass(int newType, int newNode) {
    from = node;
    node = newNode;
    type = (byte) newType;
  }

  /** Whether a replica's work for it is to read. */
  boolean isRead() {
    return type == Messages.READ || type == Messages.DIGEST;
  }
}
