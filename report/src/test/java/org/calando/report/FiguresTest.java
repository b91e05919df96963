package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void wordsOfARunAreCutAtFiveHundredCharacters() {
    assertThat(Figures.brief("x".repeat(500))).isEqualTo("x".repeat(500));
    assertThat(Figures.brief("x".repeat(501))).isEqualTo("x".repeat(500) + "\u2026");
  }

  @Test
  void figuresHaveThreeSignificantDigits() {
    assertThat(Figures.figure(0.0012345)).isEqualTo("0.00123");
    assertThat(Figures.figure(12.345)).isEqualTo("12.3");
    assertThat(Figures.figure(1234.5)).isEqualTo("1234");
    assertThat(Figures.figure(123456)).isEqualTo("123,456");
    assertThat(Figures.figure(Double.NaN)).isEqualTo(Figures.NONE);
  }

  @Test
  void meanIsCutWhereItsIntervalIs() {
    assertThat(Figures.interval(new Statistics.Estimate(3, 190.876, 5.432, 1, 2)))
        .isEqualTo("190.9 \u00B1 5.4");
    assertThat(Figures.interval(new Statistics.Estimate(3, 359.2, 11.4, 1, 2)))
        .isEqualTo("359 \u00B1 11");
  }

  @Test
  void aRareStaleReadNeverReadsAsNone() {
    assertThat(Figures.percent(0)).isEqualTo("0\u00A0%");
    assertThat(Figures.percent(1e-7)).isEqualTo("<\u00A00.001\u00A0%");
    assertThat(Figures.percent(0.0272)).isEqualTo("2.7\u00A0%");
  }

  @Test
  void figuresThatMustFitKeepThreeDigits() {
    assertThat(Figures.within(123_456, 7)).isEqualTo("123,456");
    assertThat(Figures.within(123_456_789, 7)).isEqualTo("123M");
    assertThat(Figures.within(0.0000699, 7)).isEqualTo("0.00007");
    assertThat(Figures.within(1e-9, 7)).isEqualTo("<0.0001");
    assertThat(Figures.ratio(0.0000699)).isEqualTo("<0.001");
    assertThat(Figures.ratio(117_123)).isEqualTo(">999");
    assertThat(Figures.ratios(0.99964, 20.123)).isEqualTo("0.9996\u201320.1");
    assertThat(Figures.difference(-0.0001)).isEqualTo(">\u22120.001");
    assertThat(Figures.difference(1_234_567)).isEqualTo("+1.23M");
  }

  @Test
  void anEndCloseToOneIsNotRoundedToIt() {
    assertThat(Figures.range(0.9987, 1.021)).isEqualTo("0.999\u20131.021");
    assertThat(Figures.range(0.00134, 37_782.8)).isEqualTo("0.00134\u201337,783");
    assertThat(Figures.extent(8.25, 10.3)).isEqualTo("8.2\u201310.3");
  }
}
