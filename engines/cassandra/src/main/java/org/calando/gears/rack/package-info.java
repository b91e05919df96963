/**
 * Gears of an unpatched Cassandra: racks are powered down while every range keeps the copies that
 * clients need, and hints hold what was written meanwhile; see docs/cassandra-gears.md.
 */
@NullMarked
package org.calando.gears.rack;

import org.jspecify.annotations.NullMarked;
