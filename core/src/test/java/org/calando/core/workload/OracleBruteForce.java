package org.calando.core.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.calando.core.workload.OracleHistory.Read;
import org.calando.core.workload.OracleHistory.Write;

/**
 * Judges a whole recorded history by the definitions, with quadratic searches over all its events
 * and no knowledge of how the oracle stores anything.
 *
 * <p>Given the capacities of a one-set side table it also tells, by replaying least-recently-used
 * maps, which answers such a table still knows.
 */
final class OracleBruteForce {
  static final int UNBOUNDED = Integer.MAX_VALUE;

  private final OracleHistory history;
  private final int keyCapacity;
  private final int depth;
  private final int pairCapacity;

  long checked;
  long untracked;
  long ryw;
  long monotonic;
  long trueRyw;
  long trueMonotonic;
  long unknownRyw;
  long unknownMonotonic;
  long stale;
  final List<Long> versionsBehind = new ArrayList<>();
  final List<Long> agesNanos = new ArrayList<>();

  private record Ack(long version, long nanos, int position) {}

  private static final class Pair {
    long own;
    long read;
    boolean complete;
  }

  private final LinkedHashMap<Long, Deque<Ack>> recent = new LinkedHashMap<>(16, 0.75f, true);
  private final LinkedHashMap<List<Long>, Pair> pairs = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Read, Pair> pairAtBegin = new HashMap<>();
  private boolean pairEvicted;

  OracleBruteForce(OracleHistory history, int keyCapacity, int depth, int pairCapacity) {
    this.history = history;
    this.keyCapacity = keyCapacity;
    this.depth = depth;
    this.pairCapacity = pairCapacity;
  }

  /** What a read's verdict must be. */
  int verdict(Read read) {
    if (read.key >= history.shape.untrackedFrom()) {
      return StalenessOracle.NOT_CHECKED;
    }
    return read.returned < newestBefore(read) ? StalenessOracle.STALE : StalenessOracle.FRESH;
  }

  /** Replays the history in order. */
  void judge() {
    record Event(int position, Runnable action) {}
    List<Event> events = new ArrayList<>();
    for (Write write : history.writes) {
      if (write.acknowledgedAt >= 0 && write.key < history.shape.untrackedFrom()) {
        events.add(new Event(write.acknowledgedAt, () -> acknowledge(write)));
      }
    }
    for (Read read : history.reads) {
      if (read.key >= history.shape.untrackedFrom()) {
        untracked += read.measured ? 1 : 0;
        continue;
      }
      events.add(new Event(read.beganAt, () -> begin(read)));
      events.add(new Event(read.endedAt, () -> end(read)));
    }
    events.sort(Comparator.comparingInt(Event::position));
    events.forEach(event -> event.action().run());
  }

  private void acknowledge(Write write) {
    Deque<Ack> acks = recent.get(write.key);
    if (acks == null) {
      acks = new ArrayDeque<>();
      recent.put(write.key, acks);
      evictEldest(recent, keyCapacity);
    }
    acks.addLast(new Ack(write.version, write.acknowledgedNanos, write.acknowledgedAt));
    if (acks.size() > depth) {
      acks.removeFirst();
    }
    Pair pair = touch(write.client, write.key);
    pair.own = Math.max(pair.own, write.version);
  }

  private void begin(Read read) {
    Pair now = new Pair();
    // Iterated, since get would count as a use.
    Pair kept = null;
    List<Long> id = List.of((long) read.client, read.key);
    for (Map.Entry<List<Long>, Pair> entry : pairs.entrySet()) {
      if (entry.getKey().equals(id)) {
        kept = entry.getValue();
      }
    }
    now.own = kept == null ? 0 : kept.own;
    now.read = kept == null ? 0 : kept.read;
    now.complete = kept == null ? !pairEvicted : kept.complete;
    pairAtBegin.put(read, now);
  }

