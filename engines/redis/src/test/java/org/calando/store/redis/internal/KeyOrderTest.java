package org.calando.store.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.store.Completion;
import org.calando.core.store.Outcome;
import org.calando.core.store.Session;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();
  private final KeyOrder order = new KeyOrder(later::add);
  private final List<Long> sent = new ArrayList<>();
  private final List<Outcome> told = new ArrayList<>();
  private final Completion completion = (slot, outcome, version) -> told.add(outcome);

  @Test
  void aWriteAloneIsSentAtOnce() {
    write(1, 5);
    assertThat(sent).containsExactly(5L);
  }

  @Test
  void writesOfOneKeyGoOneAfterTheOther() {
    KeyOrder.Turn first = write(1, 5);
    write(1, 6);
    assertThat(sent).containsExactly(5L);
    end(first, Outcome.OK);
    assertThat(sent).containsExactly(5L, 6L);
    assertThat(told).containsExactly(Outcome.OK);
  }

  @Test
  void aLowerVersionThatComesLaterCarriesTheHigher() {
    KeyOrder.Turn first = write(1, 6);
    KeyOrder.Turn second = write(1, 5);
    end(first, Outcome.OK);
    end(second, Outcome.OK);
    write(1, 4);
    assertThat(sent).containsExactly(6L, 6L, 6L);
  }

  @Test
  void aVersionThatWasRefusedIsNotCarried() {
    end(write(1, 6), Outcome.REFUSED);
    write(1, 5);
    assertThat(sent).containsExactly(6L, 5L);
  }

  @Test
  void otherKeysDoNotCarryIt() {
    for (long key = 0; key < 100_000; key++) {
      end(write(key, 1_000_000 - key), Outcome.OK);
      assertThat(sent.get((int) key)).isEqualTo(1_000_000 - key);
    }
  }

  @Test
  void aWriteThatEndsWhileItWaitsIsNotSent() {
    KeyOrder.Turn first = write(1, 5);
    KeyOrder.Turn second = write(1, 6);
    write(1, 7);
    end(second, Outcome.INDETERMINATE);
    end(first, Outcome.OK);
    assertThat(sent).containsExactly(5L, 7L);
  }

  private KeyOrder.Turn write(long key, long version) {
    KeyOrder.Turn turn = order.turn(key, version, completion);
    order.take(turn, sent::add);
    return turn;
  }

  private void end(KeyOrder.Turn turn, Outcome outcome) {
    turn.complete(0, outcome, Session.NO_VERSION);
    while (!later.isEmpty()) {
      later.remove().run();
    }
  }
}
