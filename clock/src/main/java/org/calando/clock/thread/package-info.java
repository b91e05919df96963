/** Threads of servers: on which CPUs they run, and the knob that places them. */
@NullMarked
package org.calando.clock.thread;

import org.jspecify.annotations.NullMarked;
