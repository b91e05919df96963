package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.control.KnobOwner;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.NodeTraffic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By a clock that the test moves; each node serves 1000 MB/s. */
class GearGovernorTest {
  @TempDir private Path folder;

  private PaperCluster cluster;
  private GearGovernor governor;
  private Path path;
  private long seconds;

  /** What each node has read so far, and reads a second. */
  private long megabytes;

  private long rate = 900;

  /** Whether the NameNode falls silent behind the look, before the shift. */
  private boolean mutesBeforeTheShift;

  private final List<String> journal = new ArrayList<>();

  private final PaperSwitch last = new PaperSwitch();
  private final Map<String, PowerSwitch> switches = Map.of("h:3", new PaperSwitch(), "h:4", last);

  @BeforeEach
  void begin() {
    path = folder.resolve("gears.json");
    RabbitLayout layout = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);
    cluster = new PaperCluster(layout, 2, folder.resolve("offload.log"));
    cluster.install(path);
    GearModel model =
        GearModel.ofEqualNodes(
            List.of(2, 4),
            Profiles.byName(Profiles.DEFAULT).orElseThrow(),
            1000,
            30,
            CatchUpModel.none(2));
    governor =
        new GearGovernor(
            cluster.means(path, switches),
            new PolicyLoop<>(
                new LoadGearPolicy(model, GearLimits.defaults().withResidency(0)),
                cluster.target()),
            this::traffic,
            () -> Duration.ofSeconds(seconds).toNanos(),
            this::localSeconds,
            false,
            (decision, inForce) -> journal.add(inForce),
            "a test");
  }

  private long localSeconds() {
    cluster.mute = cluster.mute || mutesBeforeTheShift;
    return 0;
  }

  /** At 900 MB/s a node the highest gear is needed. */
  private List<NodeTraffic> traffic() {
    if (cluster.mute) {
      throw new FailedWorkException("the NameNode does not answer", "paper", "start it");
    }
    return cluster.members().stream()
        .map(member -> new NodeTraffic(member.name(), 1, megabytes * 1_000_000, 0))
        .toList();
  }

  private GearGovernor.Look look() throws InterruptedException {
    return look(30);
  }

  private GearGovernor.Look look(int after) throws InterruptedException {
    seconds += after;
    megabytes += after * rate;
    return governor.look();
  }

  /** Looks until another gear is wanted, which nodes without load have to be for a while. */
  private GearGovernor.Look lookUntil(int gear) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      GearGovernor.Look look = look();
      if (look.decided() == gear) {
        return look;
      }
    }
    throw new AssertionError("gear " + gear + " was never wanted");
  }

  private void lookUntilShifted() throws InterruptedException {
    while (!lookUntil(1).shifted()) {
      assertThat(seconds).isLessThan(10_000);
    }
  }

  private int gear() {
    return GearFiles.read(path).gear();
  }

  @Test
  void aShiftDownThatIsRefusedIsTriedAgainAfterFiveMinutes() throws InterruptedException {
    rate = 0;
    cluster.hung.add(1);
    String cause = "it is to stay on in gear 1, and does not answer; " + Remedies.SERVER;
    assertThat(lookUntil(1).notNow().orElseThrow()).endsWith(cause);
    long refused = seconds;
    int waits = 0;
    GearGovernor.Look again = lookUntil(1);
    while (seconds - refused < 300) {
      waits++;
      assertThat(again.notNow()).contains("was refused, and is tried again later");
      assertThat(again.shifted()).isFalse();
      again = lookUntil(1);
    }
    assertThat(waits).isPositive();
    assertThat(again.notNow().orElseThrow()).as("tried").endsWith(cause);
    assertThat(GearShifter.unfinished(path)).isEmpty();
    assertThat(gear()).isEqualTo(2);
    cluster.hung.clear();
    lookUntilShifted();
    assertThat(gear()).isEqualTo(1);
    assertThat(look().notNow()).isEmpty();
  }

  @Test
  void aShiftUpThatIsRefusedIsTriedAgainAfterHalfAMinute() throws InterruptedException {
    rate = 0;
    assertThat(lookUntil(1).shifted()).isTrue();
    rate = 900;
    mutesBeforeTheShift = true;
    GearGovernor.Look refused = lookUntil(2);
    assertThat(refused.notNow().orElseThrow()).contains("the NameNode does not answer");
    assertThat(refused.shifted()).isFalse();
    assertThat(GearShifter.unfinished(path)).isEmpty();
    mutesBeforeTheShift = false;
    cluster.mute = false;
    assertThat(look(10).notNow()).contains("was refused, and is tried again later");
    assertThat(gear()).isEqualTo(1);
    assertThat(look(20).shifted()).isTrue();
    assertThat(gear()).isEqualTo(2);
  }

  @Test
  void aShiftIsRefusedWhileAnotherProcessShifts() throws InterruptedException {
    rate = 0;
    KnobOwner operator =
        KnobOwner.take(folder, new GearKnob(cluster.means(path)), "./calando gear up");
    try (operator) {
      assertThat(lookUntil(1).notNow().orElseThrow())
          .contains("is in the hands of another owner", "./calando gear up");
    }
    lookUntilShifted();
    assertThat(gear()).isEqualTo(1);
  }

  @Test
  void aShiftThatFailsAfterItsBeginIsThrownAndResumed() throws InterruptedException {
    rate = 0;
    last.stuck = true;
    assertThatThrownBy(() -> lookUntil(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("h:4: ")
        .hasMessageContaining("does not obey");
    last.stuck = false;
    assertThat(governor.resume()).contains(1);
    assertThat(gear()).isEqualTo(1);
    assertThat(governor.resume()).isEmpty();
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsToldAndChangesNothing() throws InterruptedException {
    assertThat(look().silence()).isEmpty();
    assertThat(look().megabytesPerSecond()).contains(3600.0);
    cluster.mute = true;
    for (int i = 0; i < 3; i++) {
      GearGovernor.Look silent = look();
      assertThat(silent.silence().orElseThrow()).contains("the NameNode does not answer");
      assertThat(silent.decided()).isEqualTo(silent.gear());
      assertThat(silent.answersAgain()).isFalse();
    }
    cluster.mute = false;
    GearGovernor.Look again = look();
    assertThat(again.answersAgain()).isTrue();
    assertThat(again.megabytesPerSecond()).as("counted over the silence").contains(3600.0);
    assertThat(look().answersAgain()).isFalse();
  }
}
