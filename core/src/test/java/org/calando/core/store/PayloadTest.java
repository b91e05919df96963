package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PayloadTest {
  private final Payload payload = new Payload();

  @Test
  void aSliceHasTheSizeAskedFor() {
    for (int bytes : new int[] {0, 1, 1000, 1 << 20, (1 << 20) + 1, Payload.MAX_VALUE_BYTES}) {
      assertThat(payload.piece(7, 3, 1, bytes, ByteBuffer::wrap).remaining()).isEqualTo(bytes);
      assertThat(payload.value(7, 3, 1, bytes)).hasSize(bytes);
    }
  }

  @Test
  void theSameWriteHasTheSameBytesAndOthersDiffer() {
    Set<Object> distinct = new HashSet<>();
    for (int key = 0; key < 100; key++) {
      distinct.add(ByteBuffer.wrap(payload.value(key, 1, 0, 100)));
      assertThat(payload.value(key, 1, 0, 100)).isEqualTo(payload.value(key, 1, 0, 100));
    }
    assertThat(distinct).hasSizeGreaterThan(95);
  }

  @Test
  void moreThanTheEngineTakesIsRefused() {
    assertThatThrownBy(() -> payload.value(1, 1, 0, Payload.MAX_VALUE_BYTES + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("16777217");
    assertThatThrownBy(() -> payload.value(1, 1, 0, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
