package org.calando.engine.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.calando.control.ManualScheduler;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.ClientRequests;
import org.calando.core.policy.gear.GearModel;
import org.calando.engine.GearSettings;
import org.calando.engine.NodeGears;
import org.calando.engine.ShiftGovernor;
import org.calando.gears.rack.PaperRacks;
import org.calando.gears.rack.RackShifter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RackNodeGearsTest {
  private static final Set<String> RACK = Set.of("dc1/r3");

  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;

  private final ManualScheduler scheduler = new ManualScheduler();

  private ShiftGovernor governor(RackNodeGears gears) {
    return new ShiftGovernor(gears, scheduler, Runnable::run, () -> 0);
  }

  private ShiftGovernor governor(PaperRacks racks) {
    return governor(gears(racks, 1000));
  }

  private RackNodeGears gears(PaperRacks racks, double perSecond) {
    return gears(racks, perSecond, Map::of);
  }

  private RackNodeGears gears(
      PaperRacks racks, double perSecond, Supplier<Map<String, List<Long>>> processes) {
    return new RackNodeGears(
        new NodeGears.User(
            Profiles.byName(Profiles.DEFAULT).orElseThrow(),
            perSecond,
            "test",
            () -> scheduler.clock().nanos(),
            () -> TimeUnit.NANOSECONDS.toMillis(scheduler.clock().nanos()),
            processes),
        racks.means(),
        ClientRequests.unknown("on paper"),
        shifter -> shifter.gears(1));
  }

  @Test
  void aLocalClusterIsJudgedAsItsStudiesAre() {
    GearModel governed = gears(new PaperRacks(folder), 1000).model();
    assertThat(governed.offSeconds()).isEqualTo(GearModel.PROCESS_OFF_SECONDS);
  }

  /** Nobody types --undo at night, and to resume it fails for as long as a node is missing. */
  @Test
  void aShiftDownThatFailedIsTakenBack() {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    ShiftGovernor governor = governor(racks);
    assertThatThrownBy(() -> new RackShifter(racks.means(), "test").shift(RACK))
        .isInstanceOf(FailedWorkException.class);
    assertThat(governor.unfinished()).contains(" by taking it back: dc1/r3 off");
    racks.stuckAtOff.clear();
    assertThat(governor.resume().toCompletableFuture()).isCompleted();
    assertThat(racks.node("n3").on).isTrue();
    assertThat(racks.node("n6").on).isTrue();
    assertThat(governor.unfinished()).isEmpty();
  }

  /** Before its plan is in the journal nothing says which way it goes; one that goes up stays. */
  @Test
  void onlyAPlanThatIsThereAndGoesDownCanBeTakenBack() {
    PaperRacks racks = new PaperRacks(folder);
    List<Runnable> waiting = new ArrayList<>();
    ShiftGovernor governor =
        new ShiftGovernor(gears(racks, 1000), scheduler, waiting::add, () -> 0);
    List<Boolean> offered = new ArrayList<>();
    racks.atDrain.put("n6", () -> offered.add(governor.canUndo()));
    racks.atOn.put("n6", () -> offered.add(governor.canUndo()));
    for (int to : new int[] {1, 2}) {
      var unused = governor.shift(to);
      offered.add(governor.canUndo());
      waiting.remove(0).run();
    }
    assertThat(offered).containsExactly(false, true, false, false);
    assertThat(governor.gear()).isEqualTo(2);
  }

  private static CalandoException refusal(ShiftGovernor governor) {
    CompletableFuture<?> shift = governor.shift(1).toCompletableFuture();
    Throwable thrown = catchThrowable(shift::join);
    assertThat(governor.unfinished()).isEmpty();
    assertThat(thrown).cause().isInstanceOf(CalandoException.class);
    CalandoException why = (CalandoException) thrown.getCause();
    assertThat(governor.isRefusal(why)).isTrue();
    return why;
  }

  private static void failAndTakeBack(PaperRacks racks, ShiftGovernor governor) {
    racks.stuckAtOff.add("n6");
    assertThat(governor.shift(1).toCompletableFuture()).isCompletedExceptionally();
    assertThat(governor.unfinished()).isPresent();
    racks.stuckAtOff.clear();
    assertThat(governor.resume().toCompletableFuture()).isCompleted();
    racks.events.clear();
  }

  /** Its cause may return each time, and nodes would be restarted all night. */
  @Test
  void shiftsDownThatWereTakenBackAreTriedEverLessOften() {
    PaperRacks racks = new PaperRacks(folder);
    ShiftGovernor governor = governor(racks);
    for (int pause : new int[] {60, 120, 240, 480, 960, 1920, 3600, 3600}) {
      failAndTakeBack(racks, governor);
      scheduler.advance((pause - 1) * SECOND);
      assertThat(refusal(governor)).hasMessageContaining("the next one begins in 1 s");
      assertThat(racks.events).isEmpty();
      scheduler.advance(SECOND);
    }
    assertThat(governor.shift(1).toCompletableFuture()).isCompleted();
    assertThat(racks.node("n6").on).isFalse();
    assertThat(governor.shift(2).toCompletableFuture()).isCompleted();
    assertThat(racks.node("n6").on).isTrue();
    // One that ended well is the end of that.
    failAndTakeBack(racks, governor);
    assertThat(refusal(governor)).hasMessageContaining("the next one begins in 60 s");
  }

  /** A service manager starts a governor again at once, and each shift restarts nodes. */
  @Test
  void aPauseOutlivesTheGovernor() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    for (int pause : new int[] {60, 120, 240}) {
      failAndTakeBack(racks, governor(racks));
      scheduler.advance((pause - 1) * SECOND);
      assertThat(refusal(governor(racks))).hasMessageContaining("the next one begins in 1 s");
      RackNodeGears study = gears(racks, Double.NaN);
      assertThatThrownBy(study::hold)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("the next one begins in 1 s")
          .hasMessageContaining("./calando gear down --local cassandra tries at once");
      study.close();
      assertThat(racks.events).isEmpty();
      scheduler.advance(SECOND);
    }
    RackNodeGears study = gears(racks, Double.NaN);
    study.hold();
    study.close();
    // By hand it is tried at once, and its success ends the pause for all.
    failAndTakeBack(racks, governor(racks));
    new RackShifter(racks.means(), "./calando gear").shift(RACK);
    assertThat(governor(racks).shift(2).toCompletableFuture()).isCompleted();
    assertThat(governor(racks).shift(1).toCompletableFuture()).isCompleted();
  }

  /** Its process is gone when the shift has ended, and what the drain took with it. */
  @Test
  void whatANodeThatGoesHadUsedIsKnown() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    List<Long> process = List.of(ProcessHandle.current().pid());
    RackNodeGears gears =
        gears(
            racks,
            Double.NaN,
            () -> racks.node("n3").on ? Map.of("n3", process) : Map.<String, List<Long>>of());
    assertThat(gears.shift(1).joules()).isPositive();
    assertThat(gears(racks, Double.NaN).shift(2).joules()).as("of no process").isNaN();
  }

  @Test
  void onlyWhatShiftsHasNodesKeepHintsAgain() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    new RackShifter(racks.means(), "test").shift(RACK);
    RackNodeGears gears = gears(racks, 1000);
    racks.node("n1").window = 1_000;
    var dry = gears.look();
    assertThat(dry.failed()).isZero();
    assertThat(gears.gear()).isEqualTo(1);
    assertThat(racks.node("n1").window).isEqualTo(1_000);
    assertThat(gears.troubles()).anyMatch(line -> line.contains("for too short a time"));
    gears.tend();
    var unused = gears.look();
    assertThat(racks.node("n1").window).isEqualTo(86_400_000);
    assertThat(gears.troubles()).anyMatch(line -> line.contains("keeps hints for it again"));
  }

  @Test
  void aRackThatIsMissedByANewKeyspaceComesBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    new RackShifter(racks.means(), "test").shift(RACK);
    RackNodeGears gears = gears(racks, 1000);
    assertThat(gears.look().failed()).isZero();
    assertThat(gears.troubles()).noneMatch(line -> line.contains("come back"));
    racks.keyspaces.put("later", Set.of(Set.of("n3")));
    scheduler.advance(61 * SECOND);
    assertThat(gears.look().load()).isEmpty();
    assertThat(gears.troubles()).anyMatch(line -> line.contains("keyspace later"));
  }

  /** The next run begins its shift at once; one that fails again fails that run. */
  @Test
  void aStudyTakesBackWhatFailedAndDoesNotWait() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    RackNodeGears gears = gears(racks, Double.NaN);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> gears.shift(1)).isInstanceOf(FailedWorkException.class);
    assertThat(gears.gear()).as("its rack may be off").isEqualTo(1);
    assertThat(gears.remedy()).endsWith("gear up --local cassandra --undo");
    racks.stuckAtOff.clear();
    gears.shiftUp();
    assertThat(gears.gear()).isEqualTo(2);
    assertThat(gears.shift(1).to()).isEqualTo(1);
    List<String> heard = new CopyOnWriteArrayList<>();
    gears.hear(heard::add);
    gears.shiftUp();
    assertThat(racks.node("n6").on).isTrue();
    assertThat(heard).contains("n6 is on");
    assertThat(gears.status()).endsWith("gear status --local cassandra");
  }

  @Test
  void whatIsRefusedIsClosed() {
    List<String> closed = new ArrayList<>();
    ClientRequests requests =
        (ClientRequests)
            Proxy.newProxyInstance(
                ClientRequests.class.getClassLoader(),
                new Class<?>[] {ClientRequests.class},
                (proxy, method, arguments) -> {
                  closed.add(method.getName());
                  return null;
                });
    GearSettings bytes =
        new GearSettings(new GearSettings.Capacity(1000, true), 1, Optional.empty());
    NodeGears.User user =
        NodeGears.User.governor(Profiles.byName(Profiles.DEFAULT).orElseThrow(), bytes, "test");
    PaperRacks racks = new PaperRacks(folder);
    assertThatThrownBy(() -> RackNodeGears.governed(user, racks.means(), requests, bytes))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is in bytes");
    assertThat(closed).containsExactly("close");
  }
}