  private void end(Read read) {
    if (read.measured) {
      checked++;
      judgeClient(read);
      if (read.returned < newestBefore(read)) {
        stale++;
        judgeAge(read);
      }
    }
    if (read.returned > 0) {
      Pair pair = touch(read.client, read.key);
      pair.read = Math.max(pair.read, read.returned);
    }
  }

  private void judgeClient(Read read) {
    boolean brokeOwn = read.returned < ownNewestBefore(read);
    boolean brokeMonotonic = read.returned < highestReadBefore(read);
    trueRyw += brokeOwn ? 1 : 0;
    trueMonotonic += brokeMonotonic ? 1 : 0;
    Pair pair = pairAtBegin.get(read);
    if (read.returned < pair.own) {
      ryw++;
    } else if (!pair.complete && read.returned < newestBefore(read)) {
      unknownRyw++;
    }
    if (read.returned < pair.read) {
      monotonic++;
    } else if (!pair.complete && read.returned < read.issuedAtBegin) {
      unknownMonotonic++;
    }
  }

  private void judgeAge(Read read) {
    Deque<Ack> kept = null;
    for (Map.Entry<Long, Deque<Ack>> entry : recent.entrySet()) {
      if (entry.getKey() == read.key) {
        kept = entry.getValue();
      }
    }
    if (kept == null || read.returned < highestForgotten(read, kept)) {
      return;
    }
    long behind = 0;
    long earliest = Long.MAX_VALUE;
    for (Write write : history.writes) {
      if (write.key == read.key
          && write.version > read.returned
          && write.acknowledgedAt >= 0
          && write.acknowledgedAt < read.beganAt) {
        behind++;
        earliest = Math.min(earliest, write.acknowledgedNanos);
      }
    }
    versionsBehind.add(behind);
    agesNanos.add(read.startNanos - earliest);
  }

  /** The highest version acknowledged by the read's end that is not among those kept. */
  private long highestForgotten(Read read, Collection<Ack> kept) {
    long highest = read.key < history.shape.loadedKeys() ? 1 : 0;
    for (Write write : history.writes) {
      if (write.key == read.key
          && write.acknowledgedAt >= 0
          && write.acknowledgedAt < read.endedAt
          && kept.stream().noneMatch(ack -> ack.version() == write.version)) {
        highest = Math.max(highest, write.version);
      }
    }
    return highest;
  }

  private long newestBefore(Read read) {
    long newest = read.key < history.shape.loadedKeys() ? 1 : 0;
    return Math.max(newest, newestAcknowledged(read, -1));
  }

  private long ownNewestBefore(Read read) {
    return newestAcknowledged(read, read.client);
  }

  private long newestAcknowledged(Read read, int client) {
    long newest = 0;
    for (Write write : history.writes) {
      if (write.key == read.key
          && (client < 0 || write.client == client)
          && write.acknowledgedAt >= 0
          && write.acknowledgedAt < read.beganAt) {
        newest = Math.max(newest, write.version);
      }
    }
    return newest;
  }

  private long highestReadBefore(Read read) {
    long highest = 0;
    for (Read other : history.reads) {
      if (other.key == read.key && other.client == read.client && other.endedAt < read.beganAt) {
        highest = Math.max(highest, other.returned);
      }
    }
    return highest;
  }

  private Pair touch(int client, long key) {
    List<Long> id = List.of((long) client, key);
    Pair pair = pairs.get(id);
    if (pair == null) {
      pair = new Pair();
      pair.complete = !pairEvicted;
      pairs.put(id, pair);
      pairEvicted |= evictEldest(pairs, pairCapacity);
    }
    return pair;
  }

  private static boolean evictEldest(Map<?, ?> map, int capacity) {
    if (map.size() <= capacity) {
      return false;
    }
    map.remove(map.keySet().iterator().next());
    return true;
  }

  /** The smallest value that at least the given percentage of all values do not exceed. */
  static long percentile(List<Long> values, int percent) {
    List<Long> sorted = new ArrayList<>(values);
    Collections.sort(sorted);
    int rank = (int) Math.ceil(percent * sorted.size() / 100.0);
    return sorted.get(Math.max(1, rank) - 1);
  }
}
