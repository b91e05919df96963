/** Real Redis or Valkey on the loopback interface: a master, its replicas, and Sentinels. */
@NullMarked
package org.calando.local.redis;

import org.jspecify.annotations.NullMarked;
