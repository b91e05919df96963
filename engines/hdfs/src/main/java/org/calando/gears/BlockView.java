package org.calando.gears;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.calando.gears.GearDoctor.Finding;
import org.jspecify.annotations.Nullable;

/** Counts blocks that are on none of some members. Not thread safe. */
public final class BlockView {
  private static final int EXAMPLES = 3;

  private final Set<Integer> members;
  private final Set<String> examples = new TreeSet<>();
  private long blocks;
  private long missing;
  private @Nullable StoredBlock first;

  /** Of members by number; 0 stands for those that have none. */
  BlockView(Set<Integer> members) {
    this.members = members;
  }

  /** Of all members that answer now, and nodes that are not among them. */
  public static BlockView ofAnswering(GearCluster cluster) {
    Set<Integer> members = new HashSet<>(Set.of(0));
    for (Member member : cluster.members()) {
      if (member.live() && cluster.answers(member)) {
        members.add(member.number());
      }
    }
    return new BlockView(members);
  }

  /** Looks at a block. */
  public void add(StoredBlock block) {
    blocks++;
    if (block.nodes().stream().noneMatch(members::contains)) {
      missing++;
      first = first == null ? block : first;
      if (examples.size() < EXAMPLES) {
        examples.add(block.path());
      }
    }
  }

  /** Those that were looked at. */
  public long blocks() {
    return blocks;
  }

  /** Those that are on none of the members. */
  public long unreadable() {
    return missing;
  }

  /** The first of those, if there is one. */
  Optional<StoredBlock> first() {
    return Optional.ofNullable(first);
  }

  /** For messages: {@code 3 of 9 blocks}. */
  String missing() {
    return missing + " of " + blocks + " blocks";
  }

  /** For messages: {@code among them of /a, /b}. */
  String examples() {
    return "among them of " + String.join(", ", examples);
  }

  /** That blocks cannot be read, if there are such. */
  public Optional<Finding> finding(String remedy) {
    return missing == 0
        ? Optional.empty()
        : Optional.of(
            new Finding("blocks", false, missing() + " cannot be read, " + examples(), remedy));
  }
}
