package org.calando.store.redis.internal;

import java.nio.channels.Selector;

/** One connection of a thread that serves many. */
interface Polled {
  /** The time of a poll has come. */
  void tick(Selector selector, long nowNanos);

  /** The selector says that something can be done. */
  void ready(long nowNanos);

  void close();
}
