package org.calando.sim.cluster;

/**
 * What has happened in a cluster so far. What is under way is counted one by one, and not worked
 * out from the rest, so that it shows where nothing is lost or made up:
 *
 * <pre>
 *   reads + writes = ok + notFound + refused + indeterminate + underWay
 *   messages       = messagesEnded + messagesUnderWay
 * </pre>
 *
 * @param reads begun
 * @param writes begun
 * @param ok operations answered at their level
 * @param notFound reads that found no record
 * @param refused operations for which too few replicas were up
 * @param indeterminate operations without an answer in time
 * @param underWay operations without an answer yet
 * @param messages sent to nodes, those that are work for the sender itself included
 * @param messagesEnded of these served or lost, the reply to each included
 * @param messagesUnderWay of these on their way, waiting or in service
 * @param messagesLost at nodes that were down, full, or knew their operation no more, or given up
 *     as too late
 * @param replicaReads reads of data and digests that replicas did
 * @param replicaWrites writes that replicas did, repairs included and hints not
 * @param mismatches reads whose replies differed
 * @param repairs writes sent to replicas that were behind
 * @param hintsKept writes kept for nodes that were down or silent
 * @param hintsDelivered of these written to their nodes
 * @param hintsLost for want of room
 * @param hintsWaiting kept now
 */
public record ClusterCounts(
    long reads,
    long writes,
    long ok,
    long notFound,
    long refused,
    long indeterminate,
    long underWay,
    long messages,
    long messagesEnded,
    long messagesUnderWay,
    long messagesLost,
    long replicaReads,
    long replicaWrites,
    long mismatches,
    long repairs,
    long hintsKept,
    long hintsDelivered,
    long hintsLost,
    long hintsWaiting) {}
