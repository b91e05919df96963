package org.calando.store.hdfs;

/**
 * What the NameNode counts now. Immutable.
 *
 * @param safeMode whether it refuses changes
 * @param files files and folders
 * @param blocks blocks of all files
 * @param lowRedundancy blocks with fewer replicas than their file asks for, those that wait for a
 *     copy included; blocks that a layout gives fewer are counted too
 * @param pending blocks of which a copy was ordered and has not been reported
 * @param scheduled copies that are to be ordered of nodes with their next heartbeat
 * @param corrupt blocks with a corrupt replica
 * @param missing blocks without any sound replica that can be read
 * @param pendingDeletion replicas that are in excess and not yet deleted
 * @param postponed blocks whose excess replicas wait for the full report of a node; as old as the
 *     NameNode's period of metrics, 10 s by default, unlike the others
 */
public record NameNodeHealth(
    boolean safeMode,
    long files,
    long blocks,
    long lowRedundancy,
    long pending,
    long scheduled,
    long corrupt,
    long missing,
    long pendingDeletion,
    long postponed) {}
