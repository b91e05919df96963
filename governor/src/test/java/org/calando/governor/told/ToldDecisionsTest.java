package org.calando.governor.told;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToldDecisionsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;
  private final Queue<String> trouble = new ConcurrentLinkedQueue<>();

  private ToldDecisions open(String... clusters) {
    return ToldDecisions.open(Optional.of(folder), List.of(clusters), trouble::add);
  }

  private static Decided decided(String knob, int value) {
    return new Decided(
        0,
        Instant.parse("2026-11-27T12:00:00Z"),
        "climb",
        List.of(knob),
        List.of(knob + " of x: " + value),
        List.of("as a test"),
        value % 2 == 0 ? Optional.of("paused") : Optional.empty());
  }

  private static List<Long> ids(ToldDecisions.After after) {
    return after.rows().stream().map(row -> row.decided().id()).toList();
  }

  @Test
  void numbersAreOfAllClustersAndGoOnAfterARestart() {
    try (ToldDecisions told = open("shop", "cart")) {
      told.add("shop", decided("dial", 1));
      told.add("cart", decided("gear", 2));
      told.add("shop", decided("dial", 3));
    }
    try (ToldDecisions told = open("shop", "cart")) {
      assertThat(told.last()).isEqualTo(3);
      assertThat(ids(told.after(1, 10))).containsExactly(2L, 3L);
      assertThat(told.after(1, 10).missingTo()).isZero();
      assertThat(told.after(0, 2).rows()).hasSize(2);
      told.add("shop", decided("gear", 4));
      await().atMost(LONG).until(() -> told.last() == 4);
      assertThat(told.of("shop", 0, each -> true, 100)).hasSize(3);
      assertThat(told.of("shop", 0, each -> each.knobs().contains("gear"), 100))
          .singleElement()
          .isEqualTo(decided("gear", 4).withId(4));
      assertThat(told.of("shop", -1, each -> true, 1)).extracting(Decided::id).containsExactly(4L);
      assertThat(told.of("shop", 1, each -> true, 1)).extracting(Decided::id).containsExactly(3L);
    }
    assertThat(trouble).isEmpty();
  }

  @Test
  void aClusterThatComesLaterGetsNoNumberTwice() {
    try (ToldDecisions told = open("shop")) {
      told.add("shop", decided("dial", 1));
      told.add("shop", decided("dial", 2));
    }
    try (ToldDecisions told = open("cart")) {
      told.add("shop", decided("dial", 3));
      await().atMost(LONG).until(() -> told.last() == 3);
      assertThat(ids(told.after(0, 10))).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void whoAsksForWhatIsNotKeptAnyMoreIsToldSo() {
    int more = 100;
    try (ToldDecisions told = open("shop", "cart")) {
      told.add("cart", decided("gear", 1));
      await().atMost(LONG).until(() -> told.last() == 1);
      for (int i = 0; i < ToldDecisions.MOST_KEPT + more; i++) {
        told.add("shop", decided("dial", i));
        long added = i + 2L;
        if (i % 1000 == 0) {
          await().atMost(LONG).until(() -> told.last() == added);
        }
      }
      long last = 1L + ToldDecisions.MOST_KEPT + more;
      await().atMost(LONG).until(() -> told.last() == last);
      ToldDecisions.After all = told.after(0, Integer.MAX_VALUE);
      assertThat(all.missingTo()).isEqualTo(1 + more);
      assertThat(ids(all))
          .as("those of the quiet cluster are kept")
          .containsExactlyElementsOf(
              LongStream.concat(LongStream.of(1), LongStream.rangeClosed(2 + more, last))
                  .boxed()
                  .toList());
      assertThat(told.after(1 + more, 10).missingTo()).isZero();
      assertThat(told.after(more, 10).missingTo()).isEqualTo(1 + more);
    }
    assertThat(trouble).isEmpty();
  }

  @Test
  void whatIsNotKeptOnADiskIsKeptInMemory() {
    try (ToldDecisions told = ToldDecisions.open(Optional.empty(), List.of(), trouble::add)) {
      told.add("shop", decided("dial", 1));
      await().atMost(LONG).until(() -> told.last() == 1);
      assertThat(told.after(0, 10).rows()).hasSize(1);
    }
  }
}
