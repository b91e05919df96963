package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.store.DeferralFigures;
import org.junit.jupiter.api.Test;

class WriteAccountTest {
  private static final long MILLI = 1_000_000;

  private final WriteAccount account = new WriteAccount();

  @Test
  void theShareOfFreshWritesCountsThoseThatFailedOrAreAtRiskAsLate() {
    account.beginWindow(0);
    for (int i = 1; i <= 10; i++) {
      account.visible(i * MILLI);
    }
    assertThat(account.figures(100 * MILLI, 8 * MILLI).freshShare()).isCloseTo(0.8, within(1e-9));

    account.beginWindow(0);
    account.visible(MILLI);
    account.visible(9 * MILLI);
    account.deferred(0);
    account.deferred(0);
    var unused = account.failed(5 * MILLI);
    DeferralFigures figures = account.figures(10 * MILLI, 8 * MILLI);
    assertThat(figures.failed()).isEqualTo(1);
    assertThat(figures.atRisk()).isEqualTo(1);
    assertThat(figures.freshShare()).isCloseTo(0.25, within(1e-9));
  }

  @Test
  void withoutApromiseOrWithoutWritesThereIsNoShare() {
    account.beginWindow(0);
    assertThat(account.figures(MILLI, MILLI).freshShare()).isNaN();
    account.visible(MILLI);
    assertThat(account.figures(MILLI).freshShare()).isNaN();
  }
}
