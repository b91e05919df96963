package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.thread.ThreadCpus;
import org.calando.clock.thread.ThreadsKnob;
import org.calando.control.KnobKit;
import org.calando.core.CpuSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClockKnobKitTest {
  private static final int PID = 70_000_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  private int worlds;

  private FakeMachine machine(Kind kind) {
    return new FakeMachine(folder.resolve("world-" + worlds++), kind, 2);
  }

  private KnobKit.World<PolicySettings> policy(Kind kind) {
    FakeMachine fake = machine(kind);
    return new KnobKit.World<>() {
      @Override
      public PolicyKnob knob() {
        return new PolicyKnob(fake.kernel, fake.tree.folder(0), policy -> Optional.empty(), false);
      }

      @Override
      public Map<String, String> state() {
        return fake.kernel.asked(fake.tree);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aLeaseOfAPolicyThatIsCutOffAnywhereIsResumedAndTakenBack(Kind kind)
      throws InterruptedException {
    CpufreqPolicy leased = machine(kind).machine().tree().policies().get(0);
    KnobKit<PolicySettings> kit =
        new KnobKit<>(folder, () -> policy(kind), knob -> leased.leased(knob.current()));
    assertThat(kit.check()).isEqualTo(2);
  }

  private KnobKit.World<ThreadCpus> threads() {
    FakeMachine fake = machine(Kind.ACPI_CPUFREQ);
    fake.proc.process(PID, 5).thread(PID, PID, "redis-server", "0-3", 100);
    fake.proc.thread(PID, PID + 1, "io_thd_1", "0-2", 200);
    return new KnobKit.World<>() {
      @Override
      public ThreadsKnob knob() {
        return new ThreadsKnob(fake.proc.files(), fake.proc, PID, 5, false);
      }

      @Override
      public List<String> state() {
        return List.of(fake.proc.cpus(PID, PID), fake.proc.cpus(PID, PID + 1));
      }
    };
  }

  @Test
  void aMoveOfThreadsThatIsCutOffAnywhereIsResumedAndTakenBack() throws InterruptedException {
    ThreadCpus to =
        new ThreadCpus(
            Map.of(PID, CpuSet.of(1), PID + 1, CpuSet.of(0)), List.of(CpuSet.of(0), CpuSet.of(1)));
    assertThat(new KnobKit<>(folder, this::threads, knob -> to).check()).isEqualTo(2);
  }
}
