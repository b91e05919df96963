package org.calando.local.redis;

import java.nio.file.Path;

/**
 * A server of a local cluster: a node, or a Sentinel. Immutable.
 *
 * @param index 1 to N among its kind
 * @param name {@code n1} to {@code nN}, or {@code s1} to {@code sN} for Sentinels
 * @param address where it listens
 * @param port its port
 * @param pid its process last started, or 0
 * @param startTicks when that started, in clock ticks since boot
 * @param logFile its log
 */
public record LocalRedisNode(
    int index, String name, String address, int port, long pid, long startTicks, Path logFile) {}
