package org.calando.sim.cluster;

import org.calando.sim.kernel.Distribution;

/**
 * What an operation costs the machine of its client, beside the network: work that waits for the
 * cores of that machine like all other. An operation that ends by its timeout costs no answer.
 *
 * @param host name of the {@link Host} that clients run on
 * @param request core time before a request leaves
 * @param answer core time from an answer's arrival until the client knows of it
 */
public record ClientWork(String host, Distribution request, Distribution answer) {}
