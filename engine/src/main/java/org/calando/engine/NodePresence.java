package org.calando.engine;

import java.util.List;

/** Is told of nodes that end and come back by order. Thread safe. */
public interface NodePresence {
  /** Whoever is not interested. */
  NodePresence IGNORED =
      new NodePresence() {
        @Override
        public void mayEnd(String node) {}

        @Override
        public void cameBack(String node, long pid) {}
      };

  /** From now on the end of the node's process is no error. */
  void mayEnd(String node);

  /** As {@link #mayEnd}, and the node's machine goes off with it. */
  default void mayGoOff(String node) {
    mayEnd(node);
  }

  /** The node is to be on again, whatever process it is then. */
  default void isOn(String node) {}

  /** The node is another process from now on. */
  void cameBack(String node, long pid);

  /** The same of a node of several processes, of which all are others. */
  default void cameBack(String node, long pid, List<Long> companions) {
    cameBack(node, pid);
  }
}
