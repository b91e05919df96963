package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.control.KnobKit;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.power.onoff.PowerSwitch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GearKnobKitTest {
  @TempDir private Path folder;

  private int worlds;

  /** Four nodes of which two go off in gear 1, in the gear from which the knob is set. */
  private KnobKit.World<GearSetting> world(int gear) {
    Path own = folder.resolve("world-" + worlds++);
    try {
      Files.createDirectory(own);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Path path = own.resolve("gears.json");
    RabbitLayout layout = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);
    PaperCluster cluster = new PaperCluster(layout, gear, own.resolve("offload.log"));
    cluster.install(path);
    PaperSwitch third = new PaperSwitch();
    PaperSwitch fourth = new PaperSwitch();
    Map<String, PowerSwitch> switches = Map.of("h:3", third, "h:4", fourth);
    if (gear == 1) {
      cluster.resting.addAll(switches.keySet());
      third.set(PowerSwitch.State.OFF);
      fourth.set(PowerSwitch.State.OFF);
    }
    return new KnobKit.World<>() {
      @Override
      public GearKnob knob() {
        return new GearKnob(cluster.means(path, switches));
      }

      @Override
      public List<Object> state() {
        return List.of(
            GearFiles.read(path).gear(), List.copyOf(cluster.resting), third.read(), fourth.read());
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aShiftThatIsCutOffAnywhereIsResumedAndTakenBack(int gear) throws InterruptedException {
    int other = 3 - gear;
    KnobKit<GearSetting> kit =
        new KnobKit<>(folder, () -> world(gear), knob -> ((GearKnob) knob).to(other));
    assertThat(kit.check()).isGreaterThanOrEqualTo(8);
  }
}
