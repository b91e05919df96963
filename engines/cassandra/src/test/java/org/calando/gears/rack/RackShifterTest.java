package org.calando.gears.rack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.calando.control.KnobKit;
import org.calando.control.OffSetting;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.policy.Knob;
import org.calando.gears.rack.RackState.Shift;
import org.calando.store.cassandra.gear.NodeSight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RackShifterTest {
  private static final Set<String> RACK = Set.of("dc1/r3");

  @TempDir private Path folder;

  private RackShifter shifter(PaperRacks racks) {
    return new RackShifter(racks.means(), "test");
  }

  @Test
  void aRackIsDrainedBeforeItIsSwitchedOffAndServesOnlyOnceItHasAll() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    assertThat(racks.events)
        .startsWith("hold n3", "hold n6", "drain n3", "drain n6")
        .endsWith(racks.events.get(4), racks.events.get(5))
        .contains("off n3", "off n6");
    assertThat(racks.node("n1").window).isEqualTo(RackHints.WINDOW_MILLIS);
    assertThat(shifter(racks).offByOrder()).containsExactlyInAnyOrder("n3", "n6");

    List<String> names = List.copyOf(racks.means().servers().names());
    assertThat(RackShifter.comingBack(racks.means().path(), names)).isEmpty();

    racks.node("n1").owes.add("n3");
    racks.events.clear();
    List<String> coming = new ArrayList<>();
    racks.atServe.put(
        "n3", () -> coming.addAll(RackShifter.comingBack(racks.means().path(), names)));
    shifter(racks).shift(Set.of());
    assertThat(coming).containsExactlyInAnyOrder("n3", "n6");
    assertThat(RackShifter.comingBack(racks.means().path(), names)).isEmpty();
    assertThat(racks.events)
        .containsSubsequence("hold n3", "serve n3")
        .doesNotContain("repair n3 [shop]");
    assertThat(racks.node("n1").owes).isEmpty();
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
  }

  @Test
  void aChangedDigitOfWhatIsRestoredIsRefusedBeforeAnythingIsSet() throws Exception {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    Path file = racks.means().path();
    String whole = Files.readString(file);
    for (String figure : List.of("window_millis", "since_millis", "survive")) {
      String changed = whole.replaceFirst("(\"" + figure + "\" : )[0-8]", "$19");
      assertThat(changed).as(figure).isNotEqualTo(whole);
      Files.writeString(file, changed);
      racks.events.clear();
      assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
          .as(figure)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("was changed since it was written")
          .hasMessageContaining("restore it");
      assertThat(racks.events).as(figure).isEmpty();
      assertThat(racks.node("n1").window).isEqualTo(RackHints.WINDOW_MILLIS);
    }
    Files.writeString(file, whole);
    shifter(racks).shift(Set.of());
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  /** A study has no table yet when it numbers the gears of its runs. */
  @Test
  void gearsOfAFileAreTheSameWhateverTheClusterHolds() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.keyspaces.clear();
    assertThat(shifter(racks).gears().highest()).isEqualTo(3);
    assertThat(shifter(racks).gears(1).highest()).isEqualTo(2);
    assertThat(shifter(racks).gears(1).offIn(1)).isEqualTo(RACK);
    shifter(racks).shift(RACK);
    assertThat(shifter(racks).gears(1).gearOf(RACK)).contains(1);
    PaperRacks cutOff = new PaperRacks(folder.resolve("cut off"));
    cutOff.stuckAtOff.add("n3");
    assertThatThrownBy(() -> shifter(cutOff).shift(RACK)).isInstanceOf(FailedWorkException.class);
    assertThat(shifter(cutOff).gears(1).offIn(1)).isEqualTo(RACK);
  }

  @Test
  void whatMayHaveLostHintsCostsARepair() throws InterruptedException {
    PaperRacks restarted = new PaperRacks(folder);
    shifter(restarted).shift(RACK);
    restarted.node("n2").started++;
    shifter(restarted).shift(Set.of());
    assertThat(restarted.events).contains("repair n3 [shop]", "repair n6 [shop]");

    repairs("kept no hints for 7 writes", racks -> racks.node("n4").notKept = 7);
    repairs("lost hints undelivered", racks -> racks.node("n4").written = 3);
    repairs("fewer hints", racks -> racks.node("n4").window = 1_000);
    repairs("fewer hints", racks -> racks.node("n1").keepsHints = false);
  }

  private void repairs(String why, Consumer<PaperRacks> meanwhile) throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    meanwhile.accept(racks);
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "repair n6 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains(why));
  }

  /** A governor that is started again has to know it, and the ring cannot be asked then. */
  @Test
  void whatRacksThatAreOffWereToLeaveIsRemembered() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    KeptCopies atOne = new KeptCopies(OptionalInt.of(1), 1);
    racks.keeps = atOne;
    assertThat(shifter(racks).isKept()).isTrue();
    shifter(racks).shift(RACK);
    assertThat(shifter(racks).isKept()).isTrue();
    racks.keeps = new KeptCopies(OptionalInt.of(2), 1);
    assertThat(shifter(racks).isKept()).isFalse();
    racks.keeps = KeptCopies.QUORUM;
    assertThat(shifter(racks).isKept()).as("three of five").isFalse();
    racks.keeps = atOne;
    shifter(racks).shift(Set.of());
    assertThat(shifter(racks).isKept()).isTrue();
  }

  /** Hints of a table expire with its deletions, and count nowhere. */
  @Test
  void aTableWhoseDeletionsAreKeptForHoursKeepsItsRackOn() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.graceSeconds = 3600L;
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("kept for 3600 s")
        .hasMessageContaining("ALTER TABLE shop.stock WITH gc_grace_seconds = 864000");
    assertThat(racks.events).isEmpty();
    assertThat(shifter(racks).problems()).hasSize(1);
    racks.graceSeconds = null;
    shifter(racks).shift(RACK);
    assertThat(racks.node("n3").on).isFalse();
  }

  @Test
  void deletedRowsDoNotComeBackWithARack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.events.clear();
    racks.wasOffFor(864_000);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("would come back")
        .hasMessageContaining("replace n3, n6");
    assertThat(racks.events).isEmpty();
    assertThat(RackShifter.unfinished(racks.means().path())).isEmpty();
    // Nodes that were replaced have nothing of then.
    for (String name : Set.of("n3", "n6")) {
      racks.node(name).on = true;
      racks.restart(name);
      racks.node(name).id = "another-" + name;
    }
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "serve n6");
  }

  @Test
  void aRackThatWasOffForLongerThanHintsAreKeptIsRepaired() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(86_000);
    assertThat(RackStatus.of(racks.means()).isWell()).isTrue();
    racks.wasOffFor(500);
    assertThat(RackStatus.of(racks.means()).findings())
        .first()
        .asString()
        .contains("off for 24 h", "deletions of shop.stock for 240 h");
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "repair n6 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains("off for longer than hints are kept"));
  }

  /** A plan to shift down that stays open for weeks. */
  @Test
  void anUndoBringsNoDeletedRowsBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.wasOffFor(900_000);
    assertThatThrownBy(() -> shifter(racks).undo()).hasMessageContaining("would come back");
    assertThat(racks.node("n3").on).isFalse();
  }

  @Test
  void whatWasEverOffIsProvedHoweverOftenItIsTakenBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    assertThat(racks.node("n3").on).isFalse();
    racks.stuckAtOff.clear();
    // A node that stays up tells nobody whether it holds the others to be so.
    racks.deafFor.put("n1", Integer.MAX_VALUE);
    assertThatThrownBy(() -> shifter(racks).undo()).isInstanceOf(FailedWorkException.class);
    assertThat(racks.node("n3").on).isTrue();
    assertThat(racks.node("n3").serves).isFalse();
    racks.deafFor.clear();
    racks.restart("n1");
    racks.events.clear();
    shifter(racks).undo();
    assertThat(racks.events).containsSubsequence("repair n3 [shop]", "serve n3");
  }

  @Test
  void aPlanThatIsGivenUpLeavesARackThatHasGoneToBeProved() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    shifter(racks).abandon();
    assertThat(shifter(racks).current().off()).containsExactly("dc1/r3");
    racks.stuckAtOff.clear();
    shifter(racks).shift(Set.of());
    assertThat(racks.events).containsSubsequence("on n3", "serve n3");
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  @Test
  void aPlanDownIsNotResumedBesideANodeThatHasEnded() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.stuckAtOff.clear();
    racks.node("n2").on = false;
    assertThatThrownBy(() -> shifter(racks).resume())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("n2");
    assertThat(racks.node("n6").on).isTrue();
  }

  private void refused(String why, Consumer<PaperRacks> wrong) throws IOException {
    Path own = Files.createTempDirectory(folder, "refused");
    PaperRacks racks = new PaperRacks(own);
    wrong.accept(racks);
    assertThat(shifter(racks).dryRun(RACK).toString())
        .contains("it would be refused")
        .contains(why);
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining(why);
    assertThat(racks.events).isEmpty();
    assertThat(Files.exists(own.resolve("racks.json"))).isFalse();
  }

  @Test
  void aGateThatIsShutChangesNothing() throws IOException {
    refused("hints are not delivered yet, for n3", racks -> racks.node("n1").owes.add("n3"));
    refused("hints are not delivered yet, for n1", racks -> racks.node("n3").owes.add("n1"));
    refused("its schema is another", racks -> racks.node("n5").schema = "b");
    refused("it is at a repair", racks -> racks.node("n4").busy.add("a repair"));
    refused("it keeps no hints", racks -> racks.node("n1").keepsHints = false);
    refused(
        "keyspace system_auth",
        racks -> racks.keyspaces.put("system_auth", Set.of(Set.of("n3"), Set.of("n1"))));
  }

  @Test
  void aSecondRackIsNotAddedToOneThatIsOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of("dc1/r2", "dc1/r3")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("hold hints");
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nothing would change");
  }

  @Test
  void aRackThatIsNoneIsRefused() {
    PaperRacks racks = new PaperRacks(folder);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of("dc1/r7")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("no rack dc1/r7");
  }

  @Test
  void aWriteThatOnlyTheRackHasKeepsItOn() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    RackMeans means = racks.means();
    RackShifter shifter = new RackShifter(means, "test");
    // It writes a hint between the look and its end.
    racks.owesAtDrain.put("n6", "n1");
    assertThatThrownBy(() -> shifter.shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("in them alone")
        .hasMessageContaining("--undo");
    assertThat(racks.node("n6").on).isTrue();
    racks.owesAtDrain.clear();
    shifter.undo();
    assertThat(racks.nodes.values())
        .allMatch(node -> node.on && node.serves && node.mode.equals(NodeSight.NORMAL));
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  /** Whoever resumes it, after a kill too, must not switch off what only the rack has. */
  @Test
  void aRackThatHoldsHintsIsNotSwitchedOffByResuming() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.owesAtDrain.put("n6", "n1");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    assertThatThrownBy(() -> shifter(racks).resume())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("in them alone");
    assertThat(racks.node("n6").on).isTrue();
    // It ends before anybody has asked it.
    racks.node("n6").on = false;
    assertThatThrownBy(() -> shifter(racks).resume())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has ended unchecked")
        .hasMessageContaining("--undo");
    assertThat(racks.node("n3").on).isTrue();
    racks.owesAtDrain.clear();
    shifter(racks).undo();
    assertThat(racks.events).containsSubsequence("on n6", "serve n6");
  }

  @Test
  void aNodeThatDoesNotAnswerOnceItIsDrainedMayHoldHints() {
    PaperRacks racks = new PaperRacks(folder);
    racks.deafAtDrain.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has ended unchecked");
    assertThat(racks.node("n3").on).isTrue();
  }

  /** A governor does so: to resume it would keep a rack away that is missed. */
  @Test
  void anUnfinishedShiftDownIsSettledByTakingItBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    assertThat(shifter(racks).goesUp()).isFalse();
    assertThat(shifter(racks).mayBeOff()).isEqualTo(RACK);
    racks.stuckAtOff.clear();
    shifter(racks).settle();
    assertThat(racks.node("n3").on).isTrue();
    assertThat(shifter(racks).mayBeOff()).isEmpty();
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    assertThat(shifter(racks).goesUp()).isTrue();
    racks.failsRepairs = false;
    shifter(racks).settle();
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
  }

  private void failInTheRepair(PaperRacks racks) {
    racks.wasOffFor(90_000);
    racks.failsRepairs = true;
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("no repair");
  }

  @Test
  void aPlanDownIsNotResumedForLessThanIsPromised() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.stuckAtOff.clear();
    racks.keeps = new KeptCopies(OptionalInt.empty(), 1);
    assertThat(shifter(racks).isKept()).isFalse();
    assertThatThrownBy(() -> shifter(racks).resume())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("keyspace shop")
        .hasMessageContaining("--undo");
    racks.keeps = KeptCopies.QUORUM;
    racks.keyspaces.put("later", Set.of(Set.of("n6")));
    assertThatThrownBy(() -> shifter(racks).resume()).hasMessageContaining("keyspace later");
    assertThat(racks.node("n6").on).isTrue();
    racks.keyspaces.remove("later");
    shifter(racks).resume();
    assertThat(racks.node("n6").on).isFalse();
  }

  @Test
  void aFileThatLacksThePromiseIsRefused() throws InterruptedException, IOException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    Path file = racks.means().path();
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    ((ObjectNode) json).remove("keeps");
    Files.writeString(file, json.toString());
    assertThatThrownBy(() -> shifter(racks).isKept())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("was changed since it was written");
  }

  /** Its hints are lost, as far as anybody knows. */
  @Test
  void aShiftUpThatWasTakenBackIsResumedWhereNodesHoldHints() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    racks.deliversAtOnce = false;
    racks.owesAtDrain.put("n6", "n1");
    assertThatThrownBy(() -> shifter(racks).undo())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("in them alone")
        .hasMessageContaining("up --local cassandra --resume");
  }

  @Test
  void aDryRunOfAShiftUpTellsWhatIsStillToBeDone() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    assertThat(shifter(racks).dryRun(Set.of()))
        .filteredOn(line -> line.contains("delivered") || line.contains("no hint was lost"))
        .hasSize(2)
        .noneMatch(line -> line.contains("done already"));
  }

  @Test
  void anUnknownGraceIsNoGrace() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.graceSeconds = null;
    racks.isSecured = true;
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("gc_grace_seconds is not known: no login");
    assertThat(racks.events).isEmpty();
    // Gear commands have no login.
    racks.isSecured = false;
    shifter(racks).shift(RACK);
    assertThat(racks.news).anyMatch(line -> line.contains("back within 24 h, or by ./calando gov"));
    racks.wasOffFor(90_000);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("may come back: no login");
    assertThat(racks.node("n3").on).isFalse();
    racks.graceSeconds = 864_000L;
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
  }

  /** A repair is what spreads deleted rows. */
  @Test
  void aShiftUpThatIsResumedLateRepairsNothingOnceDeletionsHaveExpired()
      throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    assertThat(racks.node("n3").on).isTrue();
    racks.failsRepairs = false;
    racks.wasOffFor(10 * 86_400);
    assertThatThrownBy(() -> shifter(racks).resume())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("would come back");
    assertThat(racks.events).doesNotContain("repair n3 [shop]", "serve n3");
  }

  /** Repairs of some nodes and keyspaces take days. */
  @Test
  void aFurtherNodeIsNotRepairedOnceDeletionsHaveExpired() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(90_000);
    // As the time goes by, so does that for which deletions are kept.
    racks.atRepair.put("n3", () -> racks.graceSeconds = 1L);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("would come back");
    assertThat(racks.events).contains("repair n3 [shop]").doesNotContain("repair n6 [shop]");
    assertThat(racks.node("n6").serves).isFalse();
  }

  @Test
  void aRackComesBackWhileThereIsTimeLeftToRepairIt() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(9 * 86_400 + 3600);
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("may expire before")
        .hasMessageContaining("ALTER TABLE shop.stock WITH gc_grace_seconds = 1728000 now");
    racks.graceSeconds = 1_728_000L;
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
  }

  /** The rack has no row of it that could come back. */
  @Test
  void aTableThatWasMadeWhileARackIsOffIsRepairedAndKeepsNoRackOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(3600);
    racks.laterTables.put("shop.carts", 600L);
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
    assertThat(racks.news)
        .anyMatch(line -> line.contains("hints of shop.carts are kept for 600 s"));

    Path own = folder.resolve("there before");
    PaperRacks before = new PaperRacks(own);
    before.laterTables.put("shop.carts", 864_000L);
    shifter(before).shift(RACK);
    before.wasOffFor(3600);
    before.laterTables.put("shop.carts", 600L);
    assertThatThrownBy(() -> shifter(before).shift(Set.of()))
        .hasMessageContaining("would come back");
  }

  @Test
  void aClockThatIsBehindTellsNoTime() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(-7200);
    assertThat(shifter(racks).areOffFor(3600)).isTrue();
    assertThat(RackStatus.of(racks.means()).findings())
        .first()
        .asString()
        .contains("for how long it is off is not known");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("for how long nodes were off is not known")
        .hasMessageContaining("set this machine's clock. Or replace");
    assertThat(racks.node("n3").on).isFalse();
    racks.wasOffFor(7200 - 10);
    shifter(racks).shift(Set.of());
    assertThat(racks.events).doesNotContain("repair n3 [shop]");
  }

  /** What is beyond it is dropped without a trace. */
  @Test
  void aLimitOfHintsIsLiftedWhileARackIsOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.nodes.values().forEach(node -> node.mostMebibytes = 64);
    shifter(racks).shift(RACK);
    assertThat(racks.node("n1").mostMebibytes).isZero();
    assertThat(racks.node("n1").window).isEqualTo(RackHints.WINDOW_MILLIS);
    racks.node("n1").mostMebibytes = 64;
    assertThat(shifter(racks).keepHints()).containsExactly("n1");
    shifter(racks).shift(Set.of());
    assertThat(racks.node("n1").mostMebibytes).isEqualTo(64);
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
    assertThat(racks.events).doesNotContain("repair n3 [shop]");
  }

  /** Whoever names its file in another way is to resume its plans. */
  @Test
  void aClusterHasOneNameHoweverItsFolderIsWritten() throws IOException {
    Files.createDirectory(folder.resolve("other"));
    Files.createSymbolicLink(folder.resolve("link"), folder);
    String name = new PaperRacks(folder).means().target();
    assertThat(new PaperRacks(folder.resolve("other/..")).means().target()).isEqualTo(name);
    assertThat(new PaperRacks(folder.resolve("link")).means().target()).isEqualTo(name);
    assertThat(new PaperRacks(folder.resolve("other")).means().target()).isNotEqualTo(name);
  }

  /** Hints that were deleted while pages were sent again count as delivered. */
  @Test
  void keysThatDifferCostARepair() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    shifter(racks).shift(Set.of());
    assertThat(racks.news).contains("100 keys were compared on all replicas");
    assertThat(racks.events).doesNotContain("repair n3 [shop]");
    shifter(racks).shift(RACK);
    racks.differing.add("shop.stock");
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains("replicas of keys of shop.stock differ"));
  }

  /** While one that boots takes its question to the end, others open to clients. */
  @Test
  void aNodeThatHangsKeepsNoOtherWaiting() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    CountDownLatch others = new CountDownLatch(5);
    racks.names().forEach(name -> racks.atSight.put(name, others::countDown));
    boolean[] waited = {true};
    racks.atSight.put(
        "n1",
        () -> {
          await().atMost(Duration.ofSeconds(5)).until(() -> others.getCount() == 0);
          waited[0] = false;
        });
    assertThat(racks.means().sights(racks.names())).hasSize(6);
    assertThat(waited[0]).isFalse();
  }

  /** They fail while a replica is down. */
  @Test
  void nodesBeginNoRepairsByThemselvesWhileARackIsOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.nodes.values().forEach(node -> node.repairs = Set.of("full"));
    shifter(racks).shift(RACK);
    assertThat(racks.node("n1").repairs).isEmpty();
    assertThat(RackStatus.of(racks.means()).isWell()).isTrue();
    shifter(racks).shift(Set.of());
    assertThat(racks.node("n1").repairs).containsExactly("full");
  }

  /** Set right since, it tells too short a time. */
  @Test
  void aClockThatWasAheadIsCorrectedByNodesThatStayed() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.node("n1").upMillis += Duration.ofHours(30).toMillis();
    assertThat(shifter(racks).areOffFor(72_000)).isTrue();
    shifter(racks).shift(Set.of());
    assertThat(racks.news).anyMatch(line -> line.contains("off for longer than hints are kept"));
    assertThat(racks.events).contains("repair n3 [shop]");
  }

  /** Its nodes may be off already. */
  @Test
  void aShiftDownThatStaysOpenHasAClock() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    assertThat(shifter(racks).areOffFor(72_000)).isFalse();
    racks.wasOffFor(90_000);
    assertThat(shifter(racks).areOffFor(72_000)).isTrue();
    assertThat(RackStatus.of(racks.means()).findings())
        .anyMatch(found -> found.problem().startsWith("off for 25 h"));
  }

  @Test
  void aQuestionThatANodeMissesEndsNoDelivery() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    List.of("n3", "n6").forEach(name -> racks.node(name).on = true);
    RackMeans means = racks.means();
    Delivery delivery = new Delivery(means, means.state(), racks.names(), List.of("n3", "n6"));
    racks.deafFor.put("n1", 1);
    assertThat(delivery.isOver()).isFalse();
    await().atMost(Duration.ofSeconds(5)).until(delivery::isOver);
    assertThat(delivery.lacking()).isEmpty();
  }

  /** A page that is sent again counts again, while the rest of its file is under way. */
  @Test
  void hintsThatAreUnderWayAreWaitedForWhateverWasDelivered() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    List.of("n3", "n6").forEach(name -> racks.node(name).on = true);
    racks.node("n1").written = 5;
    racks.node("n1").delivered = 10;
    racks.node("n1").failed = 1;
    RackMeans means = racks.means();
    Delivery delivery = new Delivery(means, means.state(), racks.names(), List.of("n3", "n6"));
    long begun = System.nanoTime();
    while (System.nanoTime() - begun < Duration.ofMillis(20).toNanos()) {
      racks.node("n1").delivered++;
      assertThat(delivery.isOver()).isFalse();
    }
    await().atMost(Duration.ofSeconds(5)).until(delivery::isOver);
    assertThat(delivery.lacking()).isEmpty();
  }

  /** Busy nodes miss writes now and then, and hints of those go on for ever. */
  @Test
  void hintsThatGoOnKeepNoRackAway() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    List.of("n3", "n6").forEach(name -> racks.node(name).on = true);
    racks.node("n1").written = 5;
    racks.node("n1").delivered = 10;
    assertThat(goesOn(racks)).isEmpty();
    racks.node("n1").failed = 1;
    assertThat(goesOn(racks)).as("nobody can tell").containsExactly("n1");
  }

  private static List<String> goesOn(PaperRacks racks) {
    RackMeans means = racks.means();
    Delivery delivery = new Delivery(means, means.state(), racks.names(), List.of("n3", "n6"));
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              racks.node("n1").delivered++;
              return delivery.isOver();
            });
    return delivery.lacking();
  }

  /** Its rows end by themselves; its hints expire as those of any table do. */
  @Test
  void whatSessionsAgreeByKeepsNoRackOff() throws InterruptedException {
    String signals = "shop.calando_signals";
    PaperRacks racks = new PaperRacks(folder);
    racks.laterTables.put(signals, 3600L);
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).hasMessageContaining("kept for 3600 s");
    racks.laterTables.put(signals, 86_400L);
    shifter(racks).shift(RACK);
    racks.wasOffFor(3 * 86_400);
    assertThat(RackStatus.of(racks.means()).findings())
        .first()
        .asString()
        .contains("deletions of shop.stock for 240 h");
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "serve n3");

    shifter(racks).shift(RACK);
    // An earlier version wrote no tables, and made this one with an hour.
    RackMeans means = racks.means();
    means.write(means.state().withTables(Optional.empty()));
    racks.laterTables.put(signals, 3600L);
    racks.wasOffFor(7200);
    racks.events.clear();
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "serve n3");
  }

  @Test
  void tablesThatWereKnownAtTheLookStayKnown() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.losesGraceAtDrain = true;
    shifter(racks).shift(RACK);
    assertThat(racks.means().state().tables()).contains(new TreeSet<>(Set.of("id of stock")));
    racks.graceSeconds = 864_000L;
    racks.wasOffFor(3600);
    racks.laterTables.put("shop.carts", 600L);
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
  }

  @Test
  void tablesThatWereMadeMeanwhileCountOnceNodesHaveBeenBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.laterTables.put("shop.carts", 600L);
    racks.wasOffFor(3600);
    racks.failsRepairs = true;
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("no repair");
    shifter(racks).undo();
    racks.failsRepairs = false;
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("table shop.carts")
        .hasMessageContaining("would come back");
  }

  @Test
  void whereNodesWentUndrainedAnyTableCounts() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.deliversAtOnce = false;
    racks.owesAtDrain.put("n6", "n1");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).hasMessageContaining("in them alone");
    assertThat(racks.means().state().tables()).isPresent();
    shifter(racks).abandon();
    assertThat(shifter(racks).current().off()).isEqualTo(RACK);
    assertThat(racks.means().state().tables()).isEmpty();
  }

  @Test
  void questionsThatAreMissedAgainAndAgainKeepNoDeliveryGoing() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    List.of("n3", "n6").forEach(name -> racks.node(name).on = true);
    racks.node("n4").written = 3;
    RackMeans means = racks.means();
    Delivery delivery = new Delivery(means, means.state(), racks.names(), List.of("n3", "n6"));
    await()
        .atMost(Duration.ofSeconds(5))
        .pollInterval(Duration.ofMillis(2))
        .until(
            () -> {
              racks.deafFor.put("n1", 1);
              assertThat(delivery.isOver()).isFalse();
              return delivery.isOver();
            });
    assertThat(delivery.lacking()).containsExactly("n4");
  }

  @Test
  void aDrainThatIsProvedIsSoWhateverSwitchesTell() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.stuckAtOff.clear();
    racks.unreadable.add("n3");
    assertThatThrownBy(() -> shifter(racks).resume()).hasMessageContaining("its switch is silent");
    racks.unreadable.clear();
    shifter(racks).resume();
    assertThat(shifter(racks).current().off()).isEqualTo(RACK);
  }

  /** It may have taken writes. */
  @Test
  void aNodeThatStartsAgainIsAskedAgain() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.stuckAtOff.clear();
    racks.restart("n6");
    racks.deliversAtOnce = false;
    racks.owesAtDrain.put("n6", "n1");
    for (int time = 1; time <= 2; time++) {
      assertThatThrownBy(() -> shifter(racks).resume()).hasMessageContaining("in them alone");
    }
    assertThat(racks.node("n6").on).isTrue();
  }

  @Test
  void aShiftUpWhoseNodeDoesNotStartIsTakenBackOnceThatIsOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    racks.deafFor.put("n6", 1000);
    assertThatThrownBy(() -> shifter(racks).undo())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("switch it off by hand, then ./calando gear up --local cassandra");
    racks.node("n6").on = false;
    shifter(racks).undo();
    assertThat(racks.node("n3").on).isFalse();
    assertThat(shifter(racks).current().off()).isEqualTo(RACK);
  }

  /** Who cannot ask could never pass: hours of delivery are no reason to give up. */
  @Test
  void aShiftUpThatBeganInTimeIsProvedWhereNobodyCanAsk() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.graceSeconds = null;
    shifter(racks).shift(RACK);
    racks.node("n2").started++;
    racks.failsRepairs = true;
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("no repair");
    racks.failsRepairs = false;
    racks.wasOffFor(3 * 86_400);
    assertThatThrownBy(() -> shifter(racks).resume())
        .hasMessageContaining("off for 48 h or longer")
        .hasMessageContaining("may come back");
    racks.wasOffFor(-2 * 86_400);
    shifter(racks).resume();
    assertThat(racks.events).contains("repair n3 [shop]", "serve n3");
  }

  /** Hints that it has in its memory are in no list. */
  @Test
  void aNodeThatMissesTheOrderToDrainIsNotSwitchedOff() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    racks.deafFor.put("n6", 2);
    assertThatThrownBy(() -> shifter(racks).undo())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("it is not drained, but NORMAL");
    assertThat(racks.node("n6").on).isTrue();
    shifter(racks).undo();
    assertThat(racks.node("n6").on).isFalse();
  }

  @Test
  void aShiftUpIsNotTakenBackWhereARackHasTheOnlyCopy() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    racks.keyspaces.put("later", Set.of(Set.of("n3")));
    assertThatThrownBy(() -> shifter(racks).undo())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("keyspace later")
        .hasMessageContaining("--resume");
    assertThat(racks.node("n3").on).isTrue();
    assertThat(racks.node("n3").mode).isEqualTo(NodeSight.NORMAL);
  }

  /** Hints for a node that was replaced stay with the others for ever. */
  @Test
  void aRackComesBackWithANodeThatWasReplaced() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.node("n6").id = "another-n6";
    racks.node("n6").on = true;
    racks.restart("n6");
    racks.orphans.put("n1", "id-n6");
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n6 [shop]", "serve n6");
    assertThat(racks.news).anyMatch(line -> line.contains("other nodes than when"));
    racks.orphans.put("n3", "id-n6");
    shifter(racks).shift(RACK);
    assertThat(racks.node("n3").on).isFalse();
  }

  @Test
  void aRackComesBackWithoutANodeThatHasLeft() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.unlisted.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodetool removenode");
    racks.leave("n6");
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]", "serve n3").doesNotContain("on n6");
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
  }

  /** QUORUM is gone without it: the rack is missed all the more. */
  @Test
  void aRackComesBackWhileANodeThatStayedHasEnded() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.node("n1").on = false;
    shifter(racks).shift(Set.of());
    assertThat(racks.events).containsSubsequence("repair n3 [shop, forced]", "serve n3");
    assertThat(racks.news).anyMatch(line -> line.contains("n1 has ended"));
  }

  @Test
  void aRackIsNotTakenForRepairedWhereNobodyHasWhatItLacks() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.node("n1").on = false;
    racks.node("n2").on = false;
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("n1, n2")
        .hasMessageContaining("start one of them");
    assertThat(racks.node("n3").serves).isFalse();
    racks.node("n2").on = true;
    shifter(racks).resume();
    assertThat(racks.events).contains("repair n3 [shop, forced]");
  }

  /** It keeps hints for as long as it is set to, and nobody has its counters of before. */
  @Test
  void aNodeThatJoinsWhileARackIsOffCostsARepair() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.join("n7", "r1");
    racks.unlisted.add("n7");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("id-n7")
        .hasMessageContaining("list every node");
    racks.unlisted.clear();
    assertThat(shifter(racks).forgetful()).containsExactly("n7");
    assertThat(RackStatus.of(racks.means()).findings())
        .anyMatch(found -> found.problem().contains("it has joined since"));
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains("n7 has joined"));
  }

  private static void awaitHeld(PaperRacks racks, String name) {
    await().atMost(Duration.ofSeconds(5)).until(() -> !racks.sight(name).orElseThrow().serves());
  }

  /** What the first one lacks is told to nobody who has it for a coordinator. */
  @Test
  void nodesThatComeAreHeldWhileOthersStillBoot() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atOn.put(
        "n6",
        () -> {
          await().atMost(Duration.ofSeconds(5)).until(() -> racks.node("n3").on);
          awaitHeld(racks, "n3");
        });
    shifter(racks).shift(Set.of());
    assertThat(racks.events).containsSubsequence("hold n3", "on n6", "serve n3");
  }

  @Test
  void nodesThatCameAreHeldWhereAnotherDoesNotStart() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atOn.put(
        "n6",
        () -> {
          throw new FailedWorkException("does not start", "node n6", "see to it");
        });
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not start");
    assertThat(racks.node("n3").on).isTrue();
    assertThat(racks.node("n3").serves).isFalse();
    // It starts again while nobody shifts; a governor looks.
    racks.restart("n3");
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n3").serves).isFalse();
    racks.atOn.clear();
    shifter(racks).resume();
    assertThat(racks.node("n3").serves).isTrue();
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n3").serves).isTrue();
  }

  /** Its board is dead; the others are missed. */
  @Test
  void aRackComesBackWithoutANodeThatIsLost() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atOn.put(
        "n6",
        () -> {
          throw new FailedWorkException("does not start", "node n6", "see to it");
        });
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not start");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of(), Set.of("n3")))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("comes on with its rack");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of(), Set.of("n1")))
        .hasMessageContaining("name some of n3, n6");
    assertThat(RackShifter.unfinished(racks.means().path())).isPresent();
    shifter(racks).shift(Set.of(), Set.of("n6"));
    assertThat(racks.events).contains("serve n3").doesNotContain("on n6", "repair n3 [shop]");
    assertThat(racks.news).anyMatch(line -> line.startsWith("n6 is left out"));
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
    assertThat(RackShifter.unfinished(racks.means().path())).isEmpty();
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  /** What it had been given is gone with it, and with those who gave it. */
  @Test
  void aNodeThatStartsAgainWhileItIsGivenHintsIsRepaired() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atOn.put(
        "n6",
        () -> {
          throw new FailedWorkException("does not start", "node n6", "see to it");
        });
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not start");
    racks.restart("n3");
    racks.atOn.clear();
    shifter(racks).resume();
    assertThat(racks.events).contains("repair n3 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains("n3 has started again since it came"));
  }

  @Test
  void noNodeStaysWithALongWindowForAQuestionThatItMissed() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.join("n7", "r1");
    assertThat(shifter(racks).keepHints()).containsExactly("n7");
    racks.atServe.put("n6", () -> racks.deafFor.put("n4", Integer.MAX_VALUE));
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("node n4")
        .hasMessageContaining("--resume");
    racks.deafFor.clear();
    shifter(racks).resume();
    assertThat(racks.nodes.values()).allMatch(node -> node.window == 10_800_000);
  }

  @Test
  void nodesThatStartAgainInARepairAreHeldAndNotProved() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.wasOffFor(90_000);
    racks.atRepair.put(
        "n3",
        () -> {
          racks.restart("n6");
          awaitHeld(racks, "n6");
        });
    assertThatThrownBy(() -> shifter(racks).shift(Set.of()))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("has restarted meanwhile")
        .hasMessageContaining("--resume");
    assertThat(racks.node("n6").serves).isFalse();
    racks.atRepair.clear();
    shifter(racks).resume();
    assertThat(racks.node("n6").serves).isTrue();
  }

  @Test
  void nodesThatNeverWentAreNotHeldWhereTheirShiftIsTakenBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.atDrain.put("n3", () -> racks.node("n1").on = false);
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.node("n1").on = true;
    racks.events.clear();
    shifter(racks).undo();
    assertThat(racks.events).contains("hold n3", "serve n3").doesNotContain("hold n6");
  }

  /** Each drain may take minutes, and a rack has many nodes. */
  @Test
  void noFurtherNodeGoesWhereOneThatStaysHasDied() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.atDrain.put("n3", () -> racks.node("n1").on = false);
    assertThatThrownBy(() -> shifter(racks).shift(RACK))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not answer over JMX");
    assertThat(racks.events).contains("drain n3").doesNotContain("drain n6");
    assertThat(racks.node("n6").serves).isTrue();
    racks.node("n1").on = true;
    shifter(racks).undo();
    assertThat(racks.node("n3").serves).isTrue();
  }

  @Test
  void aRackDoesNotGoOffWithWhatWasMadeOrBegunWhileItDrains() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.atDrain.put("n6", () -> racks.keyspaces.put("later", Set.of(Set.of("n3"))));
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).hasMessageContaining("keyspace later");
    assertThat(racks.node("n3").on).isTrue();
    racks.keyspaces.remove("later");
    racks.node("n5").busy.add("a repair");
    assertThatThrownBy(() -> shifter(racks).resume()).hasMessageContaining("it is at a repair");
    assertThat(racks.node("n3").on).isTrue();
    racks.node("n5").busy.clear();
    shifter(racks).resume();
    assertThat(racks.node("n3").on).isFalse();
  }

  /** A proof is of the processes that were proved, and of the hints that there were. */
  @Test
  void aNodeThatGoesOnceItIsProvedIsProvedAgain() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.shut.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not open");
    racks.shut.clear();
    racks.node("n3").on = false;
    racks.node("n1").notKept = 7;
    racks.events.clear();
    shifter(racks).resume();
    assertThat(racks.events)
        .containsSubsequence("on n3", "hold n3", "repair n3 [shop]", "serve n3");
    assertThat(racks.news).anyMatch(line -> line.contains("n1 kept no hints for 7 writes"));
  }

  /** A node that stays misses a question once the others are proved and serve. */
  private void failInTheUndoOfTheWindow(PaperRacks racks) {
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.stuckAtOff.clear();
    racks.atServe.put("n6", () -> racks.deafFor.put("n4", Integer.MAX_VALUE));
    assertThatThrownBy(() -> shifter(racks).undo()).hasMessageContaining("does not answer");
    assertThat(racks.node("n6").serves).isTrue();
    racks.atServe.clear();
    racks.deafFor.clear();
  }

  @Test
  void nodesThatAnUndoHasProvedServeOn() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    failInTheUndoOfTheWindow(racks);
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n3").serves).isTrue();
    racks.restart("n6");
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n6").serves).isTrue();
    shifter(racks).undo();
    assertThat(racks.node("n3").serves).isTrue();
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  @Test
  void nodesThatAnUndoHasProvedAreNotOffOnceItsPlanIsGivenUp() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    failInTheUndoOfTheWindow(racks);
    shifter(racks).abandon();
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
  }

  /** It is silent and held down for a moment, and runs on: its hints are on its disk. */
  @Test
  void aNodeThatWasNotAskedForItsHintsIsDoubted() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    List<String> coming = List.of("n3", "n6");
    coming.forEach(name -> racks.node(name).on = true);
    racks.node("n1").on = false;
    RackMeans means = racks.means();
    assertThat(RackReturn.deliver(means, means.state(), racks.names(), coming))
        .containsExactly("n1");
  }

  private PaperRacks oneLeavesWhileItsRackGoes() throws IOException {
    PaperRacks racks = new PaperRacks(Files.createTempDirectory(folder, "left"));
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.leave("n6");
    racks.node("n3").on = true;
    racks.restart("n3");
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n3").serves).isFalse();
    return racks;
  }

  @Test
  void aPlanDownIsEndedWithoutANodeThatHasLeft() throws InterruptedException, IOException {
    PaperRacks back = oneLeavesWhileItsRackGoes();
    shifter(back).undo();
    assertThat(back.node("n3").serves).isTrue();
    assertThat(shifter(back).current()).isEqualTo(OffSetting.ALL_ON);
    PaperRacks off = oneLeavesWhileItsRackGoes();
    shifter(off).resume();
    assertThat(off.node("n3").on).isFalse();
    PaperRacks given = oneLeavesWhileItsRackGoes();
    shifter(given).abandon();
    assertThat(shifter(given).current().off()).isEqualTo(RACK);
  }

  @Test
  void aPlanDownIsNotTakenBackWithoutANodeThatIsNotListed() {
    PaperRacks racks = new PaperRacks(folder);
    racks.stuckAtOff.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(RACK)).isInstanceOf(FailedWorkException.class);
    racks.unlisted.add("n6");
    assertThatThrownBy(() -> shifter(racks).undo()).hasMessageContaining("are not listed");
  }

  /** What was given to it is gone, however its first shift up has ended. */
  @Test
  void thatANodeHasStartedAgainIsKnownAfterItsShiftWasTakenBack() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atOn.put(
        "n6",
        () -> {
          throw new FailedWorkException("does not start", "node n6", "see to it");
        });
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not start");
    racks.restart("n3");
    shifter(racks).undo();
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not start");
    shifter(racks).abandon();
    racks.atOn.clear();
    shifter(racks).shift(Set.of());
    assertThat(racks.events).contains("repair n3 [shop]");
    assertThat(racks.news).anyMatch(line -> line.contains("n3 has started again since it came"));
  }

  @Test
  void aRackThatWasDrainedAsItsShiftUpWasTakenBackIsNotRepaired() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.shut.add("n6");
    assertThatThrownBy(() -> shifter(racks).shift(Set.of())).hasMessageContaining("does not open");
    shifter(racks).undo();
    racks.shut.clear();
    shifter(racks).shift(Set.of());
    assertThat(racks.events).doesNotContain("repair n3 [shop]");
  }

  @Test
  void aNodeThatIsLostIsNotAskedForItsWindow() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    racks.atServe.put(
        "n3",
        () -> {
          racks.node("n6").on = true;
          racks.deafFor.put("n6", Integer.MAX_VALUE);
        });
    shifter(racks).shift(Set.of(), Set.of("n6"));
    assertThat(shifter(racks).current()).isEqualTo(OffSetting.ALL_ON);
    assertThat(racks.node("n1").window).isEqualTo(10_800_000);
  }

  @Test
  void aNodeThatDoesNotCloseKeepsNoOtherOpen() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    shifter(racks).shift(RACK);
    failInTheRepair(racks);
    racks.stuckOpen.add("n3");
    List<String> coming = List.of("n3", "n6");
    coming.forEach(racks::restart);
    shifter(racks).keepClientsOff();
    assertThat(racks.node("n6").serves).isFalse();
    coming.forEach(racks::restart);
    RackReturn.holding(racks.means(), coming, () -> {});
    assertThat(racks.node("n6").serves).isFalse();
  }

  @Test
  void nodesBeginRepairsAgainWhateverTheirWindowWasSetTo() throws InterruptedException {
    PaperRacks racks = new PaperRacks(folder);
    racks.nodes.values().forEach(node -> node.repairs = Set.of("full"));
    shifter(racks).shift(RACK);
    racks.node("n1").window = 7_200_000;
    shifter(racks).shift(Set.of());
    assertThat(racks.node("n1").repairs).containsExactly("full");
    assertThat(racks.node("n1").window).isEqualTo(7_200_000);
  }

  @Test
  void aPlanIsResumedOrTakenBackWhereverItWasCutOff() throws Exception {
    kit(Set.of(), RACK);
    kit(RACK, Set.of());
  }

  private void kit(Set<String> before, Set<String> after) throws Exception {
    KnobKit<OffSetting> kit =
        new KnobKit<>(
            Files.createTempDirectory(folder, "journals"),
            () -> world(before, after),
            knob -> OffSetting.of(after));
    assertThat(kit.check()).isGreaterThan(5);
  }

  private KnobKit.World<OffSetting> world(Set<String> before, Set<String> after) {
    try {
      PaperRacks racks = new PaperRacks(Files.createTempDirectory(folder, "world"));
      if (!before.isEmpty()) {
        shifter(racks).shift(before);
      }
      RackMeans means = racks.means();
      means.write(RackStart.begun(means, new Shift(OffSetting.of(before), OffSetting.of(after))));
      return new KnobKit.World<>() {
        @Override
        public Knob<OffSetting> knob() {
          return RackShifter.knob(racks.means());
        }

        @Override
        public Object state() {
          return racks.state();
        }
      };
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
