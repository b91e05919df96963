/** The ring of a live cluster: reads it, and moves nodes' tokens. */
@NullMarked
package org.calando.store.cassandra.internal.ring;

import org.jspecify.annotations.NullMarked;
