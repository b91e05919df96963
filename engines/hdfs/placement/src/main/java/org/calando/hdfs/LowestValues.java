package org.calando.hdfs;

/**
 * The lowest value that was put to each key, in few bytes: 12 for a place, of which at most three
 * quarters are taken. When it has {@value #MOST_PLACES} places and no more room, further keys are
 * left out. Not thread safe.
 */
final class LowestValues {
  private static final int FIRST_PLACES = 1 << 10;
  private static final int MOST_PLACES = 1 << 21;

  /** A key of this value is taken for 1. */
  private static final long FREE = 0;

  private long[] keys = new long[FIRST_PLACES];
  private int[] values = new int[FIRST_PLACES];
  private int size;

  /** Keeps a value if it is lower than those before. */
  void put(long key, int value) {
    if (4L * (size + 1) > 3L * keys.length && keys.length < MOST_PLACES) {
      grow();
    }
    int place = place(keys, key);
    if (keys[place] == FREE) {
      if (4L * (size + 1) > 3L * keys.length) {
        return;
      }
      keys[place] = stored(key);
      values[place] = value;
      size++;
    } else {
      values[place] = Math.min(values[place], value);
    }
  }

  /** The lowest value of a key; the greatest there is if it has none. */
  int get(long key) {
    int place = place(keys, key);
    return keys[place] == FREE ? Integer.MAX_VALUE : values[place];
  }

  void clear() {
    keys = new long[FIRST_PLACES];
    values = new int[FIRST_PLACES];
    size = 0;
  }

  int size() {
    return size;
  }

  private void grow() {
    long[] before = keys;
    int[] had = values;
    keys = new long[2 * before.length];
    values = new int[keys.length];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != FREE) {
        int place = place(keys, before[i]);
        keys[place] = before[i];
        values[place] = had[i];
      }
    }
  }

  private static long stored(long key) {
    return key == FREE ? 1 : key;
  }

  /** Where the key is, or where it would be. */
  private static int place(long[] keys, long key) {
    long wanted = stored(key);
    int mask = keys.length - 1;
    int place = (int) ((wanted * 0x9e3779b97f4a7c15L) >>> 40) & mask;
    while (keys[place] != FREE && keys[place] != wanted) {
      place = (place + 1) & mask;
    }
    return place;
  }
}
