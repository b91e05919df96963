/** Counters of other machines' processors, through the agent of each. */
@NullMarked
package org.calando.power.agent;

import org.jspecify.annotations.NullMarked;
