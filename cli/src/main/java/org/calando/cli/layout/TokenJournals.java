package org.calando.cli.layout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.calando.control.JournalEntry;
import org.calando.control.Lease;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.RingTokens;
import org.calando.store.cassandra.RingNode;
import org.calando.store.cassandra.RingState;

/*
 * A journal is named by the nodes that its cluster had. A node that is replaced, added or removed makes another cluster
 * of it, and must not hide a plan that was begun before: so all journals are looked through for nodes that are there.
 */
/** The journals of token moves in a folder. Immutable. */
final class TokenJournals {
  private static final String NAMES = "tokens-*.journal";

  private final Path folder;

  TokenJournals(Path folder) {
    this.folder = folder;
  }

  /**
   * A plan that is neither done nor taken back nor given up.
   *
   * @param file the journal
   * @param last its last entry
   */
  record Unfinished(Path file, JournalEntry last) {
    RingTokens before() {
      return RingTokens.parse(last.before());
    }

    RingTokens to() {
      return RingTokens.parse(last.value());
    }

    /** Whether it is known that somebody began to take it back. */
    boolean isGoingBack() {
      return last.event() == JournalEntry.Event.UNDONE;
    }

    /** Where it leads, and of when it is. */
    String label() {
      RingTokens to = to();
      return to.label() + (to.cleanup() ? " with cleanup" : "") + " of " + last.at();
    }

    /** Whether it is for these nodes, all of them and no others. */
    boolean isFor(RingState ring) {
      return to().tokens().keySet().equals(ring.tokens().keySet());
    }

    /**
     * Refuses a plan that is for other nodes.
     *
     * @throws BadRequestException telling which nodes have come and gone since
     */
    void requireFor(RingState ring) {
      if (isFor(ring)) {
        return;
      }
      Set<String> gone = new TreeSet<>(to().tokens().keySet());
      gone.removeAll(ring.tokens().keySet());
      List<String> come =
          ring.nodes().stream()
              .filter(node -> !to().tokens().containsKey(node.hostId()))
              .map(RingNode::name)
              .toList();
      throw new BadRequestException(
          "there is an unfinished plan to "
              + label()
              + ", and the cluster has other nodes since"
              + (gone.isEmpty() ? "" : "; gone: host " + String.join(", ", gone))
              + (come.isEmpty() ? "" : "; new: " + String.join(", ", come)),
          "cluster " + ring.cluster(),
          "forget it by --abandon, then make a new plan");
    }
  }

  /** That of a cluster with the nodes that it has now. */
  Path file(RingState ring) {
    String name = ring.target().replaceAll("[^A-Za-z0-9._-]", "_");
    return folder.resolve("tokens-" + name + ".journal");
  }

  /**
   * The unfinished plans that are for any of some nodes.
   *
   * @param hosts host ids
   * @throws FailedWorkException if the folder, or a journal in it, cannot be read
   */
  List<Unfinished> unfinished(Set<String> hosts) {
    List<Unfinished> found = new ArrayList<>();
    for (Path file : files()) {
      for (JournalEntry last : Lease.unfinished(file)) {
        Unfinished plan = new Unfinished(file, last);
        if (!Collections.disjoint(plan.to().tokens().keySet(), hosts)) {
          found.add(plan);
        }
      }
    }
    return found;
  }

  private List<Path> files() {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      var matcher = folder.getFileSystem().getPathMatcher("glob:" + NAMES);
      return files.filter(file -> matcher.matches(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be listed: " + e.getMessage(), folder.toString(), "make it readable", e);
    }
  }
}
