/**
 * Random scenarios on simulated clusters, in which policies have to keep what they promise: drawn
 * from a seed, run in simulated time, judged by blocks of time.
 */
@NullMarked
package org.calando.sim.scenario;

import org.jspecify.annotations.NullMarked;
