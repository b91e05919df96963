package org.calando.gears;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.core.layout.gear.PlacedBlock;

/*
 * Of a block's replicas only those on nodes that are on are seen. So in a low gear a record whose homes are off is taken to
 * stand, unless the block's replicas in their place have gone, which only a catch-up has them do.
 */
/**
 * The off-load log beside the layout's plan and where blocks are. Immutable.
 *
 * @param log as it was read
 * @param verdicts on its records that are whole, in their order
 * @param missing blocks that are off home, and of which no record tells
 * @param blocks looked at
 */
public record OffloadAudit(
    OffloadRecord.Log log, List<Verdict> verdicts, List<StoredBlock> missing, long blocks) {
  /** Copies the lists. */
  public OffloadAudit {
    verdicts = List.copyOf(verdicts);
    missing = List.copyOf(missing);
  }

  /**
   * What is compared.
   *
   * @param hints by the log
   * @param blocks of the folder, but for those that are being written
   * @param open files that have a block that is being written
   */
  record Look(OffloadHints hints, List<StoredBlock> blocks, Set<String> open) {
    static Look of(GearMeans means) {
      List<StoredBlock> blocks = new ArrayList<>();
      Set<String> open = new HashSet<>();
      // The log first: of a block that is written meanwhile no record is missed for nothing.
      OffloadHints hints = OffloadHints.of(means.file());
      means
          .cluster()
          .survey(
              block -> {
                if (block.ours() && !block.open()) {
                  blocks.add(block);
                } else if (block.ours()) {
                  open.add(block.path());
                }
              });
      return new Look(hints, blocks, open);
    }

    OffloadAudit audit(GearMeans means, int gear) {
      return OffloadAudit.of(means.file().layout(), gear, hints.log(), blocks, open);
    }
  }

  /**
   * Looks through the log, and at all blocks of the folder. Changes nothing.
   *
   * @throws org.calando.core.BadRequestException if the gear file names no log
   * @throws org.calando.core.FailedWorkException if the log cannot be read, or a node that is to be
   *     on does not serve, so that the NameNode does not tell all places
   */
  public static OffloadAudit of(GearMeans means) {
    Path unused = OffloadRebuild.log(means);
    int gear = means.file().gear();
    Services.requireServing(means, gear);
    return Look.of(means).audit(means, gear);
  }

  /** What a record is worth. */
  public enum Verdict {
    /** The block is where it was put instead of its homes: the record is needed. */
    AGREES,
    /** The block is at home, or deleted, or a newer record tells of it: not needed any more. */
    SETTLED,
    /** The block is where neither its homes nor the nodes chosen are. */
    ELSEWHERE,
    /** Its homes are none by the layout's rule, as after a change of the layout. */
    NO_HOMES
  }

  /** A block by its file and its place there. */
  private record Place(String path, int index) {}

  /**
   * Compares.
   *
   * @param layout the plan
   * @param gear in which nodes are on
   * @param log as it was read
   * @param blocks all that the layout is for, but for those that are being written
   * @param open files that have a block that is being written: what is told of blocks of theirs
   *     that are not there yet is needed when they are
   */
  static OffloadAudit of(
      GearLayout layout,
      int gear,
      OffloadRecord.Log log,
      Collection<StoredBlock> blocks,
      Set<String> open) {
    Map<Place, StoredBlock> byPlace = new HashMap<>();
    blocks.forEach(block -> byPlace.put(new Place(block.path(), block.index()), block));
    List<OffloadRecord> records = log.records();
    Verdict[] verdicts = new Verdict[records.size()];
    Set<Place> told = new HashSet<>();
    // The newest first: a file may have been written anew.
    for (int i = records.size() - 1; i >= 0; i--) {
      OffloadRecord record = records.get(i);
      Place place = new Place(record.path(), record.index());
      StoredBlock block = byPlace.get(place);
      if (told.contains(place)) {
        verdicts[i] = Verdict.SETTLED;
      } else if (block == null) {
        verdicts[i] = open.contains(record.path()) ? Verdict.AGREES : Verdict.SETTLED;
      } else {
        verdicts[i] = verdict(layout, gear, record, block);
      }
      if (verdicts[i] == Verdict.AGREES || verdicts[i] == Verdict.SETTLED) {
        told.add(place);
      }
    }
    List<StoredBlock> missing =
        blocks.stream()
            .filter(block -> !told.contains(new Place(block.path(), block.index())))
            .filter(block -> !block.nodes().isEmpty())
            .filter(block -> layout.lacksHome(known(block), gear, block.copies()))
            .toList();
    return new OffloadAudit(log, List.of(verdicts), missing, blocks.size());
  }

  private static Verdict verdict(
      GearLayout layout, int gear, OffloadRecord record, StoredBlock block) {
    if (!layout.isPlaced(record.homes())) {
      return Verdict.NO_HOMES;
    }
    Set<Integer> seen = known(block);
    if (seen.containsAll(record.homes())) {
      return Verdict.SETTLED;
    }
    if (!OffloadHints.fits(record, block, layout)) {
      return Verdict.ELSEWHERE;
    }
    boolean allThatAreOn =
        record.homes().stream()
            .filter(home -> layout.groups().isOn(home, gear))
            .allMatch(seen::contains);
    Set<Integer> standIns = new TreeSet<>(record.chosen());
    standIns.removeAll(record.homes());
    boolean wereThere = !standIns.isEmpty() && standIns.stream().noneMatch(seen::contains);
    return allThatAreOn && wereThere && areOn(layout, gear, standIns)
        ? Verdict.SETTLED
        : Verdict.AGREES;
  }

  private static boolean areOn(GearLayout layout, int gear, Set<Integer> nodes) {
    return nodes.stream().allMatch(node -> layout.groups().isOn(node, gear));
  }

  private static Set<Integer> known(StoredBlock block) {
    return block.nodes().tailSet(1, true);
  }

  /** How many records there are of each verdict. */
  public Map<Verdict, Integer> counts() {
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    for (Verdict each : Verdict.values()) {
      counts.put(each, 0);
    }
    verdicts.forEach(each -> counts.merge(each, 1, Integer::sum));
    return counts;
  }

  /** Whether every line is whole and right or settled, and no record is missing. */
  public boolean isRight() {
    Map<Verdict, Integer> counts = counts();
    return log.damaged() == 0
        && !log.isTorn()
        && counts.getOrDefault(Verdict.ELSEWHERE, 0) == 0
        && counts.getOrDefault(Verdict.NO_HOMES, 0) == 0
        && missing.isEmpty();
  }

  /**
   * The records that are needed: those that agree, as they are, and one of each block of which one
   * is missing, with homes by the layout.
   *
   * @param nowMillis wall clock, for new records
   */
  List<OffloadRecord> needed(
      GearLayout layout, Collection<StoredBlock> blocks, OffloadHints hints, long nowMillis) {
    List<OffloadRecord> needed = new ArrayList<>();
    long next = 0;
    for (int i = 0; i < verdicts.size(); i++) {
      OffloadRecord record = log.records().get(i);
      next = Math.max(next, record.seq() + 1);
      if (verdicts.get(i) == Verdict.AGREES) {
        needed.add(record);
      }
    }
    if (missing.isEmpty()) {
      return needed;
    }
    Set<Long> wanted = new HashSet<>();
    missing.forEach(block -> wanted.add(block.id()));
    List<StoredBlock> all = List.copyOf(blocks);
    List<PlacedBlock> placed =
        all.stream()
            .map(
                block ->
                    new PlacedBlock(block.id(), block.bytes(), known(block), hints.homes(block)))
            .toList();
    List<Set<Integer>> homes = layout.homeFinder().homes(placed);
    for (int i = 0; i < all.size(); i++) {
      StoredBlock block = all.get(i);
      if (wanted.contains(block.id())) {
        needed.add(
            new OffloadRecord(
                next++,
                nowMillis,
                block.path(),
                block.index(),
                List.copyOf(homes.get(i)),
                List.copyOf(known(block))));
      }
    }
    return needed;
  }
}
