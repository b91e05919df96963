package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.gears.Remedies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class IdleShifterTest {
  private static final Duration SHORT = Duration.ofMillis(30);
  private static final Duration LONG = Duration.ofMinutes(1);

  @TempDir Path folder;

  private PaperIdle paper(int nodes) {
    PaperIdle paper = new PaperIdle(nodes, folder);
    for (int i = 1; i <= nodes; i++) {
      paper.servers.open("h:" + i, "a" + i, "b" + i, "c" + i);
    }
    return paper;
  }

  @Test
  void aChangedHomeOfARegionIsRefusedBeforeAnythingIsSet() throws Exception {
    PaperIdle paper = paper(3);
    paper.shifter().shift(Set.of("n3"));
    Path file = paper.means().path();
    String whole = Files.readString(file);
    Files.writeString(file, whole.replaceFirst("\"b3\"", "\"b2\""));
    paper.events.clear();
    assertThatThrownBy(() -> paper.shifter().wake(Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("was changed since it was written")
        .hasMessageContaining("restore it");
    assertThat(paper.events).isEmpty();
    assertThat(paper.servers.places).containsOnlyKeys("h:1", "h:2");
    Files.writeString(file, whole);
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.ids().get("h:3")).containsExactly("a3", "b3", "c3");
  }

  @Test
  void sleepersAreWokenWhileAnotherServerIsDead() throws InterruptedException {
    PaperIdle paper = paper(3);
    paper.shifter().shift(Set.of("n3"));
    paper.servers.places.remove("h:1");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2", "n3")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("node n1")
        .hasMessageContaining("is not live");
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.places).containsKey("h:3");
    assertThat(paper.shifter().current().off()).isEmpty();
    assertThat(paper.shifter().strays()).containsExactly("n1");
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.places).containsKey("h:1");
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
    assertThatThrownBy(() -> paper.shifter().wake(Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("it is so already");
  }

  @Test
  void aServerThatHasJustDiedIsStartedWhenItsSessionHasEnded() throws InterruptedException {
    for (Set<String> named : List.of(Set.of("n1"), Set.<String>of())) {
      Path own = folder.resolve("named" + named.size());
      PaperIdle paper = new PaperIdle(2, own);
      paper.servers.dead.put("h:1", 20);
      assertThat(paper.shifter().strays()).containsExactly("n1");
      assertThat(paper.shifter().dryRunWake(named).steps()).isNotEmpty();
      List<String> told = new ArrayList<>();
      new IdleShifter(paper.means(LONG, told::add), "a test").wake(named);
      assertThat(told)
          .first()
          .asString()
          .startsWith("waiting: the master still considers live, though dead: h:1");
      assertThat(paper.servers.codes).as("another process").containsEntry("h:1", 2L);
      assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
    }
  }

  @Test
  void aSessionThatDoesNotEndIsWaitedForUpToALimit() {
    PaperIdle paper = paper(2);
    paper.servers.dead.put("h:1", Integer.MAX_VALUE);
    IdleShifter impatient = new IdleShifter(paper.means(SHORT), "a test");
    assertThatThrownBy(() -> impatient.wake(Set.of("n1")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("the master still considers live, though dead: h:1, for ");
    assertThat(impatient.unfinished()).isEmpty();
    assertThat(paper.servers.codes).containsEntry("h:1", 1L);
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("node n1")
        .hasMessageContaining("is not live");
  }

  @Test
  void whatIsNotAsItIsToBeIsToldWithOneRemedy() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.hdfs.add("a1", 2, 1, 2);
    assertThat(wrong(paper)).isEmpty();
    String notLive =
        "node n1: its RegionServer is not live, or does not answer; ./calando idle up --local --node n1";
    paper.servers.hung.add("h:1");
    assertThat(wrong(paper)).containsExactly(notLive);
    paper.servers.hung.clear();
    paper.servers.dead.put("h:1", 9);
    assertThat(wrong(paper)).containsExactly(notLive);
    paper.servers.dead.clear();
    paper.hdfs.hung.add("d:2");
    assertThat(wrong(paper))
        .containsExactly(
            "node n2: its DataNode does not answer; ./calando idle up --local --node n2");
    paper.hdfs.add("a1", 1, 2);
    paper.servers.transit.put("c9", "");
    assertThat(wrong(paper))
        .hasSize(3)
        .anyMatch(line -> line.equals("regions: 1 not served; " + Remedies.FIRST))
        .anyMatch(line -> line.startsWith("blocks: 1 of 2 blocks cannot be read, among them of /"));
    paper.hdfs.hung.clear();
    assertThat(wrong(paper)).hasSize(1).allMatch(line -> line.contains("the master's log"));
    // Known at the region's server, and just opened there.
    paper.servers.transit.put("a1", "h:1");
    paper.servers.transit.remove("c9");
    assertThat(wrong(paper)).isEmpty();
  }

  @Test
  void switchesThatDoNotSayAreToldOfNodesThatAreRightOtherwise() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.untold.addAll(Set.of("h:1", "d:1"));
    assertThat(wrong(paper))
        .hasSize(2)
        .anyMatch(
            line ->
                line.startsWith(
                    "node n1: its RegionServer serves; its switch says UNKNOWN, and it should be ON; "))
        .anyMatch(line -> line.startsWith("node n1: its DataNode serves; its switch says UNKNOWN"))
        .allMatch(line -> line.contains("ended by hand"));
    paper.untold.clear();
    paper.shifter().shift(Set.of("n2"));
    assertThat(wrong(paper)).isEmpty();
    paper.untold.add("d:2");
    assertThat(wrong(paper))
        .singleElement()
        .asString()
        .startsWith(
            "node n2: its DataNode sleeps; its switch says UNKNOWN, and it should be OFF; ");
  }

  private static List<String> wrong(PaperIdle paper) {
    IdleStatus status = IdleStatus.of(paper.means());
    assertThat(status.isSettled()).isEqualTo(status.findings().isEmpty());
    return status.findings().stream()
        .map(one -> one.what() + ": " + one.says() + "; " + one.remedy())
        .toList();
  }

  @Test
  void ofNodesThatAnUnfinishedPlanIsAboutOnlyThePlanIsTold() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageEndingWith("fix it; then continue with --resume");
    assertThat(wrong(paper)).hasSize(1).allMatch(line -> line.endsWith(IdleShifter.RESUME));
  }

  @Test
  void marksAndBalancerOfAPlanThatWasGivenUpAreToldAndTakenBack() throws InterruptedException {
    PaperIdle paper = paper(2);
    Map<String, Set<String>> first = paper.servers.ids();
    paper.servers.stiff = true;
    IdleShifter impatient = new IdleShifter(paper.means(SHORT), "a test");
    assertThatThrownBy(() -> impatient.shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("still on h:2");
    paper.shifter().abandon();
    paper.servers.stiff = false;
    IdleStatus status = IdleStatus.of(paper.means());
    assertThat(status.unfinished()).isEmpty();
    assertThat(status.balancerOwed()).isTrue();
    assertThat(status.nodes().get(1).server().leftDrained()).isTrue();
    assertThat(status.isSettled()).isFalse();
    assertThat(paper.shifter().strays()).containsExactly("n2");
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.balancer).isTrue();
    assertThat(paper.servers.drained).isEmpty();
    assertThat(paper.servers.ids()).isEqualTo(first);
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
    assertThat(IdleState.FILE.read(paper.means().path()).left()).isEqualTo(IdleState.Left.NOTHING);
  }

  @Test
  void aNodeThatWasLeftHalfAsleepIsWokenWithItsRegions() throws InterruptedException {
    PaperIdle paper = paper(2);
    Map<String, Set<String>> first = paper.servers.ids();
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not obey");
    paper.shifter().abandon();
    paper.stuck.clear();
    assertThat(paper.servers.balancer).isFalse();
    assertThat(paper.servers.places).doesNotContainKey("h:2");
    assertThat(IdleStatus.of(paper.means()).isSettled()).isFalse();
    paper.shifter().wake(Set.of("n2"));
    assertThat(paper.servers.ids()).isEqualTo(first);
    assertThat(paper.hdfs.maintained()).isEmpty();
    assertThat(paper.servers.balancer).isTrue();
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
  }

  @Test
  void aBalancerThatWasLeftOffIsOnAfterTheNextShiftToo() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class);
    paper.shifter().abandon();
    paper.stuck.clear();
    // By hand: all but the balancer.
    paper.servers.places.put("h:2", new ArrayList<>());
    paper.hdfs.maintain(Set.of());
    paper.shifter().shift(Set.of("n2"));
    assertThat(paper.servers.balancer).isTrue();
    assertThat(IdleState.FILE.read(paper.means().path()).left()).isEqualTo(IdleState.Left.NOTHING);
  }

  @Test
  void aBalancerThatWasLeftOffIsAllThatThereIsToDo() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.servers.balancer = false;
    assertThat(IdleStatus.of(paper.means()).isSettled()).as("an operator's choice").isTrue();
    IdleState.Left left = new IdleState.Left(List.of(), true);
    IdleState.FILE.write(new IdleState(List.of(), Optional.empty(), left), paper.means().path());
    assertThat(IdleStatus.of(paper.means()).isSettled()).isFalse();
    assertThat(paper.shifter().dryRunWake(Set.of()).steps()).hasSize(2);
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.balancer).isTrue();
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
    assertThat(paper.events).noneMatch(event -> event.startsWith("o"));
  }

  @Test
  void regionsOfThreeNodesAreWhereTheyWereInWhateverOrder() throws InterruptedException {
    List<List<Set<String>>> orders =
        List.of(
            List.of(Set.of("n3"), Set.of("n2", "n3"), Set.of()),
            List.of(Set.of("n2"), Set.of("n2", "n3"), Set.of()),
            List.of(Set.of("n3"), Set.of("n2", "n3"), Set.of("n2"), Set.of()),
            List.of(Set.of("n3"), Set.of("n2", "n3"), Set.of("n3"), Set.of()),
            List.of(Set.of("n2"), Set.of("n2", "n3"), Set.of("n2"), Set.of()),
            List.of(Set.of("n1"), Set.of("n1", "n3"), Set.of("n3"), Set.of("n2", "n3"), Set.of()));
    PaperIdle paper = paper(3);
    Map<String, Set<String>> first = paper.servers.ids();
    for (List<Set<String>> order : orders) {
      for (Set<String> asleep : order) {
        paper.shifter().shift(asleep);
        Set<String> homes = new TreeSet<>();
        for (IdleState.Sleeper sleeper : IdleState.FILE.read(paper.means().path()).asleep()) {
          assertThat(sleeper.homes()).as(order.toString()).allMatch(homes::add);
        }
      }
      assertThat(paper.servers.ids()).as(order.toString()).isEqualTo(first);
    }
  }

  @Test
  void serversThatAnOperatorDrainsGetNothingAndKeepTheirMarks() throws InterruptedException {
    PaperIdle paper = paper(3);
    paper.servers.drained.add("h:2");
    Map<String, Set<String>> first = paper.servers.ids();
    paper.shifter().shift(Set.of("n3"));
    assertThat(paper.servers.ids().get("h:2")).isEqualTo(first.get("h:2"));
    assertThat(paper.servers.drained).containsExactly("h:2");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n1", "n3")))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("marked as draining");
    assertThat(paper.shifter().dryRun(Set.of("n1", "n3")).obstacle()).isPresent();
    // It sleeps itself: its next process has its mark again.
    paper.shifter().shift(Set.of("n2", "n3"));
    assertThat(paper.servers.drained).isEmpty();
    paper.shifter().wake(Set.of());
    assertThat(paper.servers.drained).containsExactly("h:2");
    assertThat(paper.servers.ids()).isEqualTo(first);
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
  }

  @Test
  void theMarkOfAnOperatorIsThereAfterAnUndo() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.servers.drained.add("h:2");
    Map<String, Set<String>> first = paper.servers.ids();
    paper.stuck.add("d:2");
    assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
        .isInstanceOf(FailedWorkException.class);
    paper.stuck.clear();
    paper.shifter().undo();
    assertThat(paper.servers.drained).containsExactly("h:2");
    assertThat(paper.servers.ids()).isEqualTo(first);
    assertThat(paper.servers.balancer).isTrue();
  }

  @Test
  void whatWasAboutToEndIsOnAfterAnUndo() throws Exception {
    for (String name : List.of("d:2", "h:2")) {
      Path own = Files.createDirectories(folder.resolve(name.substring(0, 1)));
      PaperIdle paper = new PaperIdle(2, own);
      paper.servers.open("h:2", "a2");
      paper.stuck.add(name);
      assertThatThrownBy(() -> paper.shifter().shift(Set.of("n2")))
          .as(name)
          .isInstanceOf(FailedWorkException.class);
      paper.stuck.clear();
      paper.ending.add(name);
      paper.shifter().undo();
      assertThat(paper.hdfs.isOn("d:2")).as(name).isTrue();
      assertThat(paper.servers.ids()).containsEntry("h:2", Set.of("a2"));
      assertThat(IdleStatus.of(paper.means()).isSettled()).as(name).isTrue();
    }
  }

  @Test
  void aPlanOfWakingTellsNothingThatTheNameNodeHides() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.hdfs.add("a1", 2, 1, 2);
    paper.hdfs.add("a2", 2, 1, 2);
    IdlePlan down = paper.shifter().dryRun(Set.of("n2"));
    assertThat(down.copies()).isEqualTo(2);
    assertThat(down.nearAfter()).hasValue(1);
    paper.shifter().shift(Set.of("n2"));
    IdlePlan up = paper.shifter().dryRunWake(Set.of());
    assertThat(up.copies()).isEqualTo(2);
    assertThat(up.nearAfter()).isEmpty();
    assertThat(up.moves()).hasSize(3).allMatch(move -> move.to().equals("h:2"));
    assertThat(up.obstacle()).isEmpty();
  }

  @Test
  void logsAreBegunAnewBeforeTheLookOfAWakingThatIsTakenBack() throws InterruptedException {
    PaperIdle paper = paper(2);
    paper.shifter().shift(Set.of("n2"));
    paper.stuck.add("h:2");
    assertThatThrownBy(() -> paper.shifter().wake(Set.of()))
        .isInstanceOf(FailedWorkException.class);
    paper.stuck.clear();
    paper.hdfs.add("a1", 1, 2);
    paper.events.clear();
    assertThatThrownBy(() -> paper.shifter().undo())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("continue with --resume");
    assertThat(paper.events).containsSubsequence("maintain [d:2]", "roll h:1", "survey");
    assertThat(paper.hdfs.isOn("d:2")).as("what is only there can be had").isTrue();
    paper.shifter().resume();
    assertThat(IdleStatus.of(paper.means()).isSettled()).isTrue();
  }
}
