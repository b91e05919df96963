package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.UUID;
import org.calando.core.observe.TableRates.Count;
import org.junit.jupiter.api.Test;

class TableRatesTest {
  private static final long SECOND = 1_000_000_000;
  private static final UUID A = new UUID(0, 1);
  private static final UUID B = new UUID(0, 2);
  private final TableRates rates = new TableRates();

  private void answer(UUID node, long atNanos, long reads, long scans, long writes) {
    rates.answered(node, Count.READS, 0, atNanos, reads);
    rates.answered(node, Count.SCANS, 0, atNanos, scans);
    rates.answered(node, Count.WRITES, 0, atNanos, writes);
  }

  @Test
  void eachNodesRateIsOverItsOwnInterval() {
    answer(A, 0, 0, 0, 0);
    answer(B, SECOND, 0, 0, 0);
    answer(A, 2 * SECOND, 200, 20, 10);
    answer(B, 5 * SECOND, 200, 0, 80);
    assertThat(rates.sum(Set.of(A, B))).contains(new TableRates.Sum(2 * SECOND, 110 + 50, 5 + 20));
  }

  @Test
  void theSumIsAsOldAsTheOldestOfItsParts() {
    answer(A, 0, 0, 0, 0);
    answer(B, 0, 0, 0, 0);
    answer(A, SECOND, 1, 0, 0);
    answer(B, SECOND, 1, 0, 0);
    answer(A, 30 * SECOND, 30, 0, 0);
    assertThat(rates.sum(Set.of(A, B)).orElseThrow().atNanos()).isEqualTo(SECOND);
  }

  @Test
  void aNodeThatHasNotToldYetLeavesTheSumUnknown() {
    answer(A, 0, 0, 0, 0);
    answer(A, SECOND, 1, 0, 0);
    answer(B, SECOND, 1, 0, 0);
    assertThat(rates.sum(Set.of(A, B))).isEmpty();
    assertThat(rates.sum(Set.of(A))).isPresent();
  }

  @Test
  void nodesThatLeftAreForgotten() {
    answer(A, 0, 0, 0, 0);
    answer(A, SECOND, 1, 0, 0);
    rates.keepOnly(Set.of(B));
    assertThat(rates.sum(Set.of(A))).isEmpty();
  }

  @Test
  void noNodesHaveNoRate() {
    assertThat(rates.sum(Set.of())).isEmpty();
  }
}
