package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyHashTest {
  @Test
  void keysInARowHaveDifferentHashesThatSpread() {
    Set<Long> hashes = new HashSet<>();
    int[] buckets = new int[64];
    for (long key = 0; key < 64_000; key++) {
      long hash = KeyHash.of(ByteBuffer.allocate(8).putLong(0, key));
      hashes.add(hash);
      buckets[(int) (hash >>> 58)]++;
    }
    assertThat(hashes).hasSize(64_000);
    for (int bucket : buckets) {
      assertThat(bucket).isBetween(600, 1400);
    }
  }

  @Test
  void bytesBeyondTheBuffersBoundsDoNotMatter() {
    ByteBuffer part = ByteBuffer.wrap("xx-user42-yy".getBytes(StandardCharsets.UTF_8));
    part.position(3).limit(9);
    ByteBuffer whole = ByteBuffer.wrap("user42".getBytes(StandardCharsets.UTF_8));
    assertThat(KeyHash.of(part)).isEqualTo(KeyHash.of(whole));
    assertThat(part.remaining()).isEqualTo(6);
  }

  @Test
  void lengthMatters() {
    assertThat(KeyHash.of(ByteBuffer.allocate(1))).isNotEqualTo(KeyHash.of(ByteBuffer.allocate(2)));
  }
}
