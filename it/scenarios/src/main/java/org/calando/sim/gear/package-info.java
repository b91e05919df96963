/**
 * Gears in simulated time: a cluster as a fluid model under a load trace and a policy of gears,
 * with its joules, its overload and the data that shifts have to move.
 */
@NullMarked
package org.calando.sim.gear;

import org.jspecify.annotations.NullMarked;
