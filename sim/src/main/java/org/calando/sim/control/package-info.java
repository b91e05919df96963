/**
 * The loop on a simulated cluster: it is observed as a real one is, in simulated time, and policies
 * decide the level of its reads.
 */
@NullMarked
package org.calando.sim.control;

import org.jspecify.annotations.NullMarked;
