package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShortLabelsTest {
  @Test
  void labelsThatFitStayAsTheyAre() {
    ShortLabels labels = ShortLabels.of(List.of("ONE, gear 1", "ONE, gear 2"), 13);

    assertThat(labels.names().values()).containsExactly("ONE, gear 1", "ONE, gear 2");
    assertThat(labels.note()).isEmpty();
  }

  @Test
  void whatAllBeginWithIsLeftOutAndSaid() {
    ShortLabels labels =
        ShortLabels.of(
            List.of("ONE, clock all-base", "ONE, clock all-turbo", "ONE, clock slack"), 13);

    assertThat(labels.names().values()).containsExactly("all-base", "all-turbo", "slack");
    assertThat(labels.note()).isEqualTo("All rows: ONE, clock.");
  }

  @Test
  void aLabelThatAnotherBeginsWithIsNotEmptied() {
    ShortLabels labels = ShortLabels.of(List.of("ONE", "ONE, write buffer 100ms"), 13);

    assertThat(labels.names().values()).containsExactly("ONE", "\u2026buffer 100ms");
  }

  @Test
  void theEndOfALongLabelIsKept() {
    ShortLabels labels = ShortLabels.of(List.of("harmony(5%)/ONE", "pbs(5%)/ONE"), 13);

    assertThat(labels.names().values()).containsExactly("\u2026mony(5%)/ONE", "pbs(5%)/ONE");
  }

  @Test
  void noTwoBecomeEqual() {
    List<String> alikeAtTheEnd = List.of("harmony(1%)-and-more/ONE", "harmony(5%)-and-more/ONE");
    List<String> alikeAtBothEnds =
        List.of("begin-of-a-long-name-1-end-of-it", "begin-of-a-long-name-2-end-of-it");

    assertThat(ShortLabels.of(alikeAtTheEnd, 21).names().values()).doesNotHaveDuplicates();
    assertThat(ShortLabels.of(alikeAtBothEnds, 10).names().values())
        .containsExactly("\u2026end-of-it", "\u2026d-of-it#2")
        .allMatch(name -> name.length() <= 10);
  }
}
