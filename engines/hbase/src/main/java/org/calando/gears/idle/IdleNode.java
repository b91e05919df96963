package org.calando.gears.idle;

/**
 * A machine that can sleep. Immutable.
 *
 * @param name as people call it
 * @param server its RegionServer, {@code HOST:PORT} as the master names it
 * @param dataNode its DataNode, the transfer address as the NameNode names it
 */
public record IdleNode(String name, String server, String dataNode) {}
