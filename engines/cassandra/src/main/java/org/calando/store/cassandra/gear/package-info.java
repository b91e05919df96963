/** What nodes of a Cassandra tell and take of shifts that power racks down and up. */
@NullMarked
package org.calando.store.cassandra.gear;

import org.jspecify.annotations.NullMarked;
