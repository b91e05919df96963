/** The kernel's energy counters of this machine's processors (RAPL). */
@NullMarked
package org.calando.power.powercap;

import org.jspecify.annotations.NullMarked;
