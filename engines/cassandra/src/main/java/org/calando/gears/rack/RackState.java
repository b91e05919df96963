package org.calando.gears.rack;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.calando.control.OffSetting;
import org.calando.control.file.StateFile;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackNode;
import org.calando.store.cassandra.gear.NodeSight;
import org.jspecify.annotations.Nullable;

/**
 * What has to be known of racks that are off, to have them back as they were. Immutable.
 *
 * @param setting which are off
 * @param shift the last shift: one that is not finished is resumed by it
 * @param nodes all nodes with their host ids, as all of them were on
 * @param kept nodes as they were when racks went off, by name; of the last time once all are on
 *     again
 * @param sinceMillis when that was; 0 for never
 * @param keeps what the ring was asked for then: copies that stay on
 * @param tables ids of the tables that there were once the racks' nodes took no writes any more, or
 *     before if those are not known; empty if none are
 * @param failure the last shift down, if it failed and was taken back; none of one by hand
 */
record RackState(
    OffSetting setting,
    Optional<Shift> shift,
    List<Known> nodes,
    SortedMap<String, Kept> kept,
    long sinceMillis,
    KeptCopies keeps,
    Optional<SortedSet<String>> tables,
    Optional<Failure> failure) {
  /** All racks are on, and always were. */
  static final RackState ALL_ON =
      new RackState(
          OffSetting.ALL_ON,
          Optional.empty(),
          List.of(),
          new TreeMap<>(),
          0,
          KeptCopies.QUORUM,
          Optional.empty(),
          Optional.empty());

  static final StateFile<RackState> FILE =
      new StateFile<>(
          ALL_ON,
          "state of racks",
          "restore it: it says which nodes are off, and since when their writes are kept"
              + " elsewhere");

  /** Clocks of machines that shift differ by less. */
  private static final long CLOCK_MILLIS = 60_000;

  /** Copies the collections. */
  RackState {
    nodes = List.copyOf(nodes);
    kept = new TreeMap<>(kept);
  }

  /**
   * From one setting to another.
   *
   * @param proved whether what comes on is known to have all that was written while it was off;
   *     whether what goes off is known to have no hints for others
   * @param starts when processes of nodes that come on had started as they were first seen, or as
   *     they were proved, by name: what started later may have lost what it had
   * @param without names of nodes that are lost, and do not come on with their racks
   */
  record Shift(
      OffSetting before,
      OffSetting after,
      boolean proved,
      SortedMap<String, Long> starts,
      SortedSet<String> without) {
    /** Copies the collections. */
    Shift {
      starts = new TreeMap<>(starts);
      without = new TreeSet<>(without);
    }

    Shift(OffSetting before, OffSetting after) {
      this(before, after, false, new TreeMap<>(), new TreeSet<>());
    }

    /** Whether it is between the same settings as another. */
    boolean isAs(Shift other) {
      return before.equals(other.before) && after.equals(other.after);
    }

    /** The same without nodes. */
    Shift but(Set<String> lost) {
      return new Shift(before, after, proved, starts, new TreeSet<>(lost));
    }

    /** The same, with what is known of nodes. */
    Shift with(boolean areProved, SortedMap<String, Long> started) {
      return new Shift(before, after, areProved, started, without);
    }

    /** Whether a node that came on is known to have all that was written while it was off. */
    boolean isProved(NodeSight sight) {
      return proved && Long.valueOf(sight.startMillis()).equals(starts.get(sight.node().name()));
    }

    /** The racks that go off; none of a shift up. */
    SortedSet<String> going() {
      return after.without(before);
    }

    /** The racks that come on; none of a shift down. */
    SortedSet<String> coming() {
      return before.without(after);
    }
  }

  /** A node and what the cluster calls it. */
  record Known(RackNode node, String hostId) {}

  /**
   * A node as it was found.
   *
   * @param windowMillis for how long it kept hints
   * @param mostMebibytes how many it kept for a node; 0 for any number
   * @param repairs types of repair that it began by itself
   * @param startMillis when its process had started
   * @param upMillis for how long it had run; 0 if that is not known
   * @param failed see {@link NodeSight.Hints}
   * @param notKept see {@link NodeSight.Hints}
   * @param waiting see {@link NodeSight.Hints#waiting}
   */
  record Kept(
      int windowMillis,
      int mostMebibytes,
      Set<String> repairs,
      long startMillis,
      long upMillis,
      long failed,
      long notKept,
      long waiting) {
    /** Copies the set. */
    Kept {
      repairs = Set.copyOf(repairs);
    }
  }

  /**
   * A shift down that failed and was taken back: its cause may return, and each one restarts nodes.
   *
   * @param atMillis when that was
   * @param pauseMillis from then to the next one that is not by hand
   */
  record Failure(long atMillis, long pauseMillis) {
    private static final long FIRST_MILLIS = TimeUnit.MINUTES.toMillis(1);
    private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(1);

    /** The next one, with a longer pause. */
    static Failure after(Optional<Failure> former, long nowMillis) {
      long pause = former.map(last -> 2 * last.pauseMillis()).orElse(FIRST_MILLIS);
      return new Failure(nowMillis, Math.min(pause, LONGEST_MILLIS));
    }

    /** Left of its pause; all of it where the clock is behind that which told when it failed. */
    long leftMillis(long nowMillis) {
      return Math.max(0, pauseMillis - Math.max(0, nowMillis - atMillis));
    }
  }

  /** Whether a node has run ever since it was found. */
  boolean hasRunSince(NodeSight sight) {
    return Optional.ofNullable(kept.get(sight.node().name()))
        .filter(then -> then.startMillis() == sight.startMillis())
        .isPresent();
  }

  /**
   * For how long racks that are off are so by now, in seconds; empty if that is not known, as where
   * the clock that tells it is behind the one that told when they went. It may have been ahead
   * then: what has run since tells at least how long that is.
   *
   * @param sights of nodes that stayed
   */
  OptionalLong offSeconds(long nowMillis, List<NodeSight> sights) {
    if (sinceMillis <= 0 || sinceMillis > nowMillis + CLOCK_MILLIS) {
      return OptionalLong.empty();
    }
    long millis = Math.max(0, nowMillis - sinceMillis);
    for (NodeSight sight : sights) {
      @Nullable Kept then = kept.get(sight.node().name());
      if (then != null && then.upMillis() > 0 && hasRunSince(sight)) {
        millis = Math.max(millis, sight.process().upMillis() - then.upMillis());
      }
    }
    return OptionalLong.of(millis / 1000);
  }

  /**
   * Places of the racks that are off, or on their way.
   *
   * @param isOpen whether the shift is not finished
   */
  SortedSet<String> mayBeOff(boolean isOpen) {
    SortedSet<String> off = new TreeSet<>(setting.off());
    if (isOpen) {
      shift.ifPresent(begun -> off.addAll(begun.before().off()));
      shift.ifPresent(begun -> off.addAll(begun.after().off()));
    }
    return off;
  }

  /** Names of the nodes of some racks. */
  List<String> nodesOf(SortedSet<String> racks) {
    return nodes.stream()
        .map(Known::node)
        .filter(node -> racks.contains(node.place()))
        .map(RackNode::name)
        .toList();
  }

  /** Names of the nodes that are on while some racks are off. */
  List<String> nodesBut(SortedSet<String> racks) {
    SortedSet<String> off = new TreeSet<>(nodesOf(racks));
    return nodes.stream()
        .map(each -> each.node().name())
        .filter(name -> !off.contains(name))
        .toList();
  }

  /** What the cluster calls a node. */
  String hostId(String name) {
    return nodes.stream()
        .filter(each -> each.node().name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no node " + name))
        .hostId();
  }

  /** The same with other racks off. */
  RackState with(OffSetting now) {
    return new RackState(now, shift, nodes, kept, sinceMillis, keeps, tables, failure);
  }

  /** The same in a shift. */
  RackState in(Shift begun) {
    return new RackState(
        setting, Optional.of(begun), nodes, kept, sinceMillis, keeps, tables, failure);
  }

  /** The same with these tables. */
  RackState withTables(Optional<SortedSet<String>> found) {
    return new RackState(setting, shift, nodes, kept, sinceMillis, keeps, found, failure);
  }

  /** The same after a shift down that failed, or one that did not. */
  RackState after(Optional<Failure> last) {
    return new RackState(setting, shift, nodes, kept, sinceMillis, keeps, tables, last);
  }
}
