package org.calando.knob;

import java.util.List;
import java.util.OptionalDouble;

/** How busy the nodes of a run's cluster are. A capability of the cluster. Thread safe. */
public interface NodeWork {
  /** All nodes, by their last seconds. */
  List<Node> nodes();

  /**
   * A node.
   *
   * @param name its name
   * @param isOn whether it is to serve: it is not off by order
   * @param atNanos end of the time that the share is of, of {@link System#nanoTime}
   * @param busyShare of its cores, 0 .. 1; empty if it is not known, or the node is off
   */
  record Node(String name, boolean isOn, long atNanos, OptionalDouble busyShare) {}
}
