package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.RecentWrites;
import org.calando.core.policy.buffer.BufferRange;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.BufferState;
import org.junit.jupiter.api.Test;

class HeldBufferTest {
  private static final BufferSetting WANTED = new BufferSetting(50_000, 1_000_000_000L);

  private final ManualScheduler scheduler = new ManualScheduler();
  private final Writes writes = new Writes();
  private final List<HeldBuffer.Decided> decided = new ArrayList<>();

  private ControlLoop<BufferState> start() {
    return HeldBuffer.start(scheduler, new FixedBufferPolicy(WANTED), "t", writes, decided::add);
  }

  private void pass(int periods) {
    scheduler.advance(periods * BufferRange.PERIOD_NANOS);
  }

  @Test
  void itDecidesEachPeriodAndSetsWhatDiffers() {
    ControlLoop<BufferState> loop = start();
    assertThat(writes.setting).isEqualTo(BufferSetting.STRONG);
    pass(3);
    assertThat(decided).extracting(HeldBuffer.Decided::changed).containsExactly(true, false, false);
    assertThat(decided).extracting(HeldBuffer.Decided::set).containsOnly(WANTED);
    assertThat(writes.sets).isEqualTo(1);
    loop.close();
    assertThat(writes.setting).isEqualTo(BufferSetting.STRONG);
    assertThat(writes.recent).isNull();
    pass(3);
    assertThat(decided).hasSize(3);
  }

  @Test
  void whereItCannotBeSetWritesAreStrongForGood() {
    writes.setting = new BufferSetting(1_000, 1_000_000_000L);
    writes.refuses = true;
    ControlLoop<BufferState> loop = start();
    assertThatThrownBy(() -> pass(1)).hasMessageContaining("the disk is full");
    assertThat(loop.failure().orElseThrow()).hasMessageContaining("the disk is full");
    assertThat(writes.setting).isEqualTo(BufferSetting.STRONG);
    pass(3);
    assertThat(decided).isEmpty();
    writes.setting = WANTED;
    assertThatThrownBy(loop::close).isInstanceOf(FailedWorkException.class);
    assertThat(writes.setting).isEqualTo(BufferSetting.STRONG);
  }

  private static final class Writes implements HeldBuffer.Client {
    BufferSetting setting = BufferSetting.STRONG;
    RecentWrites recent;
    boolean refuses;
    int sets;

    @Override
    public BufferRange range() {
      return new BufferRange(1, 1_000_000);
    }

    @Override
    public BufferSetting current() {
      return setting;
    }

    @Override
    public void set(BufferSetting to) {
      if (refuses) {
        throw new FailedWorkException("the disk is full", "journal", "make room");
      }
      sets++;
      setting = to;
    }

    @Override
    public void strong() {
      setting = BufferSetting.STRONG;
    }

    @Override
    public void watch(RecentWrites newRecent) {
      recent = newRecent;
    }

    @Override
    public long atRisk() {
      return 0;
    }
  }
}
