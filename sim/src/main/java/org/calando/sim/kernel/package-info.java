/** Discrete events in deterministic order, random streams, distributions and queues. */
@NullMarked
package org.calando.sim.kernel;

import org.jspecify.annotations.NullMarked;
