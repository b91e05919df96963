package org.calando.sim.cluster;

/** What a coordinator does about replicas whose versions differ. */
public enum ReadRepair {
  /** Nothing; the read returns the newest version it found. */
  NONE,
  /** Writes the newest version to the others that it asked, and answers once they have it. */
  BLOCKING
}
