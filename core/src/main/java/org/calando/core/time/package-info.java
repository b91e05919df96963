/** Time and turns that are handed in from outside, and those of the machine. */
@NullMarked
package org.calando.core.time;

import org.jspecify.annotations.NullMarked;
