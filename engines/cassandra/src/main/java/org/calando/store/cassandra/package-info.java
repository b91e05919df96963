/** Apache Cassandra as a replicated store: one table of Calando's own, through the Java driver. */
@NullMarked
package org.calando.store.cassandra;

import org.jspecify.annotations.NullMarked;
