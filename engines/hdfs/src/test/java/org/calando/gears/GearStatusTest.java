package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.gears.GearDoctor.Finding;
import org.calando.power.onoff.PowerSwitch;
import org.calando.power.onoff.SwitchBoard;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told of a cluster that is not as it is to be, by status, doctor and a shift alike. */
@Timeout(60)
class GearStatusTest {
  private static final RabbitLayout RABBIT = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);

  @TempDir private Path folder;
  private Path path;
  private PaperCluster cluster;
  private final Map<String, PowerSwitch> switches = new TreeMap<>();

  @BeforeEach
  void prepare() {
    path = folder.resolve("gears.json");
    cluster = new PaperCluster(RABBIT, 2, folder.resolve("offload.log"));
    cluster.install(path);
    cluster.add(1, "/calando/a", 1, 3);
    cluster.add(2, "/calando/b", 2, 4);
    cluster.add(3, "/calando/c", 1, 2);
    switches.put("h:3", new PaperSwitch());
    switches.put("h:4", new PaperSwitch());
  }

  private GearMeans means() {
    return cluster.means(path, switches);
  }

  private List<Finding> wrong() {
    GearStatus status = GearStatus.of(means());
    assertThat(status.isWell()).isEqualTo(status.findings().isEmpty());
    return status.findings();
  }

  @Test
  void aClusterThatIsAsItIsToBeIsWell() throws InterruptedException {
    assertThat(wrong()).isEmpty();
    new GearShifter(means(), "a test").shift(1);
    cluster.silent.addAll(List.of(3, 4));
    assertThat(wrong()).isEmpty();
  }

  @Test
  void aShiftBeginsToOrderAllSwitchesBeforeItsFirstOrder() throws InterruptedException {
    List<String> heard = new ArrayList<>();
    for (String name : List.of("h:3", "h:4")) {
      switches.put(
          name,
          new PaperSwitch() {
            @Override
            public void begin() {
              heard.add("begin");
              if (name.equals("h:3")) {
                throw new FailedWorkException("does not answer", name, "start its agent");
              }
            }

            @Override
            public void off() throws InterruptedException {
              heard.add("off");
              super.off();
            }
          });
    }
    new GearShifter(means(), "a test").shift(1);
    assertThat(heard).containsExactly("begin", "begin", "off", "off");
  }

  @Test
  void aNodeThatIsAlwaysOnAndDeadIsToldWithTheBlocksThatNobodyCanRead() {
    cluster.silent.add(1);
    cluster.add(4, "/elsewhere", 1);
    assertThat(wrong())
        .extracting(finding -> finding.what() + ": " + finding.says())
        .containsExactly(
            "node 1 h:1: it should be on in gear 2, and does not serve: dead (admin: in service)",
            "blocks: 1 of 4 blocks cannot be read, among them of /elsewhere");
    assertThat(GearStatus.of(means()).unreadable()).isEqualTo(1);
  }

  @Test
  void aNodeThatHangsIsToldThoughTheNameNodeHoldsItForLive() {
    cluster.hung.add(2);
    assertThat(wrong())
        .extracting(Finding::says)
        .containsExactly("it should be on in gear 2, and does not answer");
  }

  @Test
  void blocksThatAreOnNoNodeAreToldByThemselves() {
    cluster.lose(4, "/gone");
    assertThat(wrong()).extracting(Finding::remedy).containsExactly(Remedies.LOST);
  }

  @Test
  void aFailureHasTheSameRemedyWhoeverTellsOfIt() {
    cluster.hung.add(1);
    FailedWorkException refused =
        catchThrowableOfType(
            FailedWorkException.class, () -> new GearShifter(means(), "a test").shift(1));
    assertThat(refused.remedy()).isEqualTo(Remedies.SERVER);
    assertThat(wrong()).extracting(Finding::remedy).containsExactly(Remedies.SERVER);
    assertThat(GearDoctor.of(means()).findings())
        .filteredOn(finding -> finding.what().equals("node 1 h:1"))
        .extracting(Finding::remedy)
        .containsExactly(Remedies.SERVER);
  }

  @Test
  void aNodeThatHangsAndIsOnByItsSwitchIsEndedFirst() {
    switches.put("h:1", new PaperSwitch());
    cluster.silent.add(1);
    assertThat(wrong())
        .extracting(Finding::remedy)
        .containsExactly(
            "if it hangs end its process (kill -9 PID on a local cluster), then"
                + " ./calando gear up --to 2; else start it");
  }

  @Test
  void whoEndsAPlanThatIsNotOpenHasNothingToDo() {
    BadRequestException none =
        catchThrowableOfType(
            BadRequestException.class, () -> new GearShifter(means(), "a test").resume());
    assertThat(none.remedy())
        .isEqualTo("nothing to do; ./calando gear status shows whether all is well");
  }

  @Test
  void ofNodesThatAnUnfinishedPlanIsAboutOnlyThePlanIsTold() {
    leaveOpen();
    assertThat(wrong()).extracting(Finding::remedy).containsExactly("./calando gear up --resume");
    assertThat(GearDoctor.of(means()).findings())
        .extracting(Finding::what)
        .contains("plan", "node 1 h:1")
        .doesNotContain("node 3 h:3");
    cluster.silent.add(2);
    assertThat(wrong())
        .extracting(Finding::remedy)
        .containsExactly(Remedies.SERVER, "./calando gear up --resume");
  }

  /** A process that was killed: its switch says off, and the node is dead until it is on. */
  private PaperSwitch killed(int node) {
    PaperSwitch dead =
        new PaperSwitch() {
          @Override
          public void on() {
            super.on();
            cluster.silent.remove(node);
            cluster.askForReport(cluster.members().get(node - 1));
          }
        };
    dead.set(PowerSwitch.State.OFF);
    cluster.silent.add(node);
    switches.put("h:" + node, dead);
    return dead;
  }

  @Test
  void aDeadNodeThatItsSwitchCanStartIsStartedWhateverPlanIsOpen() throws InterruptedException {
    PaperSwitch first = killed(1);
    assertThat(wrong())
        .extracting(Finding::remedy)
        .containsExactly("./calando gear up --to 2 switches it on");
    assertThat(new GearShifter(means(), "a test").dryRun(2).get(0)).startsWith("Switch h:1 on");
    new GearShifter(means(), "a test").revive();
    assertThat(first.read()).isEqualTo(PowerSwitch.State.ON);
    assertThat(wrong()).isEmpty();
    leaveOpen();
    PaperSwitch second = killed(2);
    assertThat(wrong())
        .extracting(Finding::remedy)
        .containsExactly("./calando gear up --resume switches it on", "./calando gear up --resume");
    new GearShifter(means(), "a test").revive();
    assertThat(second.read()).isEqualTo(PowerSwitch.State.ON);
    assertThat(GearDoctor.missing(means())).isEmpty();
  }

  @Test
  void aNodeThatIsBeingDecommissionedStaysOff() throws InterruptedException {
    PaperSwitch first = killed(1);
    cluster.leaving.add("h:1");
    assertThat(new GearShifter(means(), "a test").dryRevive()).isEmpty();
    new GearShifter(means(), "a test").revive();
    assertThat(first.read()).isEqualTo(PowerSwitch.State.OFF);
  }

  @Test
  void aDeadNodeThatNothingCanStartIsMissingAfterwards() throws InterruptedException {
    killed(1).broken = true;
    cluster.hung.add(2);
    new GearShifter(means(), "a test").revive();
    assertThat(GearDoctor.missing(means())).hasSize(2).isEqualTo(wrong().subList(0, 2));
  }

  /** A shift down whose nodes never come into maintenance; returns what was told meanwhile. */
  private List<String> leaveOpen() {
    List<String> told = new ArrayList<>();
    cluster.entering.add("h:4");
    GearMeans means = cluster.means(path, switches, Duration.ofMillis(300), told::add);
    assertThatThrownBy(() -> new GearShifter(means, "a test").shift(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("nodes are not yet in maintenance or in service as ordered")
        .hasMessageEndingWith(Remedies.COPIES + "; then continue with --resume");
    return told;
  }

  @Test
  void aShiftSaysWhatItWaitsForAndUntilWhen() {
    assertThat(leaveOpen())
        .anyMatch(
            line ->
                line.startsWith("waiting: nodes are not yet in maintenance")
                    && line.contains("h:4 (entering maintenance)")
                    && line.endsWith("of at most 0 s"));
  }

  @Test
  void aShiftSaysWhichSwitchItWaitsFor() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    switches.put(
        "h:3",
        new PaperSwitch() {
          @Override
          public void off() throws InterruptedException {
            told.await();
            super.off();
          }
        });
    GearMeans means =
        cluster.means(
            path,
            switches,
            PaperCluster.LONG,
            line -> {
              if (line.startsWith("waiting: h:3 is not yet off, for ")) {
                told.countDown();
              }
            });
    new GearShifter(means, "a test").shift(1);
    assertThat(told.getCount()).isZero();
  }

  @Test
  void aGearFileThatIsNotThereIsSaidToBeSo() {
    assertThatThrownBy(() -> GearFiles.read(folder.resolve("none.json")))
        .hasMessageContaining("the gear file cannot be read: there is no such file");
  }

  /** As a verified switch has it that says off of a node that answers. */
  private static PowerSwitch contradicted() {
    return new PaperSwitch() {
      @Override
      public State read() {
        return State.UNKNOWN;
      }
    };
  }

  @ParameterizedTest
  @CsvSource({"h:1, 2, ON", "h:3, 2, ON", "h:3, 1, OFF"})
  void aSwitchOfUnknownStateIsReported(String node, int gear, String wanted)
      throws InterruptedException {
    new GearShifter(means(), "a test").shift(gear);
    switches.put(node, contradicted());
    List<Finding> wrong = wrong();
    assertThat(wrong).extracting(Finding::remedy).containsExactly(SwitchBoard.DOUBTFUL);
    assertThat(wrong.get(0).what()).endsWith(node);
    assertThat(wrong.get(0).says()).endsWith("switch says UNKNOWN, and it should be " + wanted);
    assertThat(GearDoctor.of(means()).findings()).contains(wrong.get(0));
  }

  @Test
  void aSwitchThatDoesNotAnswerIsReported() {
    switches.put(
        "h:3",
        new PaperSwitch() {
          @Override
          public State read() {
            throw new FailedWorkException("no answer", "bmc", "fix it");
          }
        });
    assertThat(wrong()).extracting(Finding::remedy).containsExactly(SwitchBoard.DOUBTFUL);
  }

  @Test
  void aNodeThatIsToBeSwitchedAndHasNoSwitchIsReported() {
    switches.remove("h:4");
    assertThat(wrong()).extracting(Finding::remedy).containsExactly(SwitchBoard.NO_SWITCH);
  }

  @Test
  void aNodeThatWasStartedByHandIsRefusedBeforeAnythingIsBegun() {
    switches.put("h:3", contradicted());
    assertThatThrownBy(() -> new GearShifter(means(), "a test").shift(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("node h:3: its switch reports neither on nor off")
        .hasMessageContaining("ended by hand");
    assertThat(GearShifter.unfinished(path)).isEmpty();
    assertThat(GearFiles.read(path).gear()).isEqualTo(2);
    assertThat(cluster.resting).isEqualTo(new TreeSet<>());
  }
}
