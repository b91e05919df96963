package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhraseTextTest {
  private static String all(PhraseText text, int buffer) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] part = new byte[buffer];
    for (int length = text.next(part); length > 0; length = text.next(part)) {
      out.write(part, 0, length);
    }
    return out.toString(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 27, 28, 29, 100_000})
  void isAsLongAsAsked(int bytes) {
    assertThat(all(new PhraseText(1, 0, bytes), 4096)).hasSize(bytes);
  }

  @Test
  void linesAreFourWordsOfSixLetters() {
    assertThat(all(new PhraseText(1, 0, 10_010), 4096).lines().filter(line -> !line.isEmpty()))
        .hasSize(357)
        .allMatch(line -> line.matches("([a-z]{6} ){3}[a-z]{6}"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 13, 28, 1000, 1_000_000})
  void doesNotDependOnTheBuffer(int buffer) {
    assertThat(all(new PhraseText(7, 3, 50_003), buffer))
        .isEqualTo(all(new PhraseText(7, 3, 50_003), 8192));
  }

  @Test
  void textsOfOtherSeedsAndNumbersDiffer() {
    String text = all(new PhraseText(7, 3, 1000), 100);
    assertThat(all(new PhraseText(8, 3, 1000), 100)).isNotEqualTo(text);
    assertThat(all(new PhraseText(7, 4, 1000), 100)).isNotEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ka[a-z]{4}", "[aeiou]", "a|e", "(ba|do)[a-m]*", "tt", "[a-z]{3}"})
  void countsWhatASearchFinds(String regex) {
    PhraseText text = new PhraseText(11, 0, 300_000);
    String all = all(text, 10_000);
    assertThat(text.matches(regex))
        .isEqualTo(Pattern.compile(regex).matcher(all).results().count());
  }

  @Test
  void patternsAreDrawnAndFindSomething() {
    for (long seed = 0; seed < 50; seed++) {
      PhraseText text = new PhraseText(seed, 0, 1_000_000);
      String all = all(text, 10_000);
      String regex = PhraseText.pattern(seed);
      assertThat(text.matches(regex))
          .isPositive()
          .isEqualTo(Pattern.compile(regex).matcher(all).results().count());
    }
    assertThat(PhraseText.pattern(1)).isNotEqualTo(PhraseText.pattern(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a.b", "[^a]", "\\w+", "a*", "[a", "a{2", "x$"})
  void patternsWhoseMatchesAreNotKnownAreRefused(String regex) {
    PhraseText text = new PhraseText(1, 0, 0);
    assertThatThrownBy(() -> text.matches(regex)).isInstanceOf(BadRequestException.class);
  }
}
