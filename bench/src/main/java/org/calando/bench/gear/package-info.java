/** Benchmarks of gears: shifts, catch-up, days of load. */
@NullMarked
package org.calando.bench.gear;

import org.jspecify.annotations.NullMarked;
