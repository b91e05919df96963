package org.calando.core.layout.rack;

/**
 * A node and where it stands. Immutable and thread safe.
 *
 * @param name unique in its cluster
 * @param dataCentre its data centre
 * @param rack its rack, unique within the data centre
 */
public record RackNode(String name, String dataCentre, String rack) {
  /** The rack in words that no other rack has: {@code dc1/r3}. */
  public String place() {
    return dataCentre + "/" + rack;
  }
}
