/** HBase as a key-value store: a table of Calando's own, and writes that may be deferred. */
@NullMarked
package org.calando.store.hbase;

import org.jspecify.annotations.NullMarked;
