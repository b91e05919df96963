package org.calando.core.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RingTokensTest {
  private static final Map<String, BigInteger> TOKENS =
      Map.of("b", BigInteger.valueOf(-5), "a", BigInteger.ONE.shiftLeft(126));

  @Test
  void itsTextIsReadAgain() {
    for (RingTokens tokens :
        List.of(
            RingTokens.now(TOKENS),
            new RingTokens("half interleaved", TOKENS, List.of("b", "a"), true),
            new RingTokens("1/4", TOKENS, List.of(), true))) {
      assertThat(RingTokens.parse(tokens.text())).isEqualTo(tokens);
    }
  }

  @Test
  void whatIsNoSuchTextIsRefused() {
    for (String text : List.of("", "half", "half;none;a", "half;none;none;a", "half;none;c;a=1")) {
      assertThatThrownBy(() -> RingTokens.parse(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
