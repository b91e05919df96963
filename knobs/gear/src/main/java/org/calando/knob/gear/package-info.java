/** Gears: what each draws and gives, and what shifts between them took. */
@NullMarked
package org.calando.knob.gear;

import org.jspecify.annotations.NullMarked;
