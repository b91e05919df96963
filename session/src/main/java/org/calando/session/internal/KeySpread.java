package org.calando.session.internal;

import java.util.Optional;
import org.calando.core.observe.UnseenWrites;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.Observation.Rates;
import org.calando.core.staleness.KeyPopularity;

/*
 * Own operations tell how requests spread over the keys; what servers count beyond them are writes of
 * others, of whose keys nothing is known. Both are taken over the same time. A window ends when
 * it is long enough and has enough reads to tell something, or is long enough for that without. One
 * without reads tells nothing: what was known stays as it was, so that a quiet table is not an unknown one.
 */
/**
 * Learns how requests spread over a table's keys, and how many writes were not seen. One thread.
 */
final class KeySpread {
  private static final long ENOUGH_READS = 200;
  private static final int LONGEST = 3;

  /** Sessions that a governor knew ask again each few seconds. */
  private static final long JOINING_NANOS = 10_000_000_000L;

  private final WatchedTable table;
  private final long windowNanos;
  private final UnseenWrites unseenWrites;
  private Optional<Popularity> known = Optional.empty();
  private Optional<Popularity> assumed = Optional.empty();
  private long assumedUntilNanos;
  private boolean awaitsAll;
  private long awaitedNanos;
  private long begunNanos;
  private long readsAtBegin;

  KeySpread(WatchedTable table, long windowNanos, long now) {
    this.table = table;
    this.windowNanos = windowNanos;
    this.unseenWrites = new UnseenWrites(LONGEST * windowNanos);
    this.begunNanos = now;
  }

  /**
   * Takes in what servers have counted since.
   *
   * @param rates the newest; empty if unknown
   * @return the spread; empty until it is known
   */
  Optional<Popularity> at(long now, Optional<Rates> rates) {
    rates.ifPresent(each -> unseenWrites.count(each, table.keyedWrites()));
    long age = now - begunNanos;
    long reads = table.reads() - readsAtBegin;
    awaitsAll &= now - awaitedNanos < JOINING_NANOS;
    boolean first = known.isEmpty() && reads > 0 && 2 * age >= windowNanos;
    boolean longEnough =
        age >= windowNanos && (reads >= ENOUGH_READS || age >= LONGEST * windowNanos);
    boolean ends = awaitsAll ? longEnough && unseenWrites.isCounted() : first || longEnough;
    if (age < 0 || ends) {
      renew(now, reads);
    }
    return assumed(now).or(() -> awaitsAll ? known.map(before -> at(now, before)) : known);
  }

  private static Popularity at(long now, Popularity known) {
    return new Popularity(now, known.byKey(), known.unseenWrites());
  }

  /**
   * Learns nothing before a whole window in which no session joined: of one in which some are
   * missing their writes pass for those of others.
   *
   * @param meanwhile what was known before, and stands until then
   */
  void awaitAll(long now, Optional<Popularity> meanwhile) {
    awaitsAll |= known.isEmpty();
    awaitedNanos = now;
    known = known.or(() -> meanwhile.map(before -> at(now, before)));
  }

  /** Another session begins to tell of its operations. */
  void joined(long now) {
    if (awaitsAll) {
      unseenWrites.beginAnew();
      begunNanos = now;
      readsAtBegin = table.reads();
    }
  }

  /** What a governor knew of the keys of all sessions stands for what one alone sees of them. */
  private Optional<Popularity> assumed(long now) {
    if (now - assumedUntilNanos >= 0) {
      assumed = Optional.empty();
    }
    return assumed.map(before -> at(now, before));
  }

  private void renew(long now, long reads) {
    double unseen = unseenWrites.share();
    Optional<KeyPopularity> byKey = table.keys().renew();
    if (byKey.isPresent()) {
      awaitsAll = false;
      known = Optional.of(new Popularity(now, byKey.get(), unseen));
    } else {
      known = known.map(before -> new Popularity(now, before.byKey(), unseen));
    }
    begunNanos = now;
    readsAtBegin += reads;
  }

  /** What is known; empty until it is. */
  Optional<Popularity> known() {
    return known;
  }

  /**
   * Takes what was known before: until something newer is known, and that time as well.
   *
   * @param forNanos 0 or more
   */
  void assume(Popularity before, long now, long forNanos) {
    known = Optional.of(before);
    assumed = known;
    assumedUntilNanos = now + forNanos;
  }
}
