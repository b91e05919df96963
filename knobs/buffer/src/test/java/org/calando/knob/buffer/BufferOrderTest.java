package org.calando.knob.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BufferOrderTest {
  @Test
  void strongIsFirstThenBuffersBySizeAndDelayThenPromises() {
    List<String> ordered =
        List.of(
            "strong",
            "deferred 200KB",
            "deferred 12MB",
            "deferred 12MB 50ms",
            "deferred 12MB 100ms shared",
            "deferred 100MB",
            "fresh 100ms",
            "fresh 500ms",
            "fresh 2s");
    long seed = System.nanoTime();
    List<String> mixed = new ArrayList<>(ordered);
    Collections.shuffle(mixed, new Random(seed));
    mixed.sort(new BufferOrder());
    assertThat(mixed).as("seed %d", seed).isEqualTo(ordered);
  }
}
