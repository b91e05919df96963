/** What Cassandra's nodes report of promises to its clients. */
@NullMarked
package org.calando.store.cassandra.promise;

import org.jspecify.annotations.NullMarked;
