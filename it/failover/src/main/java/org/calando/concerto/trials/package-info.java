/** Fail-overs of real servers under load, watched from outside the power manager. */
@NullMarked
package org.calando.concerto.trials;

import org.jspecify.annotations.NullMarked;
