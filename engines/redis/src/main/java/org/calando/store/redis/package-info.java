/** One Redis or Valkey master with its replicas as a store, and the roles of its nodes. */
@NullMarked
package org.calando.store.redis;

import org.jspecify.annotations.NullMarked;
