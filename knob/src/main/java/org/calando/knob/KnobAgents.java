package org.calando.knob;

import java.util.Map;
import org.calando.core.policy.Knob;

/**
 * The agents of a cluster's machines, each of which reaches processes of its own machine: a
 * capability of clusters whose nodes nobody reaches from here. Thread safe.
 */
public interface KnobAgents {
  /**
   * The knob of each node's process, all set alike. Agents have it on lease as long as this process
   * is heard of, so it ends with this process.
   */
  <V> Knob<V> knob(KnobType<V> type);

  /**
   * A figure of each node, by the nodes' names; blocks.
   *
   * @param bean of a domain of metrics
   * @param attribute a number
   * @throws org.calando.core.FailedWorkException if an agent does not tell it
   */
  Map<String, Long> figures(String bean, String attribute);
}
