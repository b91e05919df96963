package org.calando.power;

/** Tells what each node's process has used, by index. Thread safe. */
@FunctionalInterface
public interface UsageSource {
  /**
   * Reads a node.
   *
   * @param node index of the node, from 0
   * @throws MeterException if its process has ended or cannot be read
   */
  NodeUsage read(int node) throws MeterException;
}
