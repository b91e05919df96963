/**
 * The level of reads: what policies that choose it promised, kept and cost, and the figures of
 * Harmony (Chihoub et al. 2012).
 */
@NullMarked
package org.calando.knob.level;

import org.jspecify.annotations.NullMarked;
