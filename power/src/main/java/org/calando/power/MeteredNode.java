package org.calando.power;

import org.calando.core.energy.NodeProfile;

/**
 * A node whose energy is told.
 *
 * @param name the node's name
 * @param profile the machine that it stands for
 */
public record MeteredNode(String name, NodeProfile profile) {}
