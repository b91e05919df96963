/** Benchmarks of a Cassandra whose racks are powered down and up. */
@NullMarked
package org.calando.bench.rack;

import org.jspecify.annotations.NullMarked;
