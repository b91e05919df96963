package org.calando.power.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpositionTest {
  private record Sample(String name, Map<String, String> labels, double value) {}

  private static List<Sample> read(String page) {
    List<Sample> samples = new ArrayList<>();
    Exposition.read(page, (name, labels, value) -> samples.add(new Sample(name, labels, value)));
    return samples;
  }

  @Test
  void readsNamesLabelsAndNumbers() {
    assertThat(
            read(
                """
                # HELP a_total What it is.
                # TYPE a_total counter
                a_total 1
                b{} 2.5e+06
                c{x="1"} -3 1712345678901
                d { x = "1" , y="two", } 4

                e{x="a\\"b\\\\c\\nd}"} +Inf
                f 5 # {trace="t"} 1 2
                g:h NaN\r
                """))
        .containsExactly(
            new Sample("a_total", Map.of(), 1),
            new Sample("b", Map.of(), 2_500_000),
            new Sample("c", Map.of("x", "1"), -3),
            new Sample("d", Map.of("x", "1", "y", "two"), 4),
            new Sample("e", Map.of("x", "a\"b\\c\nd}"), Double.POSITIVE_INFINITY),
            new Sample("f", Map.of(), 5),
            new Sample("g:h", Map.of(), Double.NaN));
  }

  @Test
  void passesOverLinesThatAreNone() {
    assertThat(
            read(
                """
                <html>
                a
                a{
                a{x
                a{x=
                a{x="
                a{x="1
                a{x="1"
                a{x="1" y="2"} 1
                a{x="1",x="2"} 1
                a{x="1"} one
                a{x="1"} 1d
                a{x="1"} 0x10p1
                a{x="1"} Infinity
                a{="1"} 1
                {} 1
                a{x="\\
                good 1
                """))
        .containsExactly(new Sample("good", Map.of(), 1));
  }

  @Test
  void hasABoundOnLabels() {
    StringBuilder line = new StringBuilder("a{");
    for (int i = 0; i < 10_000; i++) {
      line.append("l").append(i).append("=\"v\",");
    }
    assertThat(read(line + "} 1\ngood 1")).containsExactly(new Sample("good", Map.of(), 1));
  }

  @Test
  void anyTextIsReadToItsEnd() {
    long seed = Long.getLong("calando.seed", System.nanoTime());
    Random random = new Random(seed);
    String alphabet = "ab_:{}=\",\\ \t\n#0123456789.eE+-";
    for (int run = 0; run < 2000; run++) {
      StringBuilder page = new StringBuilder();
      for (int i = random.nextInt(200); i > 0; i--) {
        page.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(read(page + "\nlast{x=\"y\"} 7"))
          .as("-Dcalando.seed=" + seed)
          .endsWith(new Sample("last", Map.of("x", "y"), 7));
    }
  }
}
