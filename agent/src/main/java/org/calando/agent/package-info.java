/** Clocks, threads and meters of other machines, through the agent of each. */
@NullMarked
package org.calando.agent;

import org.jspecify.annotations.NullMarked;
