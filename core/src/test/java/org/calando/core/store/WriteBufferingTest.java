package org.calando.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.BadRequestException;
import org.calando.core.policy.buffer.BufferSetting;
import org.junit.jupiter.api.Test;

class WriteBufferingTest {
  @Test
  void labelsTellAllThatMatters() {
    assertThat(WriteBuffering.STRONG.label()).isEqualTo("strong");
    WriteBuffering large = WriteBuffering.deferred(12 << 20);
    assertThat(large.label()).isEqualTo("deferred 12MB");
    assertThat(new WriteBuffering(new BufferSetting(12 << 20, 100_000_000), true, false).label())
        .isEqualTo("deferred 12MB 100ms shared");
    assertThat(new WriteBuffering(large.setting(), false, true).label())
        .isEqualTo("deferred 12MB read-your-writes");
    assertThat(WriteBuffering.deferred(64 << 10).label()).isEqualTo("deferred 64KB");
    assertThat(WriteBuffering.deferred(65_537).label()).isEqualTo("deferred 65537B");
  }

  @Test
  void whatNoTimerOrMemoryCanDoIsRefused() {
    WriteBuffering large = WriteBuffering.deferred(12_000_000);
    assertThatThrownBy(
            () -> new WriteBuffering(new BufferSetting(12_000_000, 9_999_999), false, false))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> WriteBuffering.deferred(WriteBuffering.MOST_BYTES + 1))
        .isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> WriteBuffering.STRONG.sharedByAll())
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(WriteBuffering.STRONG.isStrong()).isTrue();
    assertThat(large.isStrong()).isFalse();
  }
}
