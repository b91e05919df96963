package org.calando.sim.cluster;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The version of each key that each of its replicas holds; of two writes the higher version stays.
 * 8 bytes a replica of each key, in pages made for the first write to one of their keys. Not thread
 * safe.
 */
final class Versions {
  /** No record. */
  static final long ABSENT = 0;

  private static final int PAGE_BITS = 12;
  private static final int PAGE_KEYS = 1 << PAGE_BITS;

  private final int replicas;
  private final long mostKeys;
  private long[] @Nullable [] pages = new long[0][];

  Versions(int replicas, long mostKeys) {
    this.replicas = replicas;
    this.mostKeys = mostKeys;
  }

  long get(long key, int place) {
    int page = (int) (key >>> PAGE_BITS);
    if (page >= pages.length) {
      return ABSENT;
    }
    long[] versions = pages[page];
    return versions == null ? ABSENT : versions[index(key, place)];
  }

  void put(long key, int place, long version) {
    long[] versions = page(key);
    int index = index(key, place);
    if (version > versions[index]) {
      versions[index] = version;
    }
  }

  /** Gives keys a version on all replicas. */
  void load(long firstKey, long count, long version) {
    for (long key = firstKey; key < firstKey + count; key++) {
      for (int place = 0; place < replicas; place++) {
        put(key, place, version);
      }
    }
  }

  /** Forgets all. */
  void clear() {
    pages = new long[0][];
  }

  private long[] page(long key) {
    if (key >= mostKeys || key < 0) {
      throw new IllegalStateException("key " + key + " is not in 0.." + (mostKeys - 1));
    }
    int page = (int) (key >>> PAGE_BITS);
    if (page >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(page + 1, 2 * pages.length));
    }
    long[] versions = pages[page];
    if (versions == null) {
      versions = new long[PAGE_KEYS * replicas];
      pages[page] = versions;
    }
    return versions;
  }

  private int index(long key, int place) {
    return (int) (key & (PAGE_KEYS - 1)) * replicas + place;
  }
}
