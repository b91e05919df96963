package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.control.ControlLoop;
import org.calando.control.GearLook;
import org.calando.control.HeldGear;
import org.calando.control.ManualScheduler;
import org.calando.control.OffSetting;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearState;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.engine.NodeGears;
import org.calando.engine.NodePresence;
import org.calando.engine.ShiftGovernor;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Region;
import org.calando.store.hbase.RegionServers.Report;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By a clock that the test moves; two nodes, of which each serves 1000 rows a second. */
@Timeout(60)
class IdleNodeGearsTest {
  private static final long YEAR = Duration.ofDays(365).toNanos();
  private static final NodeProfile PROFILE = Profiles.byName(Profiles.DEFAULT).orElseThrow();

  @TempDir Path folder;

  private PaperIdle paper;
  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<GearLook> looks = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();
  private IdleNodeGears gears;
  private ControlLoop<GearState> loop;
  private long seconds;
  private long rows;

  @BeforeEach
  void begin() throws InterruptedException {
    paper = new PaperIdle(2, folder);
    paper.servers.open("h:1", "a1");
    paper.servers.open("h:2", "a2");
    GearModel model =
        GearModel.ofEqualNodes(List.of(1, 2), PROFILE, 1000, 30, CatchUpModel.none(2));
    gears = gears("a test");
    report();
    loop =
        new ShiftGovernor(gears, scheduler, Runnable::run, () -> 0)
            .loop(
                new PolicyLoop<>(
                    new LoadGearPolicy(model, GearLimits.defaults().withResidency(0)),
                    gears.target()),
                YEAR,
                HeldGear.OnFailure.END,
                false,
                this::heard)
            .start();
  }

  private IdleNodeGears gears(String owner) {
    return gears(owner, 1000);
  }

  private IdleNodeGears gears(String owner, double perSecond) {
    return new IdleNodeGears(
        new NodeGears.User(
            PROFILE, perSecond, owner, () -> scheduler.clock().nanos(), () -> 0, Map::of),
        paper.means(),
        1,
        () -> {},
        () -> {});
  }

  /** Each live server tells its count. */
  private void report() {
    paper.servers.reports.clear();
    for (String server : paper.servers.places.keySet()) {
      Load load = new Load(new Region("a", "t"), rows, 0, 1);
      paper.servers.reports.add(
          new Report(server, paper.servers.codes.get(server), 1000 * (seconds + 1), List.of(load)));
    }
  }

  /** The next look, so much later, with so many rows a second on each server in between. */
  private void heard(GearLook look) {
    if (look.decision().isPresent()) {
      looks.add(look);
    } else {
      missed.add(look.notNow().orElseThrow());
    }
  }

  private GearLook look(long later, long perSecond) {
    rows += later * perSecond;
    seconds += later;
    report();
    seconds -= later;
    return look(later);
  }

  /** The next look, so much later, of the same reports. */
  private GearLook look(long later) {
    int before = looks.size();
    pass(later);
    assertThat(loop.failure()).isEmpty();
    assertThat(looks).hasSize(before + 1);
    return looks.get(before);
  }

  private void pass(long later) {
    seconds += later;
    scheduler.advance(Duration.ofSeconds(later).toNanos());
    loop.wake();
    scheduler.run();
  }

  private static Optional<Double> perSecond(GearLook look) {
    return seen(look).load().map(GearObservation.Load::perSecond);
  }

  private static GearObservation seen(GearLook look) {
    return look.decision().orElseThrow().signals().get(GearObservation.GEARS);
  }

  private void sleeps() {
    GearLook look = look(10, 0);
    for (int i = 0; i < 30 && !look.shifted(); i++) {
      look = look(10, 0);
    }
    assertThat(look.decided()).isEqualTo(1);
    assertThat(look.inForce()).isEqualTo("n2 off");
    assertThat(paper.servers.places).containsOnlyKeys("h:1");
  }

