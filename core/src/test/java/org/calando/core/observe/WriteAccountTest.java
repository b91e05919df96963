package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.calando.core.store.DeferralFigures;
import org.junit.jupiter.api.Test;

class WriteAccountTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final long MS = 1_000_000;

  private final WriteAccount account = new WriteAccount(0);

  @Test
  void thereAreNoFiguresOfNoWrites() {
    account.beginWindow(5 * MS);
    assertThat(account.figures(9 * MS)).isEqualTo(new DeferralFigures(0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void writesAreAtRiskFromTheirAcknowledgementUntilTheyLandOrFail() {
    account.deferred(0);
    account.beginWindow(10 * MS);
    account.deferred(20 * MS);
    account.deferred(30 * MS);
    account.flushed();
    assertThat(account.landed(19 * MS, 50 * MS)).isEqualTo(2);
    assertThat(account.failed(60 * MS)).isEqualTo(1);
    DeferralFigures figures = account.figures(100 * MS);
    // The first for the whole of the window, the others for 30 ms each.
    assertThat(figures.riskNanos()).isEqualTo((90 + 30 + 30) * MS);
    assertThat(figures.mostAtRisk()).isEqualTo(3);
    assertThat(figures.atRisk()).isEqualTo(1);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(figures.flushes()).isEqualTo(1);
    assertThat(figures.visible()).isEqualTo(1);
    assertThat(figures.freshnessMaxNanos()).isEqualTo(31 * MS);
  }

  @Test
  void windowsThatBeginWhileWritesComeAndGoAreOffByLittle() throws Exception {
    // A clock that is as old as a machine that has been up for a month.
    long origin = 30L * 24 * 3600 * 1000 * MS;
    WriteAccount busy = new WriteAccount(origin);
    AtomicLong clock = new AtomicLong(origin);
    AtomicBoolean ended = new AtomicBoolean();
    Thread writer =
        new Thread(
            () -> {
              while (!ended.get()) {
                busy.deferred(clock.incrementAndGet());
                busy.landed(clock.get(), clock.incrementAndGet());
              }
            });
    writer.start();
    try {
      for (int window = 0; window < 1_000; window++) {
        busy.beginWindow(clock.get());
        DeferralFigures figures = busy.figures(clock.get());
        // One write at a time is under way: an edge is off by one, for as long as the account is
        // old.
        assertThat(Math.abs(figures.riskNanos())).isLessThan(4 * (clock.get() - origin) + 4);
        assertThat(figures.failed()).isZero();
      }
    } finally {
      ended.set(true);
      writer.join();
    }
  }

  @Test
  void aRefusedWriteIsNeitherVisibleNorFailed() {
    account.beginWindow(0);
    account.deferred(10 * MS);
    assertThat(account.refused(10 * MS)).isZero();
    assertThat(account.figures(20 * MS)).isEqualTo(new DeferralFigures(0, 0, 0, 0, 0, 0, 0, 1, 0));
  }

  @Test
  void percentilesAreThoseOfTheWindowAlone() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 1000; i++) {
      account.visible(900 * MS);
    }
    account.beginWindow(0);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      long nanos = (long) (-Math.log(1 - random.nextDouble()) * 20 * MS);
      times.add(nanos);
      account.visible(nanos);
    }
    times.sort(Long::compare);
    DeferralFigures figures = account.figures(1);
    assertThat(figures.visible()).isEqualTo(10_000);
    assertThat((double) figures.freshness50Nanos())
        .as("seed %d", SEED)
        .isCloseTo(times.get(4_999), within(0.01 * times.get(4_999)));
    assertThat((double) figures.freshness99Nanos())
        .as("seed %d", SEED)
        .isCloseTo(times.get(9_899), within(0.01 * times.get(9_899)));
    assertThat(figures.freshnessMaxNanos()).isEqualTo(times.get(9_999));
  }

  @Test
  void whoWatchesIsToldOfWhatIsVisible() {
    RecentWrites recent = new RecentWrites(2, 0);
    account.watch(recent);
    account.visible(MS);
    account.watch(null);
    account.visible(MS);
    assertThat(recent.observe(MS, "t", 0).freshness().orElseThrow().count()).isEqualTo(1);
  }
}
