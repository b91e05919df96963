package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.store.DeferralFigures;
import org.junit.jupiter.api.Test;

class FreshShareTest {
  private static final long MILLI = 1_000_000;

  private final WriteAccount account = new WriteAccount(0);

  @Test
  void theShareOfFreshWritesCountsThoseThatFailedOrAreAtRiskAsLate() {
    account.beginWindow(0);
    for (int i = 1; i <= 10; i++) {
      account.visible(i * MILLI);
    }
    long promised = 8_500_000;
    assertThat(account.figures(100 * MILLI, promised).freshShare()).isCloseTo(0.8, within(1e-9));

    account.beginWindow(0);
    account.visible(MILLI);
    account.visible(9 * MILLI);
    account.deferred(0);
    account.deferred(0);
    account.failed(5 * MILLI);
    DeferralFigures figures = account.figures(10 * MILLI, promised);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(figures.atRisk()).isEqualTo(1);
    assertThat(figures.freshShare()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void aWriteThatWasNotDeferredAndFailedDidNotKeepThePromiseEither() {
    account.missed();
    account.beginWindow(0);
    account.visible(MILLI);
    account.missed();
    DeferralFigures figures = account.figures(10 * MILLI, 8 * MILLI);
    assertThat(figures.freshShare()).isCloseTo(0.5, within(1e-9));
    assertThat(figures.failed()).as("its caller was told").isZero();
  }

  @Test
  void theShareIsNeverOverstatedNorByMuchTooSmall() {
    account.beginWindow(0);
    long promised = 500 * MILLI;
    account.visible(promised + 1);
    assertThat(account.figures(1_000 * MILLI, promised).freshShare()).isZero();
    account.visible((long) (promised * 0.98));
    assertThat(account.figures(1_000 * MILLI, promised).freshShare()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void withoutApromiseOrWithoutWritesThereIsNoShare() {
    account.beginWindow(0);
    assertThat(account.figures(MILLI, MILLI).freshShare()).isNaN();
    account.visible(MILLI);
    assertThat(account.figures(MILLI).freshShare()).isNaN();
  }
}
