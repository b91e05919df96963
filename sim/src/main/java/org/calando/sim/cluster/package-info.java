/** A simulated replicated store: ring, coordinators, replicas, links, failures and energy. */
@NullMarked
package org.calando.sim.cluster;

import org.jspecify.annotations.NullMarked;
