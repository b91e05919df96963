package org.calando.sim.cluster;

/** Which replicas a coordinator asks for a read. */
public enum ReplicaChoice {
  /** Those that the ring names first. */
  FIRST,
  /** Any, each as likely. */
  RANDOM,
  /** Those whose replies to the coordinator's rack were the fastest of late, itself first. */
  FASTEST
}
