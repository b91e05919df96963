/** Thread pools of nodes, whose threads share the cores of their machines. */
@NullMarked
package org.calando.sim.stage;

import org.jspecify.annotations.NullMarked;
