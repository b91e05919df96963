package org.calando.core.workload.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import site.ycsb.Utils;

class FnvTest {
  @Test
  void hashesAreYcsbs() {
    for (long value = -1000; value < 100_000; value++) {
      assertThat(Fnv.hash64(value)).isEqualTo(Utils.fnvhash64(value));
    }
    RandomStream random = Samples.random();
    for (int i = 0; i < 100_000; i++) {
      long value = random.nextLong();
      assertThat(Fnv.hash64(value)).as("hash of %d", value).isEqualTo(Utils.fnvhash64(value));
    }
    assertThat(Fnv.hash64(Long.MIN_VALUE)).isEqualTo(Utils.fnvhash64(Long.MIN_VALUE));
    assertThat(Fnv.hash64(Long.MAX_VALUE)).isEqualTo(Utils.fnvhash64(Long.MAX_VALUE));
  }
}
