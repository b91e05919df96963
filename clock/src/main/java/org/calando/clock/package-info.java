/**
 * The clock of the cores that nodes run on, and which cores those are: what the machine can do, the
 * leased knobs, the guard that restores them, and restoring from their journals.
 */
@NullMarked
package org.calando.clock;

import org.jspecify.annotations.NullMarked;
