package org.calando.sim.cluster;

/**
 * What has become of deferred writes: {@code deferred = atRisk + written + failed}.
 *
 * @param deferred taken into buffers; those that filled one, whose clients wait, once they have
 *     ended
 * @param atRisk acknowledged to their clients, and in buffers, or sent and not acknowledged by the
 *     cluster
 * @param written acknowledged by the cluster
 * @param failed refused, or not acknowledged in time: the client knows those that it was told of at
 *     once as written, and the outcome of those that filled a buffer
 */
public record DeferredCounts(long deferred, long atRisk, long written, long failed) {}
