/** How the Redis adapter works inside. */
@NullMarked
package org.calando.store.redis.internal;

import org.jspecify.annotations.NullMarked;
