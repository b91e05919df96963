package org.calando.store.redis.internal;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.calando.core.store.Completion;
import org.calando.core.store.Outcome;
import org.jspecify.annotations.Nullable;

/*
 * Of two writes to one key the higher version is to win; a master keeps the one that comes last. Two
 * that are under way at once may overtake each other between here and the server: a thread takes a
 * version and is late to send it, and a client's own threads go past each other's queues. A lower
 * version that comes last would then be read, long after the higher one was acknowledged, and every
 * such read would count as stale although no replica was late.
 *
 * So writes of one key are sent one after the other, and one that comes after a higher version of
 * its key carries that version. Two keys of one place only wait for each other. With many keys
 * nearly no write ever waits.
 */
/** Keeps the writes of each key in the order of their versions. Thread safe. */
final class KeyOrder {
  private static final int PLACES = 1 << 14;

  private final AtomicReferenceArray<@Nullable Place> places = new AtomicReferenceArray<>(PLACES);
  private final Executor later;

  /** Sends a write. */
  interface Sender {
    /**
     * Sends it.
     *
     * @param version the version that it is to carry
     */
    void send(long version);
  }

  /** What is known of the keys that fall on one place. */
  private static final class Place {
    private final ArrayDeque<Turn> waiting = new ArrayDeque<>();
    private boolean busy;
    private long key = -1;
    private long version;
  }

  /**
   * Starts without any write.
   *
   * @param later runs the sending of writes that had to wait
   */
  KeyOrder(Executor later) {
    this.later = later;
  }

  /**
   * A write's turn; to be told the write's end, which it passes on, then {@link #take}n.
   *
   * @param key the write's key
   * @param version its version
   */
  Turn turn(long key, long version, Completion completion) {
    return new Turn(place(key), key, version, completion);
  }

  /** Sends the write now, or as soon as those before it have ended. */
  void take(Turn turn, Sender sender) {
    long carried;
    synchronized (turn.place) {
      if (turn.ended) {
        return;
      }
      turn.sender = sender;
      if (turn.place.busy) {
        turn.place.waiting.add(turn);
        return;
      }
      turn.place.busy = true;
      turn.begun = true;
      carried = turn.carried();
    }
    sender.send(carried);
  }

  private Place place(long key) {
    int index = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & (PLACES - 1);
    Place there = places.get(index);
    if (there != null) {
      return there;
    }
    Place fresh = new Place();
    return places.compareAndSet(index, null, fresh) ? fresh : place(key);
  }

  /** One write's turn. Of one use. */
  final class Turn implements Completion {
    private final Place place;
    private final long key;
    private final long version;
    private final Completion completion;
    private @Nullable Sender sender;
    private boolean begun;
    private boolean ended;

    private Turn(Place place, long key, long version, Completion completion) {
      this.place = place;
      this.key = key;
      this.version = version;
      this.completion = completion;
    }

    private long carried() {
      return place.key == key ? Math.max(version, place.version) : version;
    }

    @Override
    public void complete(int slot, Outcome outcome, long nothing) {
      Turn next = null;
      synchronized (place) {
        ended = true;
        if (!begun) {
          place.waiting.remove(this);
        } else {
          if (outcome == Outcome.OK || outcome == Outcome.INDETERMINATE) {
            place.version = carried();
            place.key = key;
          }
          next = place.waiting.poll();
          place.busy = next != null;
          if (next != null) {
            next.begun = true;
          }
        }
      }
      if (next != null) {
        // Elsewhere: a long queue of writes that are all refused would go deep here.
        later.execute(next::sendNow);
      }
      completion.complete(slot, outcome, nothing);
    }

    private void sendNow() {
      long carried;
      Sender mine;
      synchronized (place) {
        carried = carried();
        mine = sender;
      }
      if (mine != null) {
        mine.send(carried);
      }
    }
  }
}
