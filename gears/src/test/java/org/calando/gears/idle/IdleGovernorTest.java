package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Region;
import org.calando.store.hbase.RegionServers.Report;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** By a clock that the test moves; two nodes, of which each serves 1000 rows a second. */
@Timeout(60)
class IdleGovernorTest {
  @TempDir Path folder;

  private PaperIdle paper;
  private IdleGovernor governor;
  private long seconds;
  private long rows;

  @BeforeEach
  void begin() throws InterruptedException {
    paper = new PaperIdle(2, folder);
    paper.servers.open("h:1", "a1");
    paper.servers.open("h:2", "a2");
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    GearModel model =
        GearModel.ofEqualNodes(List.of(1, 2), profile, 1000, 30, CatchUpModel.none(2));
    governor =
        new IdleGovernor(
            paper.means(),
            new PolicyLoop<>(
                new LoadGearPolicy(model, GearLimits.defaults().withResidency(0)),
                paper.means().regions().name()),
            1,
            () -> Duration.ofSeconds(seconds).toNanos(),
            () -> 0,
            false,
            (decision, inForce) -> {},
            "a test");
    report();
    assertThat(governor.resume()).isEmpty();
  }

  /** Each live server tells its count. */
  private void report() {
    paper.servers.reports.clear();
    for (String server : paper.servers.places.keySet()) {
      Load load = new Load(new Region("a", "t"), rows, 1);
      paper.servers.reports.add(
          new Report(server, paper.servers.codes.get(server), 1000 * (seconds + 1), List.of(load)));
    }
  }

  /** The next look, so much later, with so many rows a second on each server in between. */
  private IdleGovernor.Look look(long later, long perSecond) throws InterruptedException {
    seconds += later;
    rows += later * perSecond;
    report();
    return governor.look();
  }

  private void sleeps() throws InterruptedException {
    IdleGovernor.Look look = look(10, 0);
    for (int i = 0; i < 30 && !look.shifted(); i++) {
      look = look(10, 0);
    }
    assertThat(look.decided().asleep()).containsExactly("n2");
    assertThat(paper.servers.places).containsOnlyKeys("h:1");
  }

  @Test
  void theLoadWakesAndHasSleep() throws InterruptedException {
    sleeps();
    assertThat(look(10, 100).reasons()).isNotEmpty();
    IdleGovernor.Look up = look(10, 900);
    assertThat(up.requestsPerSecond()).contains(900.0);
    assertThat(up.shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aShiftIsNotFollowedByDoubtBeforeServersCouldReport() throws InterruptedException {
    sleeps();
    seconds += 1;
    IdleGovernor.Look early = governor.look();
    assertThat(early.requestsPerSecond()).isEmpty();
    assertThat(early.decided()).isEqualTo(early.before());
    // One that says nothing for long is another matter.
    seconds += 60;
    assertThat(governor.look().shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aHungServerIsNotNoLoad() throws InterruptedException {
    sleeps();
    look(10, 100);
    seconds += 60;
    IdleGovernor.Look hung = governor.look();
    assertThat(hung.requestsPerSecond()).contains(100.0);
    assertThat(hung.tried()).isFalse();
    seconds += 180;
    assertThat(governor.look().shifted()).as("its word is older than 3 min").isTrue();
  }

  @Test
  void whatDoesNotAnswerIsToldAndWakesOnceItDoes() throws InterruptedException {
    sleeps();
    look(10, 0);
    paper.servers.silent = true;
    IdleGovernor.Look silent = look(10, 0);
    assertThat(silent.troubles()).hasSize(2).allMatch(trouble -> trouble.contains("not answer"));
    assertThat(silent.requestsPerSecond()).isEmpty();
    assertThat(silent.decided().asleep()).isEmpty();
    assertThat(silent.notNow().orElseThrow()).contains("does not answer");
    assertThat(look(5, 0).tried()).as("not yet again").isFalse();
    paper.servers.silent = false;
    paper.hdfs.on.put("d:1", false);
    IdleGovernor.Look again = look(10, 0);
    assertThat(again.failed()).as("its DataNode does not serve").isEqualTo(1);
    assertThat(again.shifted()).isTrue();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
  }

  @Test
  void aRefusalIsToldAndTriedAgainLessAndLess() throws InterruptedException {
    paper.hdfs.add("a2", 1, 2);
    int tries = 0;
    for (int i = 0; i < 200; i++) {
      IdleGovernor.Look look = look(10, 0);
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
  void aStepThatFailsEndsItWithAnOpenPlan() throws InterruptedException {
    paper.stuck.add("d:2");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 30; i++) {
                IdleGovernor.Look unused = look(10, 0);
              }
            })
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not obey");
    assertThat(paper.shifter().unfinished()).contains(IdleSetting.of(Set.of("n2")));
  }
}
