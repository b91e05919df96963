package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import org.calando.control.ManualScheduler;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.ClientRequests;
import org.calando.gears.rack.PaperRacks;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RackGovernorTest {
  private static final Set<String> RACK = Set.of("dc1/r3");

  @TempDir private Path folder;

  private static RackGovernor governor(PaperRacks racks) {
    RackMeans means = racks.means();
    return new RackGovernor(
        means,
        new RackShifter(means, "test").gears(1),
        ClientRequests.unknown("on paper"),
        new ManualScheduler(),
        Runnable::run,
        () -> 0,
        "test");
  }

  /** Nobody types --undo at night, and to resume it fails for as long as a node is missing. */
  @Test
  void aShiftDownThatFailedIsTakenBack() {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    RackGovernor governor = governor(racks);
    assertThatThrownBy(() -> new RackShifter(racks.means(), "test").shift(RACK))
        .isInstanceOf(FailedWorkException.class);
    assertThat(governor.unfinished()).contains(" by taking it back: off: dc1/r3");
    racks.stuckAtOff.clear();
    assertThat(governor.resume().toCompletableFuture()).isCompleted();
    assertThat(racks.node("n3").on).isTrue();
    assertThat(racks.node("n6").on).isTrue();
    assertThat(governor.unfinished()).isEmpty();
  }

  @Test
  void onlyWhatShiftsHasNodesKeepHintsAgain() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    new RackShifter(racks.means(), "test").shift(RACK);
    RackGovernor governor = governor(racks);
    racks.node("n1").window = 1_000;
    var dry = governor.observe();
    assertThat(dry.gear()).isEqualTo(1);
    assertThat(racks.node("n1").window).isEqualTo(1_000);
    assertThat(governor.troubles()).anyMatch(line -> line.contains("for too short a time"));
    governor.tend();
    var unused = governor.observe();
    assertThat(racks.node("n1").window).isEqualTo(86_400_000);
    assertThat(governor.troubles()).anyMatch(line -> line.contains("keeps hints for it again"));
  }
}
