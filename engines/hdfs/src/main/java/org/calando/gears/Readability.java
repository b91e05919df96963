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
  private static final int MOST_TRIES = 6;
  private static final long AGAIN_MILLIS = 500;

  private final NodeMeans means;
  private final Remedies.Look look;
  private final Set<Integer> staying = new TreeSet<>();

  private Readability(NodeMeans means, Remedies.Look look) {
    this.means = means;
    this.look = look;
  }

  /** As {@link NodeMeans#requireReadable}. */
  static long require(NodeMeans means, Set<String> off, Remedies.Look look)
      throws InterruptedException {
    Readability of = new Readability(means, look);
    of.requireNodes(off);
    return of.survey();
  }

  private void requireNodes(Set<String> off) {
    for (Member member : means.cluster().members()) {
      if (off.contains(member.name())) {
        continue;
      }
      if (!member.serves()) {
        throw notServing(member, ", and does not serve: " + member.state());
      }
      if (!means.cluster().answers(member)) {
        throw notServing(member, ", and does not answer");
      }
      staying.add(member.number());
    }
  }

  private FailedWorkException notServing(Member member, String why) {
    return new FailedWorkException(
        "it should stay on " + look.stays() + why,
        "node " + member.name(),
        look.member().apply(member));
  }

  /** Again where the NameNode counts more blocks than were found: files were moved meanwhile. */
  private long survey() throws InterruptedException {
    for (int tries = 1; ; tries++) {
      long counted = means.cluster().blocks();
      long found = look();
      if (found >= counted) {
        return found;
      }
      if (tries == MOST_TRIES) {
        throw new FailedWorkException(
            "the NameNode counts "
                + counted
                + " blocks, and only "
                + found
                + " are in files that it lists",
            look.stays(),
            "delete snapshots: blocks that only they hold cannot be looked at");
      }
      Thread.sleep(AGAIN_MILLIS);
    }
  }

  private long look() {
    BlockView blocks = new BlockView(staying);
    means.cluster().survey(blocks::add);
    blocks
        .first()
        .ifPresent(
            first -> {
              throw new FailedWorkException(
                  blocks.missing() + " are on no node that stays on, " + blocks.examples(),
                  look.stays(),
                  look.block().apply(first));
            });
    return blocks.blocks();
  }
}
