/** What nodes miss while they are away, and what it costs to go and to come back. */
@NullMarked
package org.calando.sim.away;

import org.jspecify.annotations.NullMarked;