  @Test
  void theLoadWakesAndHasSleep() {
    sleeps();
    assertThat(look(10, 100).decision().orElseThrow().step().reasons()).isNotEmpty();
    GearLook up = look(10, 900);
    assertThat(perSecond(up)).contains(900.0);
    assertThat(up.shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aShiftIsNotFollowedByDoubtBeforeServersCouldReport() {
    sleeps();
    int before = looks.size();
    pass(1);
    assertThat(looks).hasSize(before);
    assertThat(missed).containsExactly("servers have not yet reported twice");
    // One that says nothing for long is another matter.
    assertThat(look(60).shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aHungServerIsNotNoLoad() {
    sleeps();
    look(10, 100);
    GearLook hung = look(60);
    assertThat(perSecond(hung)).contains(100.0);
    assertThat(hung.tried()).isFalse();
    assertThat(look(180).shifted()).as("its word is older than 3 min").isTrue();
  }

  @Test
  void whatDoesNotAnswerIsToldAndWakesOnceItDoes() {
    sleeps();
    look(10, 0);
    paper.servers.silent = true;
    GearLook silent = look(10, 0);
    assertThat(gears.troubles()).hasSize(2).allMatch(trouble -> trouble.contains("not answer"));
    assertThat(perSecond(silent)).isEmpty();
    assertThat(silent.decided()).isEqualTo(2);
    assertThat(silent.notNow().orElseThrow()).contains("does not answer");
    assertThat(look(5, 0).tried()).as("not yet again").isFalse();
    paper.servers.silent = false;
    paper.hdfs.on.put("d:1", false);
    GearLook again = look(10, 0);
    assertThat(seen(again).failedNodes()).as("its DataNode does not serve").isEqualTo(1);
    assertThat(again.shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aBadRequestOfTheFirstLookEndsItAndALaterOneIsReported() {
    look(10, 0);
    paper.servers.refuses = true;
    look(10, 0);
    assertThat(gears.troubles()).isNotEmpty().allMatch(why -> why.contains("is no master"));
    IdleNodeGears another = gears("another");
    assertThatThrownBy(() -> another.firstNanos(YEAR))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is no master");
  }

  @Test
  void aRefusalIsReportedAndTriedAgainLessAndLess() {
    paper.hdfs.add("a2", 1, 2);
    int tries = 0;
    for (int i = 0; i < 200; i++) {
      GearLook look = look(10, 0);
      assertThat(look.shifted()).isFalse();
      if (look.tried()) {
        tries++;
        assertThat(look.notNow().orElseThrow()).contains("are on no node that stays on");
      }
    }
    // In 2000 s, less the while until it pays: 10, 20, 40, 80, 160, then 300 s between.
    assertThat(tries).isBetween(9, 11);
    paper.hdfs.blocks.clear();
    boolean shifted = false;
    for (int i = 0; i < 31 && !shifted; i++) {
      shifted = look(10, 0).shifted();
    }
    assertThat(shifted).isTrue();
  }

  @Test
  void aStepThatFailsEndsItWithAnOpenPlan() {
    paper.stuck.add("d:2");
    for (int i = 0; i < 30 && loop.failure().isEmpty(); i++) {
      report();
      pass(10);
    }
    assertThat(loop.failure().orElseThrow())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not obey");
    assertThat(paper.shifter().unfinished()).contains(OffSetting.of(Set.of("n2")));
  }

  /** A study ends with all nodes awake, and a governor resumes what it decided. */
  @Test
  void aStudyTakesAPlanBackThatHasServersSleep() throws InterruptedException {
    IdleNodeGears studied = gears("a study", Double.NaN);
    List<String> heard = new CopyOnWriteArrayList<>();
    studied.hear(heard::add);
    List<String> off = new ArrayList<>();
    studied.tell(
        new NodePresence() {
          @Override
          public void mayEnd(String node) {
            off.add(node);
          }

          @Override
          public void cameBack(String node, long pid) {}
        });
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> studied.shift(1)).isInstanceOf(FailedWorkException.class);
    assertThat(studied.gear()).as("n2 may be asleep").isEqualTo(1);
    assertThat(studied.status()).isEqualTo("./calando idle status --local");
    assertThat(studied.remedy()).isEqualTo("./calando idle up --local --undo");
    assertThat(gears("a governor").remedy()).isEqualTo("./calando idle up --local --resume");
    paper.stuck.clear();
    studied.shiftUp();
    assertThat(studied.unfinished()).isEmpty();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
    assertThat(studied.shift(1).to()).isEqualTo(1);
    assertThat(paper.servers.places).containsOnlyKeys("h:1");
    assertThat(studied.gear()).isEqualTo(1);
    assertThat(studied.failed()).as("asleep by order").isZero();
    studied.shiftUp();
    assertThat(studied.gear()).isEqualTo(2);
    assertThat(off).containsExactly("n2", "n2");
    assertThat(heard).contains("h:2 is off", "d:2 is off", "d:2 is on", "h:2 is on");
  }

  @Test
  void aStudyRefusesWhatPlansThatWereGivenUpLeft() throws InterruptedException {
    IdleNodeGears studied = gears("a study", Double.NaN);
    studied.requireInOrder();
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> studied.shift(1)).isInstanceOf(FailedWorkException.class);
    assertThat(studied.isLow()).as("by which it is refused").isTrue();
    studied.requireInOrder();
    paper.shifter().abandon();
    paper.stuck.clear();
    assertThat(studied.isLow()).isFalse();
    assertThatThrownBy(studied::requireInOrder)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("these are not in the state that they should be in: n2")
        .hasMessageContaining("./calando idle up --local");
    paper.shifter().wake(Set.of());
    studied.requireInOrder();
  }

  @Test
  void aStudyRefusesABalancerThatAPlanHasLeftOff() throws InterruptedException {
    IdleNodeGears studied = gears("a study", Double.NaN);
    paper.servers.balancer = false;
    studied.requireInOrder();
    IdleState.FILE.write(
        new IdleState(List.of(), Optional.empty(), new IdleState.Left(List.of(), true)),
        paper.means().path());
    assertThatThrownBy(studied::requireInOrder)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("left its balancer off")
        .hasMessageContaining("./calando idle up --local");
    paper.shifter().wake(Set.of());
    studied.requireInOrder();
  }
}
