package org.calando.session.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.calando.core.policy.Observation;
import org.calando.core.staleness.LagModel;
import org.calando.session.TableName;
import org.calando.session.internal.shared.FollowedSignals.News;
import org.junit.jupiter.api.Test;

/** The leader's clock is an hour behind, and the figures' clock has a zero of its own. */
class FollowedSignalsTest {
  private static final long SECOND = 1_000_000_000;
  private static final long BEHIND = 3600 * SECOND;
  private static final long FIGURES_AHEAD = 77 * SECOND;
  private static final TableName TABLE = new TableName("shop", "orders");
  private static final UUID LEADER = new UUID(1, 1);
  private static final UUID NEXT = new UUID(1, 2);

  private final FollowedSignals followed = new FollowedSignals();

  /** A publication whose rates were half a second old. */
  private Optional<News> saw(UUID leader, long sequence, long published, long seen, long reads) {
    return followed.saw(
        leader,
        PublicationCodec.write(
            new Publication(
                sequence,
                published - BEHIND,
                3,
                new SignalFigures(
                    Optional.empty(),
                    3,
                    3,
                    false,
                    Map.of(TABLE, new Observation.Rates(-SECOND / 2, 1, 1, 1))),
                new TruthTotal(-SECOND, reads, reads / 4, Map.of(LagModel.MEASURED, reads / 2.0)))),
        seen,
        seen + FIGURES_AHEAD);
  }

  private static long ageOfRates(News news, long seen) {
    return seen + FIGURES_AHEAD - news.figures().rates().get(TABLE).atNanos();
  }

  @Test
  void theFirstPublicationMayBeOfAnyAgeAndOnlyTheNextOneIsTaken() {
    assertThat(saw(LEADER, 5, 0, 500 * SECOND, 40)).isEmpty();
    assertThat(saw(LEADER, 5, 0, 501 * SECOND, 40)).isEmpty();
    assertThat(saw(LEADER, 4, 0, 501 * SECOND, 40)).isEmpty();
    News news = saw(LEADER, 6, 502 * SECOND, 502 * SECOND, 60).orElseThrow();
    assertThat(news.instances()).isEqualTo(3);
    assertThat(ageOfRates(news, 502 * SECOND)).isEqualTo(SECOND / 2);
    assertThat(news.truth().reads()).isEqualTo(20);
    assertThat(news.truth().stale()).isEqualTo(5);
    assertThat(news.truth().predicted(LagModel.MEASURED)).isEqualTo(10);
    assertThat(news.truth().atNanos()).isEqualTo(501 * SECOND + FIGURES_AHEAD);
  }

  @Test
  void figuresAreAsOldAsTheyWereUnderWay() {
    saw(LEADER, 1, SECOND, SECOND + 1000, 0);
    News late = saw(LEADER, 2, 2 * SECOND, 6 * SECOND, 0).orElseThrow();
    // But for drift, of which 1 in 5000 is allowed for.
    assertThat(ageOfRates(late, 6 * SECOND)).isBetween(SECOND * 449 / 100, SECOND * 450 / 100);
  }

  @Test
  void aClockThatWasSetBeginsTheAccountAnew() {
    saw(LEADER, 1, 0, 0, 0);
    assertThat(saw(LEADER, 2, SECOND, SECOND, 0)).isPresent();
    assertThat(saw(LEADER, 3, 2 * SECOND, 7200 * SECOND, 0)).isEmpty();
    News news = saw(LEADER, 4, 3 * SECOND, 7201 * SECOND, 0).orElseThrow();
    assertThat(ageOfRates(news, 7201 * SECOND)).isEqualTo(SECOND / 2);
    assertThat(saw(LEADER, 5, 4 * SECOND, 10 * SECOND, 0)).isPresent();
  }

  @Test
  void anotherLeaderCountsFromItsOwnBegin() {
    saw(LEADER, 8, 0, 0, 1000);
    assertThat(saw(LEADER, 9, SECOND, SECOND, 1010)).isPresent();
    assertThat(saw(NEXT, 1, 2 * SECOND, 2 * SECOND, 3)).isEmpty();
    assertThat(saw(NEXT, 2, 3 * SECOND, 3 * SECOND, 11).orElseThrow().truth().reads()).isEqualTo(8);
  }

  @Test
  void bytesOfAnotherKindAreNoNews() {
    assertThat(followed.saw(LEADER, java.nio.ByteBuffer.allocate(50), 0, 0)).isEmpty();
  }
}
