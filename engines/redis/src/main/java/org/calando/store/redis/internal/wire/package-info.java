/** Plain sockets to servers: their protocol, with or without TLS. */
@NullMarked
package org.calando.store.redis.internal.wire;

import org.jspecify.annotations.NullMarked;
