package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.calando.control.KnobKit;
import org.calando.control.OffSetting;
import org.calando.core.policy.Knob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleKnobKitTest {
  @TempDir private Path folder;

  @Test
  void aShiftDownThatIsCutOffAnywhereIsResumedAndTakenBack() throws Exception {
    check(Set.of(), Set.of("n3"));
  }

  @Test
  void aShiftUpThatIsCutOffAnywhereIsResumedAndTakenBack() throws Exception {
    check(Set.of("n3"), Set.of());
  }

  private void check(Set<String> before, Set<String> after) throws Exception {
    KnobKit<OffSetting> kit =
        new KnobKit<>(
            Files.createTempDirectory(folder, "journals"),
            () -> world(before, after),
            knob -> OffSetting.of(after));
    assertThat(kit.check()).isGreaterThan(8);
  }

  /** Three nodes with regions, whose file has the shift that is to be. */
  private KnobKit.World<OffSetting> world(Set<String> before, Set<String> after) {
    try {
      PaperIdle paper = new PaperIdle(3, Files.createTempDirectory(folder, "world"));
      for (int i = 1; i <= 3; i++) {
        paper.servers.open("h:" + i, "a" + i, "b" + i);
        paper.hdfs.add("a" + i, 2, i, i % 3 + 1);
      }
      if (!before.isEmpty()) {
        paper.shifter().shift(before);
      }
      IdleMeans means = paper.means();
      assertThat(paper.shifter().begun(new IdleOrders(means).shift(after)))
          .isEqualTo(OffSetting.of(after));
      return new KnobKit.World<>() {
        @Override
        public Knob<OffSetting> knob() {
          return IdleShifter.knob(paper.means());
        }

        @Override
        public Object state() {
          return List.of(
              IdleState.FILE.read(means.path()).asleep(),
              paper.servers.ids(),
              paper.servers.drained(),
              paper.servers.balancer(),
              List.copyOf(paper.hdfs.on.values()),
              paper.hdfs.maintained());
        }
      };
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
