package org.calando.gears;

import java.util.function.Function;
import org.calando.gears.Member.Service;

/*
 * A shift that fails, the status and the doctor tell of the same failures. What to do about one stands here once, so that
 * they cannot contradict each other. How to go on after it depends on whether a plan is open, which the executor of plans
 * knows: only remedies that --resume alone would not follow name an option.
 */
/** What an operator is told to do, one remedy a failure. Stateless. */
public final class Remedies {
  /** A server that is to serve, and does not. */
  public static final String SERVER = "start it; if it runs, its log says why it does not serve";

  /** How a process is ended that hangs: it takes no other signal. */
  static final String KILL = "kill -9 PID on a local cluster";

  /** Blocks of which HDFS makes the copy that lacks. */
  public static final String COPIES =
      "wait until each block has a copy on a node that stays (hdfs fsck / -blocks -locations);"
          + " files that ask for one copy get another by hdfs dfs -setrep 2 PATH";

  /** Blocks that were written while nodes were on that go back off. */
  public static final String BACK =
      "continue with --resume: what was written since the nodes came is on them only";

  /** Blocks that cannot be read while something else is wrong. */
  public static final String FIRST =
      "fix the problems above first; these blocks become readable with them";

  /** Blocks that are read from no node now, and nothing else is wrong. */
  static final String LOST =
      "have all nodes on (./calando gear up); what cannot be read then is lost, and hdfs fsck /"
          + " -list-corruptfileblocks names its files";

  private Remedies() {}

  /**
   * What to do about what a look at members and blocks finds.
   *
   * @param stays when the members that do not rest are on, for messages: "it is to stay on ..."
   * @param member about one that is to serve, and does not
   * @param block about one that is on none of them
   */
  public record Look(
      String stays, Function<Member, String> member, Function<StoredBlock, String> block) {}

  /** About a plan that was begun and not ended; the alternatives are in docs/gears.md. */
  public static String plan(GearMeans means) {
    return means.up("--resume");
  }

  /** About a node that is to rest, and is not in maintenance. */
  static String copied(GearMeans means, int gear) {
    return means.up("--to " + gear) + ", at once: the NameNode copies its blocks";
  }

  /** About a member that is to serve in a gear. */
  static String member(GearMeans means, Member member, int gear) {
    if (member.service() == Service.IN_MAINTENANCE) {
      return means.up("--to " + gear) + " brings it in";
    }
    boolean open = GearShifter.unfinished(means.path()).isPresent();
    String up = means.up(open ? "--resume" : "--to " + gear);
    return switch (means.nodes().power(member.name())) {
      case OFF -> up + " switches it on";
      // A process that hangs runs by its switch, which leaves it alone then.
      case ON -> "if it hangs end its process (" + KILL + "), then " + up + "; else start it";
      default -> SERVER;
    };
  }

  /** Before a shift down is begun. */
  static Look before(GearMeans means, int to, int now) {
    return new Look(
        "in gear " + to, member -> member(means, member, now), block -> home(means, block, now));
  }

  /** In a shift down. */
  static Look within(GearMeans means, int from, int to) {
    return new Look(
        "in gear " + to,
        member -> member(means, member, from),
        block -> "--undo, then " + home(means, block, from) + ", then shift down again");
  }

  /** In a shift up that is taken back. */
  static Look back(GearMeans means, int gear) {
    return new Look("in gear " + gear, member -> member(means, member, gear), block -> BACK);
  }

  /** About a block that is on nodes only that are to go off. */
  private static String home(GearMeans means, StoredBlock block, int gear) {
    if (block.copies() == 0) {
      return "copy erasure-coded files to a folder that is not: no node has a whole block of them";
    }
    return block.ours()
        ? means.up("--to " + gear) + " brings blocks home"
        : "give files outside the gears' folder another copy: hdfs dfs -setrep 3 PATH";
  }
}
