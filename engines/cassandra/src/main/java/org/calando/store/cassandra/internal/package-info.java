/** How the Cassandra adapter works; not an interface to build on. */
@NullMarked
package org.calando.store.cassandra.internal;

import org.jspecify.annotations.NullMarked;
