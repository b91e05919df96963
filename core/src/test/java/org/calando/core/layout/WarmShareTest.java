package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WarmShareTest {
  @ParameterizedTest
  @CsvSource({
    "even, 0, even",
    "half, 1/2, half",
    "third, 1/3, third",
    "two-thirds, 2/3, two-thirds",
    "50%, 1/2, half",
    "50 %, 1/2, half",
    "0.25, 1/4, 1/4",
    "12.5%, 1/8, 1/8",
    "2/6, 1/3, third",
    "0, 0, even",
    "0%, 0, even",
    "1, 1, 1",
    "100%, 1, 1"
  })
  void namesAndSharesAreRead(String text, String share, String label) {
    WarmShare read = WarmShare.parse(text);
    assertThat(read.share()).hasToString(share);
    assertThat(read.label()).isEqualTo(label);
    assertThat(WarmShare.parse(read.label())).isEqualTo(read);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "warm", "Half", "1/0", "1/", "-1/2", ".5", "1e-1", "50%%", "1.0000000001"})
  void whatIsNoLayoutIsRefused(String text) {
    assertThatThrownBy(() -> WarmShare.parse(text))
        .isInstanceOf(BadRequestException.class)
        .hasMessage(
            "layout: '%s' is not a layout\n  remedy: write %s".formatted(text, WarmShare.FORMS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3/2", "1.01", "101%"})
  void moreThanAllNodesAreRefused(String text) {
    assertThatThrownBy(() -> WarmShare.parse(text))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("of the nodes cannot be warm");
  }

  @Test
  void lessThanNoNodesAreRefused() {
    assertThatThrownBy(() -> new WarmShare(Fraction.of(-1, 2)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("-1/2 of the nodes cannot be warm");
  }

  @Test
  void halfANodeCountsAsOne() {
    assertThat(WarmShare.HALF.warmNodes(39)).isEqualTo(20);
    assertThat(WarmShare.HALF.warmNodes(1)).isEqualTo(1);
    assertThat(WarmShare.THIRD.warmNodes(4)).isEqualTo(1);
    assertThat(WarmShare.THIRD.warmNodes(5)).isEqualTo(2);
    assertThat(WarmShare.parse("1").warmNodes(7)).isEqualTo(7);
    assertThat(WarmShare.EVEN.warmNodes(7)).isZero();
    assertThat(WarmShare.EVEN.fits(1)).isTrue();
    assertThat(WarmShare.parse("1/4").fits(2)).isTrue();
    assertThat(WarmShare.parse("1/5").fits(2)).isFalse();
  }

  @Test
  void fractionsAreInLowestTermsAndInOrder() {
    assertThat(Fraction.of(2, 4)).isEqualTo(Fraction.of(1, 2)).hasToString("1/2");
    assertThat(Fraction.of(1, 3)).isLessThan(Fraction.of(1, 2));
    assertThat(Fraction.of(1, 3).plus(Fraction.of(1, 6))).isEqualTo(Fraction.of(1, 2));
    assertThat(Fraction.of(1, 2).dividedBy(5)).isEqualTo(Fraction.of(1, 10));
    assertThat(Fraction.of(1, 3).toDouble()).isEqualTo(1 / 3.0);
    assertThat(Fraction.of(5, 1)).hasToString("5");
    assertThat(Fraction.of(1, 2).of(39)).isEqualTo(BigInteger.valueOf(20));
    assertThatThrownBy(() -> Fraction.of(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
