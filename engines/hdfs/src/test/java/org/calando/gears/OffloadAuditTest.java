package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.Placer;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.core.layout.gear.TargetChooser;
import org.calando.gears.OffloadAudit.Verdict;
import org.junit.jupiter.api.Test;

class OffloadAuditTest {
  private static final GearGroups GROUPS = new GearGroups(List.of(3, 5, 7));
  private static final GearLayout RABBIT = RabbitLayout.of(GROUPS, 3, 2);
  private static final GearLayout PARAID = ParaidLayout.of(GROUPS, ParaidLayout.Order.EVEN);

  private static final long SEED = Long.getLong("calando.seed", 20110725L);

  private final List<StoredBlock> blocks = new ArrayList<>();
  private final List<OffloadRecord> records = new ArrayList<>();
  private final Set<String> open = new TreeSet<>();

  @Test
  void recordsOfBlocksThatAreOffHomeAgreeAndOthersAreSettled() {
    block("/away", 1, 2);
    record("/away", List.of(1, 6), List.of(1, 2));
    block("/home", 1, 6);
    record("/home", List.of(1, 6), List.of(1, 2));
    record("/deleted", List.of(1, 6), List.of(1, 2));
    block("/again", 2, 3);
    record("/again", List.of(1, 6), List.of(1, 2));
    record("/again", List.of(2, 5), List.of(2, 3));
    OffloadAudit audit = audit(RABBIT, 3);
    assertThat(audit.verdicts())
        .containsExactly(
            Verdict.AGREES, Verdict.SETTLED, Verdict.SETTLED, Verdict.SETTLED, Verdict.AGREES);
    assertThat(audit.counts()).containsEntry(Verdict.AGREES, 2);
    assertThat(audit.isRight()).isTrue();
    assertThat(needed(RABBIT, audit)).containsExactly(records.get(0), records.get(4));
  }

  @Test
  void recordsOfFilesThatAreBeingWrittenAreNeeded() {
    record("/open", List.of(1, 6), List.of(1, 2));
    assertThat(audit(RABBIT, 3).verdicts()).containsExactly(Verdict.SETTLED);
    open.add("/open");
    OffloadAudit audit = audit(RABBIT, 3);
    assertThat(audit.verdicts()).containsExactly(Verdict.AGREES);
    assertThat(needed(RABBIT, audit)).containsExactly(records.get(0));
  }

  @Test
  void inALowGearHomesThatAreOffAreWaitedFor() {
    block("/away", 1, 2);
    record("/away", List.of(1, 6), List.of(1, 2));
    // The stand-in has gone, which only happens when the block was brought home.
    block("/moved", 1);
    record("/moved", List.of(1, 6), List.of(1, 2));
    block("/placed", 1);
    OffloadAudit audit = audit(RABBIT, 1);
    assertThat(audit.verdicts()).containsExactly(Verdict.AGREES, Verdict.SETTLED);
    assertThat(audit.missing()).isEmpty();
    block("/paraid", 1);
    record("/paraid", List.of(1, 5), List.of(1));
    assertThat(audit(PARAID, 1).verdicts().get(2)).isEqualTo(Verdict.AGREES);
  }

  @Test
  void whatTheLogGetsWrongIsTold() {
    block("/elsewhere", 2, 3);
    record("/elsewhere", List.of(1, 6), List.of(1, 2));
    block("/no-homes", 1, 2);
    record("/no-homes", List.of(6, 7), List.of(1, 2));
    OffloadAudit audit = audit(RABBIT, 3);
    assertThat(audit.verdicts()).containsExactly(Verdict.ELSEWHERE, Verdict.NO_HOMES);
    assertThat(audit.missing()).extracting(StoredBlock::path).contains("/elsewhere", "/no-homes");
    assertThat(audit.isRight()).isFalse();
  }

  @Test
  void blocksOffHomeWithoutARecordGetOneByThePlan() {
    block("/told", 1, 2);
    record("/told", List.of(1, 4), List.of(1, 2));
    block("/lost", 2, 3);
    block("/placed", 3, 7);
    OffloadAudit audit = audit(RABBIT, 3);
    assertThat(audit.missing()).extracting(StoredBlock::path).containsExactly("/lost");
    assertThat(audit.isRight()).isFalse();
    List<OffloadRecord> needed = needed(RABBIT, audit);
    assertThat(needed).hasSize(2);
    OffloadRecord made = needed.get(1);
    assertThat(made.path()).isEqualTo("/lost");
    assertThat(made.chosen()).containsExactly(2, 3);
    assertThat(RABBIT.isPlaced(made.homes())).isTrue();
    assertThat(made.homes()).containsAnyOf(2, 3);
    assertThat(made.seq()).isEqualTo(1);
    records.add(made);
    assertThat(audit(RABBIT, 3).isRight()).isTrue();
  }

