package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.control.KnobOwner;
import org.calando.control.ManualScheduler;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearState;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.NodeTraffic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By a clock that the test moves; each node serves 1000 MB/s. */
class HdfsNodeGearsTest {
  private static final long YEAR = Duration.ofDays(365).toNanos();

  @TempDir private Path folder;

  private PaperCluster cluster;
  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<GearLook> looks = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private ShiftGovernor governor;
  private ControlLoop<GearState> loop;
  private Path path;
  private long seconds;

  /** What each node has read so far, and reads a second. */
  private long megabytes;

  private long rate = 900;

  /** Whether the NameNode falls silent behind the look, before the shift. */
  private boolean mutesBeforeTheShift;

  /** Whether the cluster is not as it has to be. */
  private boolean refuses;

  private final List<String> journal = new ArrayList<>();
  private final List<String> heard = new CopyOnWriteArrayList<>();

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
    HdfsNodeGears gears =
        new HdfsNodeGears(
            new NodeGears.User(
                Profiles.byName(Profiles.DEFAULT).orElseThrow(),
                1000,
                "a test",
                () -> scheduler.clock().nanos(),
                () -> 0,
                Map::of),
            cluster.means(path, switches),
            this::traffic,
            30,
            () -> {});
    gears.hear(heard::add);
    governor = new ShiftGovernor(gears, scheduler, Runnable::run, this::localSeconds);
    loop =
        governor
            .loop(
                new PolicyLoop<>(
                    new LoadGearPolicy(model, GearLimits.defaults().withResidency(0)),
                    cluster.target()),
                YEAR,
                HeldGear.OnFailure.END,
                false,
                this::heard)
            .firstNanos(YEAR)
            .listener((decision, inForce) -> journal.add(inForce))
            .start();
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
    if (refuses) {
      throw new BadRequestException("does not list h:4", "hosts file", "add it");
    }
    return cluster.members().stream()
        .map(member -> new NodeTraffic(member.name(), 1, megabytes * 1_000_000, 0))
        .toList();
  }

  private void heard(GearLook look) {
    if (look.decision().isPresent()) {
      looks.add(look);
    } else {
      missed.add(look.notNow().orElseThrow());
    }
  }

  private GearLook look() {
    return look(30);
  }

  private GearLook look(int after) {
    int before = looks.size();
    pass(after);
    assertThat(loop.failure()).isEmpty();
    assertThat(looks).hasSize(before + 1);
    return looks.get(before);
  }

  private void pass(int after) {
    seconds += after;
    megabytes += after * rate;
    scheduler.advance(Duration.ofSeconds(after).toNanos());
    loop.wake();
    scheduler.run();
  }

  /** Looks until another gear is wanted, which nodes without load have to be for a while. */
  private GearLook lookUntil(int gear) {
    for (int i = 0; i < 100; i++) {
      GearLook look = look();
      if (look.decided() == gear) {
        return look;
      }
    }
    throw new AssertionError("gear " + gear + " was never wanted");
  }

  private void lookUntilShifted() {
    while (!lookUntil(1).shifted()) {
      assertThat(seconds).isLessThan(10_000);
    }
  }

  private int gear() {
    return GearFiles.read(path).gear();
  }

  @Test
  void aShiftDownThatIsRefusedIsTriedAgainLessAndLess() {
    rate = 0;
    cluster.hung.add(1);
    String cause = "it should stay on in gear 1, and does not answer; remedy: " + Remedies.SERVER;
    assertThat(lookUntil(1).notNow().orElseThrow()).endsWith(cause);
    long pause = 10;
    long tried = seconds;
    int waits = 0;
    while (pause < 300) {
      GearLook again = lookUntil(1);
      assertThat(again.shifted()).isFalse();
      assertThat(again.tried()).isEqualTo(seconds - tried >= pause);
      if (again.tried()) {
        assertThat(again.notNow().orElseThrow()).endsWith(cause);
        pause = Math.min(2 * pause, 300);
        tried = seconds;
      } else {
        assertThat(again.notNow()).contains("was refused, and is tried again later");
        waits++;
      }
    }
    assertThat(waits).isPositive();
    assertThat(GearShifter.unfinished(path)).isEmpty();
    assertThat(gear()).isEqualTo(2);
    cluster.hung.clear();
    lookUntilShifted();
    assertThat(gear()).isEqualTo(1);
    assertThat(look().notNow()).isEmpty();
  }

  @Test
  void aShiftUpThatIsRefusedIsTriedAgainSoon() {
    rate = 0;
    assertThat(lookUntil(1).shifted()).isTrue();
    assertThat(heard).contains("h:4 is off");
    rate = 900;
    mutesBeforeTheShift = true;
    GearLook refused = lookUntil(2);
    assertThat(refused.notNow().orElseThrow()).contains("the NameNode does not answer");
    assertThat(refused.shifted()).isFalse();
    assertThat(GearShifter.unfinished(path)).isEmpty();
    mutesBeforeTheShift = false;
    cluster.mute = false;
    assertThat(look(5).notNow()).contains("was refused, and is tried again later");
    assertThat(gear()).isEqualTo(1);
    assertThat(look(5).shifted()).isTrue();
    assertThat(gear()).isEqualTo(2);
  }

  @Test
  void aShiftIsRefusedWhileAnotherProcessShifts() {
    rate = 0;
    KnobOwner operator =
        KnobOwner.take(folder, new GearKnob(cluster.means(path)), "./calando gear up");
    try (operator) {
      assertThat(lookUntil(1).notNow().orElseThrow())
          .contains("is held by another owner", "./calando gear up");
    }
    lookUntilShifted();
    assertThat(gear()).isEqualTo(1);
  }

  @Test
  void aShiftThatFailsAfterItsBeginEndsTheLoopAndIsResumed() throws InterruptedException {
    rate = 0;
    last.stuck = true;
    for (int i = 0; i < 100 && loop.failure().isEmpty(); i++) {
      pass(30);
    }
    assertThat(loop.failure().orElseThrow())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("h:4: ")
        .hasMessageContaining("does not obey");
    last.stuck = false;
    assertThat(governor.unfinished()).contains(" to gear 1");
    assertThat(governor.resume()).isCompleted();
    assertThat(gear()).isEqualTo(1);
    assertThat(governor.unfinished()).isEmpty();
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsReportedAndChangesNothing() {
    assertThat(look().tried()).isFalse();
    assertThat(perSecond(look())).contains(3600.0);
    cluster.mute = true;
    int before = looks.size();
    for (int i = 1; i <= 3; i++) {
      pass(30);
      assertThat(missed).hasSize(i).allMatch(why -> why.contains("the NameNode does not answer"));
    }
    assertThat(looks).hasSize(before);
    cluster.mute = false;
    assertThat(perSecond(look())).as("counted over the silence").contains(3600.0);
    assertThat(journal).containsOnly("gear 2");
  }

  @Test
  void aBadRequestOfTheFirstLookEndsTheLoop() {
    refuses = true;
    pass(30);
    assertThat(loop.failure().orElseThrow())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("does not list h:4");
  }

  @Test
  void aGearFileThatIsDamagedMeanwhileIsReportedAndChangesNothing() throws IOException {
    assertThat(look().tried()).isFalse();
    String file = Files.readString(path);
    Files.writeString(path, "{");
    for (int i = 1; i <= 3; i++) {
      pass(30);
      assertThat(missed).hasSize(i).allMatch(why -> why.contains("is no gear file"));
    }
    assertThat(loop.failure()).isEmpty();
    Files.writeString(path, file);
    assertThat(look().before()).isEqualTo(2);
  }

  private static Optional<Double> perSecond(GearLook look) {
    return look.decision()
        .orElseThrow()
        .signals()
        .get(GearObservation.GEARS)
        .load()
        .map(GearObservation.Load::perSecond);
  }
}
