package org.calando.sim.cluster;

/** Which replicas a coordinator asks for a read. */
public enum ReplicaChoice {
  /** Those that the ring names first. */
  FIRST,
  /** Any, each as likely. */
  RANDOM,
  /** Those whose replies to the coordinator's rack were the fastest of late, itself first. */
  FASTEST,
  /**
   * The nearest: the coordinator itself, then those of its rack, then those of its data centre, and
   * among equals those that the ring names first. What Cassandra does without its dynamic snitch.
   */
  NEAREST
}
