/** What the store is made of. */
@NullMarked
package org.calando.store.hbase.internal;

import org.jspecify.annotations.NullMarked;
