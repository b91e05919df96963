package org.calando.session.internal.shared;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.SplittableRandom;
import org.calando.core.policy.Observation.Truth;
import org.calando.core.staleness.LagModel;
import org.calando.session.TruthSince;
import org.junit.jupiter.api.Test;

class TruthLogTest {
  private final TruthLog log = new TruthLog();

  private static TruthTotal some(long at, long reads, long stale, double predicted) {
    return new TruthTotal(
        at, reads, stale, Map.of(LagModel.MEASURED, predicted, LagModel.LAST, 2 * predicted));
  }

  @Test
  void withoutReadsThereIsNoTruth() {
    assertThat(log.since(0, LagModel.MEASURED).truth()).isEmpty();
    log.add(TruthTotal.NONE);
    assertThat(log.since(0, LagModel.MEASURED)).extracting(TruthSince::seen).isEqualTo(0L);
  }

  @Test
  void eachAsksFromWhereItWas() {
    log.add(some(5, 10, 2, 3));
    TruthSince first = log.since(0, LagModel.MEASURED);
    assertThat(first.truth()).contains(new Truth(5, 10, 2, 3));
    assertThat(log.since(first.seen(), LagModel.MEASURED).truth()).isEmpty();
    log.add(some(9, 4, 4, 1));
    assertThat(log.since(first.seen(), LagModel.LAST).truth()).contains(new Truth(9, 4, 4, 2));
    assertThat(log.since(0, LagModel.LAST).truth()).contains(new Truth(9, 14, 6, 8));
  }

  @Test
  void noReadIsToldTwiceAtWhateverPaceOneAsks() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      TruthLog each = new TruthLog();
      long seen = 0;
      long told = 0;
      for (int i = 0; i < 200; i++) {
        each.add(some(i, random.nextInt(4), 0, 0));
        if (random.nextInt(3) == 0) {
          TruthSince since = each.since(seen, LagModel.LAST);
          seen = since.seen();
          told += since.truth().map(Truth::reads).orElse(0L);
        }
      }
      told += each.since(seen, LagModel.LAST).truth().map(Truth::reads).orElse(0L);
      assertThat(told).as("seed %d", seed).isEqualTo(each.all().reads());
    }
  }

  @Test
  void whoAsksTooLateIsToldWhatIsKept() {
    for (int i = 0; i < 1000; i++) {
      log.add(some(i, 1, 1, 0.5));
    }
    assertThat(log.since(0, LagModel.MEASURED).truth()).contains(new Truth(999, 255, 255, 127.5));
  }
}
