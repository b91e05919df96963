package org.calando.local.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryTest {
  @TempDir Path group;

  @Test
  void pageCacheOfAGroupCountsAsAvailable() throws IOException {
    Files.writeString(group.resolve("memory.max"), "1000\n");
    Files.writeString(group.resolve("memory.current"), "900\n");
    assertThat(Memory.groupBytes(group)).hasValue(100);
    Files.writeString(
        group.resolve("memory.stat"), "anon 400\ninactive_file 300\nslab_reclaimable 20\n");
    assertThat(Memory.groupBytes(group)).hasValue(420);
  }

  @Test
  void aGroupWithoutLimitSaysNothing() throws IOException {
    Files.writeString(group.resolve("memory.max"), "max\n");
    assertThat(Memory.groupBytes(group)).isEmpty();
  }

  @Test
  void tooLittleIsRefusedWithBothFigures() {
    assertThatThrownBy(() -> Memory.require(3L << 20, OptionalLong.of(2L << 20), "buy some"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("3 MiB needed")
        .hasMessageContaining("2 MiB available")
        .hasMessageContaining("buy some");
  }
}
