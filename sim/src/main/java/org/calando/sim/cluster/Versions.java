package org.calando.sim.cluster;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/*
 * What a simulation of many keys waits for is memory, most of all that of its keys, which it comes
 * to in no order. So a version takes 4 bytes until one needs more.
 */
/**
 * The version of each key that each of its replicas holds; of two writes the higher version stays.
 * 4 bytes a replica of each key, in pages made for the first write to one of their keys; 8 in a
 * page that has had a version of more than 31 bits. Not thread safe.
 */
final class Versions {
  /** No record. */
  static final long ABSENT = 0;

  private static final int PAGE_BITS = 12;
  private static final int PAGE_KEYS = 1 << PAGE_BITS;

  private final int replicas;
  private final long mostKeys;

  // A page is in one of both, or in none.
  private int[] @Nullable [] narrow = new int[0][];
  private long[] @Nullable [] wide = new long[0][];

  Versions(int replicas, long mostKeys) {
    this.replicas = replicas;
    this.mostKeys = mostKeys;
  }

  long get(long key, int place) {
    int page = (int) (key >>> PAGE_BITS);
    if (page >= narrow.length) {
      return ABSENT;
    }
    int[] versions = narrow[page];
    return versions == null ? getWide(page, index(key, place)) : versions[index(key, place)];
  }

  private long getWide(int page, int index) {
    long[] versions = wide[page];
    return versions == null ? ABSENT : versions[index];
  }

  /**
   * Reads a key's versions ahead of their use, beside something else that is read from memory: the
   * processor waits for both at once.
   *
   * @throws IllegalStateException if one is below 0, which cannot be
   */
  void approach(long key) {
    if ((get(key, 0) | get(key, replicas - 1)) < 0) {
      throw new IllegalStateException("a version of key " + key + " is below 0");
    }
  }

  void put(long key, int place, long version) {
    int page = page(key);
    int index = index(key, place);
    int[] versions = narrow[page];
    if (versions == null || version > Integer.MAX_VALUE) {
      putWide(page, index, version);
    } else if (version > versions[index]) {
      versions[index] = (int) version;
    }
  }

  private void putWide(int page, int index, long version) {
    long[] versions = wide[page];
    int[] before = narrow[page];
    if (before != null) {
      versions = Arrays.stream(before).asLongStream().toArray();
      narrow[page] = null;
      wide[page] = versions;
    }
    if (versions != null && version > versions[index]) {
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
    narrow = new int[0][];
    wide = new long[0][];
  }

  /** The number of a key's page, which is there then. */
  private int page(long key) {
    if (key >= mostKeys || key < 0) {
      throw new IllegalStateException("key " + key + " is not in 0.." + (mostKeys - 1));
    }
    int page = (int) (key >>> PAGE_BITS);
    if (page >= narrow.length) {
      int length = Math.max(page + 1, 2 * narrow.length);
      narrow = Arrays.copyOf(narrow, length);
      wide = Arrays.copyOf(wide, length);
    }
    if (narrow[page] == null && wide[page] == null) {
      narrow[page] = new int[PAGE_KEYS * replicas];
    }
    return page;
  }

  private int index(long key, int place) {
    return (int) (key & (PAGE_KEYS - 1)) * replicas + place;
  }
}
