package org.calando.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.calando.control.KnobKit;
import org.calando.core.policy.Knob;
import org.calando.core.policy.buffer.BufferKnob;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.store.BufferedWrites;
import org.calando.core.store.DeferralFigures;
import org.calando.core.store.WriteBuffering;
import org.calando.core.store.WriteListener;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How writes are sent, cut off before and after it is set. */
class BufferKnobKitTest {
  private static final BufferSetting OTHER = new BufferSetting(64_000, 100_000_000);

  @TempDir Path folder;

  @Test
  void whereverItIsCutOffItIsResumedOrTakenBack() throws InterruptedException {
    KnobKit<BufferSetting> kit = new KnobKit<>(folder, BufferKnobKitTest::world, knob -> OTHER);
    assertThat(kit.check()).isEqualTo(2);
  }

  private static KnobKit.World<BufferSetting> world() {
    Writes session = new Writes();
    return new KnobKit.World<>() {
      @Override
      public Knob<BufferSetting> knob() {
        return new BufferKnob(session, "usertable", true, false);
      }

      @Override
      public Object state() {
        return session.buffering();
      }
    };
  }

  /** A session that remembers how writes are sent, and sends none. */
  private static final class Writes implements BufferedWrites {
    private WriteBuffering buffering = WriteBuffering.STRONG;

    @Override
    public WriteBuffering buffering() {
      return buffering;
    }

    @Override
    public void buffering(WriteBuffering to) {
      buffering = to;
    }

    @Override
    public void mostAtRisk(long writes) {}

    @Override
    public void watch(WriteListener listener) {}

    @Override
    public void unwatch() {}

    @Override
    public long atRisk() {
      return 0;
    }

    @Override
    public void beginWindow() {}

    @Override
    public DeferralFigures figures() {
      throw new UnsupportedOperationException("no write is sent");
    }
  }
}
