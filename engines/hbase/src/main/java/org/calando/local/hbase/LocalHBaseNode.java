package org.calando.local.hbase;

import java.nio.file.Path;

/**
 * A server of a local cluster. Immutable.
 *
 * @param name {@code n1} to {@code nN} for RegionServers, {@code master}, {@code zookeeper}
 * @param address where it listens
 * @param port where it takes calls
 * @param pid its process last started, or 0
 * @param startTicks when that started, in clock ticks since boot
 * @param logFile its log
 */
public record LocalHBaseNode(
    String name, String address, int port, long pid, long startTicks, Path logFile) {}
