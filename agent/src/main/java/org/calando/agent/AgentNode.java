package org.calando.agent;

import org.calando.core.CpuSet;
import org.calando.power.agent.AgentSource;

/**
 * A node whose machine has an agent. Immutable and thread safe.
 *
 * @param name of the node
 * @param agent its machine's
 * @param cpus the node's processors, on that machine
 */
public record AgentNode(String name, AgentSource agent, CpuSet cpus) {}
