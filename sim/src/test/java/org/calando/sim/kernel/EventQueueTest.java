package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final long SEED = Long.getLong("calando.seed", 42);

  private record Event(long nanos, long sequence) {}

  @Test
  void eventsComeInOrderOfTimeThenOfArrivalWhateverIsAddedBetween() {
    RandomStream random = new RandomStreams(SEED).of("events");
    for (int spread : new int[] {1, 3, 50, 1_000_000, Integer.MAX_VALUE}) {
      EventQueue queue = new EventQueue(1 << 16);
      PriorityQueue<Event> expected =
          new PriorityQueue<>(
              Comparator.comparingLong(Event::nanos).thenComparingLong(Event::sequence));
      long added = 0;
      long now = 0;
      for (int i = 0; i < 60_000; i++) {
        // Growing and shrinking by turns.
        boolean adds = random.nextInt(100) < (i / 15_000 % 2 == 0 ? 60 : 40);
        if (adds || expected.isEmpty()) {
          // Most soon, some late.
          long nanos = now + random.nextInt(random.nextInt(10) == 0 ? spread : spread / 100 + 1);
          queue.add(nanos, added);
          expected.add(new Event(nanos, added++));
        } else {
          Event first = expected.remove();
          now = first.nanos();
          assertThat(queue.takeBy(first.nanos() - 1)).isEqualTo(EventQueue.NONE);
          long by = random.nextInt(2) == 0 ? first.nanos() : Long.MAX_VALUE;
          assertThat(queue.takeBy(by)).as("seed %s", SEED).isEqualTo(first.sequence());
          assertThat(queue.takenNanos()).as("seed %s", SEED).isEqualTo(first.nanos());
        }
        assertThat(queue.size()).isEqualTo(expected.size());
      }
    }
  }

  @Test
  void aFullQueueSaysSo() {
    EventQueue queue = new EventQueue(256);
    for (int i = 0; i < 256; i++) {
      queue.add(i, i);
    }
    assertThatThrownBy(() -> queue.add(0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("256");
  }

  @Test
  void anEmptyQueueHasNoFirstEvent() {
    EventQueue queue = new EventQueue(256);
    assertThat(queue.takeBy(Long.MAX_VALUE)).isEqualTo(EventQueue.NONE);
  }
}
