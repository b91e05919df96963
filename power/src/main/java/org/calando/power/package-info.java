/** Meters: what measures, or models, the energy of a node. */
@NullMarked
package org.calando.power;

import org.jspecify.annotations.NullMarked;
