package org.calando.geartrials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.time.RealTimeScheduler;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.calando.gears.CatchUpPace;
import org.calando.gears.CatchUpTotals;
import org.calando.gears.GearCluster;
import org.calando.gears.GearMeans;
import org.calando.gears.GearShifter;
import org.calando.gears.GearSpec;
import org.calando.gears.GearStatus;
import org.calando.gears.HdfsNodeGears;
import org.calando.gears.Member;
import org.calando.gears.OffloadAudit;
import org.calando.gears.OffloadAudit.Verdict;
import org.calando.gears.ShiftNews;
import org.calando.local.hdfs.LocalHdfs;
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
              assertThat(status.misplaced().replicas()).isZero();
              assertAsPlanned(status);
            });
  }

  @Test
  @Order(2)
  void nodesGoOffAndEverythingStaysReadable() throws InterruptedException {
    List<String> told = new ArrayList<>();
    BlockingQueue<GearLook> looks = new LinkedBlockingQueue<>();
    try (RealTimeScheduler scheduler = new RealTimeScheduler("governor")) {
      HdfsNodeGears gears =
          new HdfsNodeGears(
              NodeGears.User.study(Profiles.byName(Profiles.DEFAULT).orElseThrow(), Map::of),
              bed.means(CatchUpPace.FOREGROUND, told::add),
              bed.gears()::traffic,
              GearModel.PROCESS_OFF_SECONDS,
              () -> {});
      assertThat(gears.unfinished()).isEmpty();
      PolicyLoop<?> fixed = new PolicyLoop<>(new FixedGearPolicy(1), bed.gears().target());
      try (ControlLoop<?> loop =
          new ShiftGovernor(gears, scheduler, Runnable::run, () -> 0)
              .loop(fixed, 1_000_000L, HeldGear.OnFailure.END, false, looks::add)
              .start()) {
        GearLook look = looks.take();
        assertThat(look.shifted()).isTrue();
        assertThat(look.decided()).isEqualTo(1);
        GearObservation seen = look.decision().orElseThrow().signals().get(GearObservation.GEARS);
        assertThat(seen.load()).as("nothing to compare with").isEmpty();
        assertThat(seen.failedNodes()).isZero();
        GearLook after = looks.take();
        assertThat(after.tried()).isFalse();
        assertThat(after.before()).isEqualTo(1);
        assertThat(loop.failure()).isEmpty();
      }
    }
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
  void theOffloadLogIsCheckedAndWrittenAnew() throws IOException, InterruptedException {
    assertThat(book.write("new", NEW_BLOCKS * BLOCK, BLOCK)).isTrue();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(audit().counts()).containsEntry(Verdict.AGREES, NEW_BLOCKS);
              assertThat(audit().isRight()).isTrue();
            });
    Path log = Path.of(bed.file().log().orElseThrow());
    String whole = Files.readString(log);
    List<String> lines = whole.lines().toList();
    // Three records are lost, and the last line is torn.
    Files.writeString(
        log,
        String.join("\n", lines.subList(3, lines.size())) + "\n" + lines.get(0).substring(0, 9));
    assertThat(audit().missing()).hasSize(3);
    assertThat(audit().log().damaged()).isEqualTo(1);
    assertThat(audit().log().isTorn()).isTrue();
    assertThat(bed.shifter().rebuildLog(false).records()).hasSize(NEW_BLOCKS);
    assertThat(audit().counts()).containsEntry(Verdict.AGREES, NEW_BLOCKS);
    assertThat(audit().isRight()).isTrue();
    // Homes that are made up are as good, but not those that the figures below are of. The shift up
    // meets a damaged line.
    Files.writeString(log, whole + "1\t9\u0001x\n");
    assertThat(audit().log().damaged()).isEqualTo(1);
    assertThat(audit().counts()).containsEntry(Verdict.AGREES, NEW_BLOCKS);
  }

  private static OffloadAudit audit() {
    return OffloadAudit.of(bed.means(CatchUpPace.FOREGROUND, ShiftNews.NONE));
  }

  @Test
  @Order(4)
  void whatWasWrittenIsBroughtHomeAndAShiftUpThatFailsIsTakenBack() throws InterruptedException {
    assertThat(book.damage()).isEmpty();
    Totals totals = new Totals();
    // And the NameNode is started again when nodes have reported, just before they go into service.
    GearShifter shifter = new GearShifter(meansWithARestart(totals), "a trial");
    assertThatThrownBy(() -> shifter.shift(2))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("of the test");
    assertThat(totals.all).hasSize(1);
    assertThat(totals.all.get(0).bytes()).isEqualTo(NEW_BLOCKS * BLOCK);
    assertThat(totals.all.get(0).predicted()).isEqualTo(NEW_BLOCKS * BLOCK);
    assertThat(bed.gears().reReplications()).isZero();
    bed.shifter().undo();
    GearStatus status = bed.status();
    assertThat(status.file().gear()).isEqualTo(1);
    assertThat(status.unfinished()).isEmpty();
    assertThat(status.nodes())
        .allMatch(node -> (node.power() == PowerSwitch.State.OFF) == (node.member().number() > 3));
    assertThat(book.damage()).isEmpty();
    assertThat(audit().counts()).containsEntry(Verdict.SETTLED, NEW_BLOCKS);
  }

  @Test
  @Order(5)
  void aNodeThatDoesNotComeBackIsLeftOffAndBroughtInLater() throws InterruptedException {
    String last = bed.file().nodes().get(6);
    PowerSwitch good = bed.switches().get(last);
    bed.switches().put(last, new DeadSwitch(PowerSwitch.State.OFF));
    assertThatThrownBy(() -> bed.shifter().shift(2))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("the switch is dead");
    assertThatThrownBy(() -> bed.shifter().shiftWithout(2, Set.of(bed.file().nodes().get(0))))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("are nodes that this switches on");
    bed.shifter().shiftWithout(2, Set.of(last));
    GearStatus status = bed.status();
    assertThat(status.file().gear()).isEqualTo(2);
    assertThat(status.unfinished()).isEmpty();
    assertThat(isServiceRight(status)).isFalse();
    assertThat(status.nodes())
        .allMatch(node -> node.member().serves() == (node.member().number() < 7));
    assertThat(status.nodes().get(6).maintained()).isTrue();
    assertThat(book.write("newest", NEW_BLOCKS * BLOCK, BLOCK)).isTrue();
    assertThat(book.damage()).isEmpty();
    assertThat(bed.gears().reReplications()).isZero();

    bed.switches().put(last, good);
    bed.shifter().shift(2);
    status = bed.status();
    assertThat(isServiceRight(status)).isTrue();
    assertThat(status.misplaced().replicas()).isZero();
    assertAsPlanned(status);
    assertThat(bed.gears().reReplications()).isZero();
    assertThat(book.damage()).isEmpty();
  }

  private static GearMeans meansWithARestart(ShiftNews news) {
    AtomicBoolean restarted = new AtomicBoolean();
    GearCluster cluster =
        (GearCluster)
            Proxy.newProxyInstance(
                GearCluster.class.getClassLoader(),
                new Class<?>[] {GearCluster.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("maintain") && !restarted.getAndSet(true)) {
                    bed.cluster().kill(LocalHdfs.NAME_NODE);
                    bed.cluster().launch(LocalHdfs.NAME_NODE);
                  }
                  try {
                    return method.invoke(bed.gears(), arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    GearMeans means = bed.means(CatchUpPace.FOREGROUND, news);
    return new GearMeans(
        cluster,
        means.path(),
        means.file(),
        means.switches(),
        means.patience(),
        means.catchUp(),
        means.news());
  }

  /** Hears what the catch-up came to, and has its step fail then. */
  private static final class Totals implements ShiftNews {
    final List<CatchUpTotals> all = new ArrayList<>();

    @Override
    public void tell(String line) {}

    @Override
    public void ended(CatchUpTotals sum) {
      all.add(sum);
      throw new FailedWorkException("a failure of the test", "catch-up", "none");
    }
  }

  @Test
  @Order(6)
  void aSwitchThatFailsLeavesAPlanThatIsResumedOrTakenBack() throws InterruptedException {
    String last = bed.file().nodes().get(6);
    PowerSwitch good = bed.switches().get(last);
    bed.switches().put(last, new DeadSwitch(PowerSwitch.State.ON));
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
    assertThat(status.misplaced().replicas()).isZero();
    assertThat(bed.gears().reReplications()).isZero();
  }

  @Test
  @Order(7)
  void aNodeThatIsToStayAndHangsOrIsDeadBarsGoingDown() throws Exception {
    long pid = bed.cluster().nodes().get(1).pid();
    signal("-STOP", pid);
    try {
      // Its port still takes connections, and the NameNode holds it for live.
      assertThatThrownBy(() -> bed.shifter().shift(1))
          .isInstanceOf(FailedWorkException.class)
          .hasMessageContaining("does not answer");
    } finally {
      signal("-CONT", pid);
    }
    bed.cluster().kill(2);
    assertThatThrownBy(() -> bed.shifter().shift(1))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageMatching("(?s).*(does not answer|does not serve).*");
    assertThat(bed.status().nodes())
        .allMatch(node -> node.power() == PowerSwitch.State.ON || node.member().number() == 2);
  }

  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Whether each node is in maintenance or in service as the gear wants it. */
  private static boolean isServiceRight(GearStatus status) {
    return status.nodes().stream()
        .allMatch(
            node ->
                status.file().layout().groups().isOn(node.member().number(), status.file().gear())
                    ? node.member().service() == Member.Service.IN_SERVICE
                    : node.maintained() && node.power() != PowerSwitch.State.ON);
  }

  private static void assertAsPlanned(GearStatus status) {
    for (GearStatus.Node node : status.nodes()) {
      assertThat((double) node.blocks())
          .as("blocks of " + node.member().name())
          .isCloseTo(node.expected(), within(1.0));
    }
  }

  /**
   * Always answers the same, and does nothing.
   *
   * @param state that it tells
   */
  private record DeadSwitch(State state) implements PowerSwitch {
    @Override
    public String describe() {
      return "a dead switch";
    }

    @Override
    public State read() {
      return state;
    }

    @Override
    public void on() {
      throw new FailedWorkException("the switch is dead", "test", "none");
    }

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
