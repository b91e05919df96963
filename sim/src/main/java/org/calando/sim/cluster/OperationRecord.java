package org.calando.sim.cluster;

import org.calando.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What there is to know of an operation under way. A record is used again once its operation is
 * done: it is one of {@link Operations}, which says when. Sets of replicas are bits by their place
 * among the key's replicas. Not thread safe.
 */
final class OperationRecord {
  // Types.
  static final int READ = 0;
  static final int WRITE = 1;

  // States, in order.
  static final int ASKED = 0;
  static final int REREADING = 1;
  static final int REPAIRING = 2;
  static final int ENDED = 3;

  private static final int[] NONE = {};

  /** By which events name it. */
  final int number;

  int type;
  int state;
  Outcome outcome = Outcome.OK;

  /** Whether a quorum of each data centre is needed. */
  boolean each;

  /** Whether a read repairs all replicas beside its answer. */
  boolean background;

  /** Whether a read repairs nothing. */
  boolean unrepaired;

  /** Whether a write came with others of a buffer. */
  boolean batched;

  /** Whether a thread of its coordinator waits for its end. */
  boolean holdsThread;

  /** Whether the client does not know yet how it ended. */
  boolean untold;

  int coordinator;

  /** How many times the coordinator had failed when it took the request. */
  int life;

  int requester;
  int tag;

  /** How many of the counting replicas are needed. */
  int need;

  int counting;
  int sent;
  int digests;
  int answered;

  /** What the coordinator is going to send; once it has, the replies that it waits for. */
  int pending;

  /** The request, questions and the answer that are on their way. */
  int outstanding;

  long key;
  long startNanos;
  long deadlineNanos;

  /** The version written, or the newest one found by a read. */
  long version;

  /** Of a write where that is watched: replicas that have it, and since when the first does. */
  int written;

  long firstNanos;

  /** Records that a scan reads beside the first. */
  long scanned;

  int[] replicas = NONE;

  /** The version that each replica replied with; of a write when it leaves for each. */
  private final long[] ofReplicas;

  /** Whether it is in a list of deadlines, where it has one before and one after it. */
  boolean listed;

  @Nullable OperationRecord before;
  @Nullable OperationRecord after;

  /** A record for operations on keys of so many replicas. */
  OperationRecord(int number, int replicas) {
    this.number = number;
    this.ofReplicas = new long[replicas];
  }

  /** The version that a replica replied with. */
  long replied(int place) {
    return ofReplicas[place];
  }

  void setReplied(int place, long found) {
    ofReplicas[place] = found;
  }

  /** When a write leaves for a replica. */
  long leavesNanos(int place) {
    return ofReplicas[place];
  }

  void setLeavesNanos(int place, long nanos) {
    ofReplicas[place] = nanos;
  }
}
