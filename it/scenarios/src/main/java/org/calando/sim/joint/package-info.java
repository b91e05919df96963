/**
 * What one controller of levels, gear and clocks comes to on simulated clusters, beside policies of
 * single knobs and beside the best that could have been done with a load that is known.
 */
@NullMarked
package org.calando.sim.joint;

import org.jspecify.annotations.NullMarked;
