package org.calando.geartrials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearGovernor;
import org.calando.gears.GearShifter;
import org.calando.gears.GearSpec;
import org.calando.gears.GearStatus;
import org.calando.gears.ShiftNews;
import org.calando.power.onoff.PowerSwitch;
import org.calando.store.hdfs.NodeTraffic;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Seven DataNodes, RABBIT, gears of 3 and 7. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GearShiftIT {
  private static final long BLOCK = 1 << 18;
  private static final int OLD_BLOCKS = 40;
  private static final int NEW_BLOCKS = 24;

  private static GearBed bed;
  private static FileBook book;

  @BeforeAll
  static void start() {
    bed = GearBed.start(GearSpec.rabbit(List.of(3, 7)));
    book = bed.book();
  }

  @AfterAll
  static void end() {
    book.close();
    bed.close();
  }

  @Test
  @Order(1)
  void blocksLieAsThePlanSays() {
    assertThat(book.write("old", OLD_BLOCKS * BLOCK, BLOCK)).isTrue();
    // Each of two replicas, as the nodes count; their counters are a second old.
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> bed.gears().traffic().stream().mapToLong(NodeTraffic::writtenBytes).sum(),
            written -> written == 2 * OLD_BLOCKS * BLOCK);
    // The last replica of a file is reported after it was closed.
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              GearStatus status = bed.status();
              assertThat(status.blocks()).isEqualTo(OLD_BLOCKS);
              assertThat(status.misplaced()).isZero();
              assertAsPlanned(status);
            });
  }

  @Test
  @Order(2)
  void nodesGoOffAndEverythingStaysReadable() throws InterruptedException {
    List<String> told = new ArrayList<>();
    GearGovernor governor =
        new GearGovernor(
            bed.means(CatchUpPace.FOREGROUND, told::add),
            new FixedGearPolicy(1),
            bed.gears()::traffic,
            System::nanoTime,
            () -> 0,
            false,
            "a test");
    assertThat(governor.resume()).isEmpty();
    GearGovernor.Look look = governor.look();
    assertThat(look.shifted()).isTrue();
    assertThat(look.decided()).isEqualTo(1);
    assertThat(look.megabytesPerSecond()).as("nothing to compare with").isEmpty();
    assertThat(look.failedNodes()).isZero();
    GearGovernor.Look after = governor.look();
    assertThat(after.shifted()).isFalse();
    assertThat(after.gear()).isEqualTo(1);
    assertThat(bed.status().nodes())
        .extracting(GearStatus.Node::power)
        .containsExactly(
            PowerSwitch.State.ON,
            PowerSwitch.State.ON,
            PowerSwitch.State.ON,
            PowerSwitch.State.OFF,
            PowerSwitch.State.OFF,
            PowerSwitch.State.OFF,
            PowerSwitch.State.OFF);
    assertThat(told).contains(OLD_BLOCKS + " blocks can be read in gear 1");
    assertThat(book.damage()).isEmpty();
    assertThat(bed.gears().reReplications()).isZero();
  }

  @Test
  @Order(3)
  void whatIsWrittenMeanwhileIsBroughtHomeAndNothingElseIsMoved() throws InterruptedException {
    assertThat(book.write("new", NEW_BLOCKS * BLOCK, BLOCK)).isTrue();
    assertThat(book.damage()).isEmpty();
    List<CatchUpTotals> totals = new ArrayList<>();
    bed.shifter(
            CatchUpPace.FOREGROUND,
            new ShiftNews() {
              @Override
              public void tell(String line) {}

              @Override
              public void ended(CatchUpTotals sum) {
                totals.add(sum);
              }
            })
        .shift(2);
    GearStatus status = bed.status();
    assertThat(status.misplaced()).isZero();
    assertThat(status.unfinished()).isEmpty();
    assertAsPlanned(status);
    assertThat(totals).hasSize(1);
    assertThat(totals.get(0).bytes()).isEqualTo(NEW_BLOCKS * BLOCK);
    assertThat(totals.get(0).predicted()).isEqualTo(NEW_BLOCKS * BLOCK);
    assertThat(bed.gears().reReplications()).isZero();
    assertThat(book.damage()).isEmpty();
  }

  @Test
  @Order(4)
  void aSwitchThatFailsLeavesAPlanThatIsGoneOnWithOrTakenBack() throws InterruptedException {
    String last = bed.file().nodes().get(6);
    PowerSwitch good = bed.switches().get(last);
    bed.switches().put(last, new DeadSwitch());
    GearShifter shifter = bed.shifter();
    assertThatThrownBy(() -> shifter.shift(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("the switch is dead");
    assertThatThrownBy(() -> shifter.shift(1))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("unfinished");
    assertThat(book.damage()).isEmpty();
    bed.switches().put(last, good);
    bed.shifter().undo();
    GearStatus status = bed.status();
    assertThat(status.file().gear()).isEqualTo(2);
    assertThat(status.nodes()).allMatch(node -> node.member().serves());
    assertThat(status.misplaced()).isZero();
    assertThat(bed.gears().reReplications()).isZero();
  }

  @Test
  @Order(5)
  void aDeadNodeThatIsToStayBarsGoingDown() {
    bed.cluster().killNode(2);
    assertThatThrownBy(() -> bed.shifter().shift(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageMatching("(?s).*(takes no connections|does not serve).*");
    assertThat(bed.status().nodes())
        .allMatch(node -> node.power() == PowerSwitch.State.ON || node.member().number() == 2);
  }

  private static void assertAsPlanned(GearStatus status) {
    for (GearStatus.Node node : status.nodes()) {
      assertThat((double) node.blocks())
          .as("blocks of " + node.member().name())
          .isCloseTo(node.expected(), within(1.0));
    }
  }

  /** Answers that its node is on, and does nothing. */
  private static final class DeadSwitch implements PowerSwitch {
    @Override
    public String describe() {
      return "a dead switch";
    }

    @Override
    public State read() {
      return State.ON;
    }

    @Override
    public void on() {}

    @Override
    public void off() {
      throw new FailedWorkException("the switch is dead", "test", "none");
    }

    @Override
    public boolean canForce() {
      return false;
    }

    @Override
    public void forceOff() {
      throw new UnsupportedOperationException();
    }
  }
}
