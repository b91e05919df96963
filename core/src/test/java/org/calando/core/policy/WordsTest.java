package org.calando.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WordsTest {
  @Test
  void figuresHaveThreeDigits() {
    assertThat(Words.percent(0.12345)).isEqualTo("12.3 %");
    assertThat(Words.percent(0.041)).isEqualTo("4.1 %");
    assertThat(Words.percent(0.05)).isEqualTo("5 %");
    assertThat(Words.percent(0)).isEqualTo("0 %");
    assertThat(Words.percent(1)).isEqualTo("100 %");
    assertThat(Words.percent(0.000123456)).isEqualTo("0.0123 %");
    assertThat(Words.number(1234.5)).isEqualTo("1235");
    assertThat(Words.number(1e-9)).isEqualTo("1.00e-09");
    assertThat(Words.number(Double.POSITIVE_INFINITY)).isEqualTo("Infinity");
    assertThat(Words.choice(new ReadChoice(1, 0.375)))
        .isEqualTo("1 replica, one more for 37.5 % of the reads");
  }
}
