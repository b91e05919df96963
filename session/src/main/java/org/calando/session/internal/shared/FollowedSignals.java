package org.calando.session.internal.shared;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/*
 * The first publication of a leader that is seen may be of any age, so it only begins the account: the
 * next one shows that the leader lives, and is taken.
 */
/** Makes of a leader's publications what this instance knows. One thread at a time. */
final class FollowedSignals {
  private @Nullable UUID term;
  private long sequence;
  private TruthTotal truth = TruthTotal.NONE;
  private PeerClock clock = new PeerClock();

  /**
   * What is new.
   *
   * @param figures with times of the own clock
   * @param truth the canary's reads that came since what was seen before
   */
  record News(SignalFigures figures, TruthTotal truth, int instances) {}

  /**
   * Takes what was read.
   *
   * @param leader names the time of leading
   * @param body as published
   * @param seenNanos when it was seen, by the clock of leases
   * @param now by the clock of the figures
   * @return empty if nothing is new
   */
  Optional<News> saw(UUID leader, ByteBuffer body, long seenNanos, long now) {
    return PublicationCodec.read(body).flatMap(read -> saw(leader, read, seenNanos, now));
  }

  private Optional<News> saw(UUID leader, Publication read, long seenNanos, long now) {
    if (!leader.equals(term)) {
      term = leader;
      clock = new PeerClock();
      sequence = read.sequence();
      truth = read.truth();
    } else if (read.sequence() <= sequence) {
      return Optional.empty();
    }
    long age = clock.ageNanos(read.publishedNanos(), seenNanos);
    TruthTotal more = read.truth().since(truth);
    sequence = read.sequence();
    truth = read.truth();
    if (age < 0) {
      return Optional.empty();
    }
    long published = now - age;
    return Optional.of(
        new News(
            read.figures().withTimes(since -> published + since),
            more.at(published + more.atNanos()),
            read.instances()));
  }
}
