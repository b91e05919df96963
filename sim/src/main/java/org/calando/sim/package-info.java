/** The simulated cluster as a store like any other. */
@NullMarked
package org.calando.sim;

import org.jspecify.annotations.NullMarked;