  @Test
  void damageIsToldOf() {
    block("/away", 1, 2);
    String line = new OffloadRecord(7, 0, "/away", 0, List.of(1, 6), List.of(1, 2)).line();
    OffloadAudit torn =
        OffloadAudit.of(
            RABBIT, 3, OffloadRecord.read(line + "\n" + line.substring(0, 9)), blocks, Set.of());
    assertThat(torn.verdicts()).containsExactly(Verdict.AGREES);
    assertThat(torn.log().damaged()).isEqualTo(1);
    assertThat(torn.log().isTorn()).isTrue();
    assertThat(torn.isRight()).isFalse();
    assertThat(torn.counts().values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(1);
    assertThat(Map.copyOf(torn.counts())).containsEntry(Verdict.ELSEWHERE, 0);
  }

  private OffloadAudit audit(GearLayout layout, int gear) {
    return OffloadAudit.of(layout, gear, new OffloadRecord.Log(records, 0, false), blocks, open);
  }

  private List<OffloadRecord> needed(GearLayout layout, OffloadAudit audit) {
    return audit.needed(layout, blocks, new OffloadHints(layout, audit.log(), 0), 0);
  }

  @Test
  void ofFilesWithMoreReplicasThanTheLayoutsTheOthersMayBeAnywhere() {
    // Written in the highest gear to 1, 2 and 6, which is off.
    block(3, "/home", 1, 2);
    // Given another copy after it was off-loaded.
    block(3, "/more", 1, 2, 3);
    record("/more", List.of(1, 6), List.of(1, 2));
    OffloadAudit audit = audit(RABBIT, 1);
    assertThat(audit.verdicts()).containsExactly(Verdict.AGREES);
    assertThat(audit.missing()).isEmpty();
    assertThat(needed(RABBIT, audit)).containsExactly(records.get(0));
    block(3, "/lost", 1, 2, 3);
    block(3, "/elsewhere", 2, 3);
    record("/elsewhere", List.of(1, 6), List.of(1, 4));
    audit = audit(RABBIT, 1);
    assertThat(audit.verdicts()).containsExactly(Verdict.AGREES, Verdict.ELSEWHERE);
    assertThat(audit.missing()).extracting(StoredBlock::path).containsExactly("/lost");
  }

  @Test
  void whateverThePolicyPlacesIsRightInEveryGear() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 2000; i++) {
      GearLayout layout = random.nextBoolean() ? RABBIT : PARAID;
      TargetChooser chooser = new TargetChooser(layout, GearFile.Offload.RANDOM, random.nextLong());
      int copies = layout.replicas() + random.nextInt(4);
      int written = 1 + random.nextInt(GROUPS.gears());
      IntPredicate isOn = node -> GROUPS.isOn(node, written);
      List<Integer> homes = homes(layout, random.nextInt(20));
      List<Integer> chosen = chooser.forNew(homes, copies, isOn, 1);
      blocks.clear();
      records.clear();
      if (!chosen.containsAll(homes)) {
        record("/file", homes, chosen);
      }
      Set<Integer> held = new TreeSet<>(chosen);
      held.addAll(chooser.forLacking(chosen, copies - chosen.size(), isOn, 1));
      for (int gear = 1; gear <= GROUPS.gears(); gear++) {
        int now = gear;
        blocks.clear();
        block(
            copies,
            "/file",
            held.stream().filter(node -> GROUPS.isOn(node, now)).toArray(Integer[]::new));
        OffloadAudit audit = audit(layout, gear);
        assertThat(audit.isRight())
            .as(
                "%s: %d copies, homes %s, on %s, looked at in gear %d: %s, missing %s; seed %d",
                layout.name(), copies, homes, held, gear, audit.counts(), audit.missing(), SEED)
            .isTrue();
      }
    }
  }

  private static List<Integer> homes(GearLayout layout, int turns) {
    Placer placer = layout.placer();
    List<Integer> homes = placer.next("/file");
    for (int i = 0; i < turns; i++) {
      homes = placer.next("/file");
    }
    return homes;
  }

  private void block(String path, Integer... nodes) {
    block(nodes.length, path, nodes);
  }

  private void block(int copies, String path, Integer... nodes) {
    TreeSet<Integer> held = new TreeSet<>(List.of(nodes));
    blocks.add(new StoredBlock(path, 0, blocks.size(), 1, held, true, false, copies));
  }

  private void record(String path, List<Integer> homes, List<Integer> chosen) {
    // Numbers begin at 0 for what the test has of records.
    records.add(new OffloadRecord(records.size(), 0, path, 0, homes, chosen));
  }
}
