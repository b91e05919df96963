package org.calando.core.staleness;

/** Whom a read asks. */
public enum WarsMode {
  /** All N replicas, and it uses the first X replies, as Dynamo does: the PBS paper's. */
  ALL,

  /** X random replicas, and it awaits all of them, as Cassandra does without speculation. */
  SUBSET
}
