package org.calando.store.hbase.internal;

import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.store.Session;

/** The newest version of each key that is acknowledged and not on the server. Thread safe. */
final class Unsent {
  /** Writes of a key that are not on the server: how many, and the newest. */
  private record Newest(int writes, long version) {}

  private final ConcurrentHashMap<Long, Newest> byKey = new ConcurrentHashMap<>();

  void add(long key, long version) {
    byKey.merge(
        key,
        new Newest(1, version),
        (one, other) -> new Newest(one.writes + 1, Math.max(one.version, other.version)));
  }

  /** One write of the key is on the server, or has failed. */
  void remove(long key) {
    byKey.computeIfPresent(
        key,
        (each, newest) ->
            newest.writes == 1 ? null : new Newest(newest.writes - 1, newest.version));
  }

  /** The newest version of a key, or that there is none. */
  long version(long key) {
    Newest newest = byKey.get(key);
    return newest == null ? Session.NO_VERSION : newest.version;
  }
}
