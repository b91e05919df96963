package org.calando.gears;

import java.util.Set;
import java.util.TreeSet;
import org.calando.core.FailedWorkException;

/*
 * It looks at the whole store, not only at the folder that is placed by gears: a node that is switched off takes
 * replicas of everybody's files along. What the name server tells of a block are replicas on nodes that are not in
 * maintenance; that a node is heard of is asked apart, as a dead one is told of for minutes.
 */
/** Whether every block can be read from the nodes that stay on. */
final class Readability {
  private static final int EXAMPLES = 3;
  private static final int MOST_TRIES = 6;
  private static final long AGAIN_MILLIS = 500;

  /** What to do about blocks of a cluster with gears. */
  private static final String BY_GEARS =
      "take an unfinished plan back by --undo; bring blocks home by ./calando gear up --to the"
          + " gear it is in; files of other folders need a replica more (hdfs dfs -setrep)";

  private final NodeMeans means;
  private final String stays;
  private final String remedy;
  private final Set<Integer> staying = new TreeSet<>();
  private final Set<String> examples = new TreeSet<>();
  private long blocks;
  private long unreadable;

  private Readability(NodeMeans means, String stays, String remedy) {
    this.means = means;
    this.stays = stays;
    this.remedy = remedy;
  }

  /** As {@link #require(GearMeans, Set, int)}, with all nodes of the gear. */
  static long require(GearMeans means, int gear) throws InterruptedException {
    return require(means, means.offIn(gear), gear);
  }

  /**
   * Looks through the store.
   *
   * @param off nodes that do not stay on
   * @param gear that the others are
   * @return blocks looked at
   * @throws FailedWorkException if a node that stays does not serve, or a block is on none of them
   */
  static long require(GearMeans means, Set<String> off, int gear) throws InterruptedException {
    return require(means.nodes(), off, "in gear " + gear, BY_GEARS);
  }

  /** As {@link NodeMeans#requireReadable}. */
  static long require(NodeMeans means, Set<String> off, String stays, String remedy)
      throws InterruptedException {
    Readability look = new Readability(means, stays, remedy);
    look.requireNodes(off);
    look.survey();
    return look.blocks;
  }

  private void requireNodes(Set<String> off) {
    for (Member member : means.cluster().members()) {
      if (off.contains(member.name())) {
        continue;
      }
      if (!member.serves()) {
        throw notServing(member, ", and does not serve: " + state(member));
      }
      if (!means.cluster().answers(member)) {
        throw notServing(member, ", and does not answer");
      }
      staying.add(member.number());
    }
  }

  private FailedWorkException notServing(Member member, String why) {
    return new FailedWorkException(
        "it is to stay on " + stays + why,
        "node " + member.name(),
        "mend it, or replace it, before others are switched off");
  }

  static String state(Member member) {
    return (member.live() ? "" : "not heard of, ")
        + member.service().name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
  }

  /** Again where the NameNode counts more blocks than were found: files were moved meanwhile. */
  private void survey() throws InterruptedException {
    for (int tries = 1; ; tries++) {
      long counted = means.cluster().blocks();
      look();
      if (blocks >= counted) {
        return;
      }
      if (tries == MOST_TRIES) {
        throw new FailedWorkException(
            "the NameNode counts "
                + counted
                + " blocks, and only "
                + blocks
                + " are in files that it lists",
            stays,
            "blocks that only a snapshot holds cannot be looked at: delete snapshots, or leave"
                + " nodes on");
      }
      Thread.sleep(AGAIN_MILLIS);
    }
  }

  private void look() {
    blocks = 0;
    unreadable = 0;
    examples.clear();
    means
        .cluster()
        .survey(
            block -> {
              blocks++;
              if (block.nodes().stream().noneMatch(staying::contains)) {
                unreadable++;
                if (examples.size() < EXAMPLES) {
                  examples.add(block.path());
                }
              }
            });
    if (unreadable > 0) {
      throw new FailedWorkException(
          unreadable
              + " of "
              + blocks
              + " blocks are on no node that stays on, among them of "
              + String.join(", ", examples),
          stays,
          remedy);
    }
  }
}
