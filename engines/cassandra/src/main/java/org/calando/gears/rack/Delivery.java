package org.calando.gears.rack;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.calando.gears.rack.RackState.Kept;
import org.calando.store.cassandra.gear.NodeSight;
import org.jspecify.annotations.Nullable;

/*
 * What a node has for another is in its memory for ten seconds, then in a file, of which it tells, and in no place that it
 * tells of while the file is being sent. So files are waited for, and counters too. Those do not show it by themselves: a
 * page that is sent again counts again, and hints that have expired, or were truncated, never count as delivered. Where
 * none failed none was sent again, and what was owed is delivered once counters say so; else once they stand still, as
 * those of a file that is under way do not.
 */
/** The delivery of hints that had been written when it began. Not thread safe. */
final class Delivery {
  private final RackMeans means;
  private final RackState state;
  private final Collection<String> on;
  private final Set<String> ids = new HashSet<>();
  private final Map<String, Long> due = new TreeMap<>();
  private final long begunNanos = System.nanoTime();
  private long stillSinceNanos = begunNanos;
  private long answeredNanos = begunNanos;
  private long reachedNanos = begunNanos;
  private long delivered = -1;
  private List<String> lacking = List.of();

  Delivery(RackMeans means, RackState state, Collection<String> on, List<String> coming) {
    this.means = means;
    this.state = state;
    this.on = on;
    // As they are now: files for one that was replaced, or has left, are for nobody.
    for (String name : coming) {
      ids.add(means.servers().sight(name).map(NodeSight::hostId).orElse(state.hostId(name)));
    }
    for (NodeSight sight : means.all(on)) {
      Kept then = state.kept().get(sight.node().name());
      if (then != null && state.hasRunSince(sight)) {
        due.put(sight.node().name(), sight.hints().written() - then.waiting());
      }
    }
  }

  /** Looks whether it is over: all is delivered, or what is not will not be. */
  boolean isOver() {
    List<NodeSight> sights = means.sights(on);
    long now = System.nanoTime();
    if (sights.size() < on.size()) {
      // One that misses a question is no reason to begin hours of delivery again.
      if (now - answeredNanos < means.patience().power().toNanos()) {
        return false;
      }
      sights = means.all(on);
    }
    answeredNanos = now;
    long quiet = means.patience().file().toNanos();
    long sum = sights.stream().mapToLong(sight -> sight.hints().delivered()).sum();
    if (sum != delivered) {
      delivered = sum;
      stillSinceNanos = now;
    }
    lacking = lacking(sights);
    boolean files = sights.stream().anyMatch(sight -> hasFiles(sight));
    if (files || !lacking.isEmpty()) {
      reachedNanos = now;
    }
    return !files
        && (now - stillSinceNanos >= quiet || (lacking.isEmpty() && isReached(sights, now, quiet)));
  }

  /** Whether counters tell it though others go on, as where a busy node misses writes. */
  private boolean isReached(List<NodeSight> sights, long now, long quiet) {
    List<String> again =
        sights.stream().filter(this::sentAgain).map(sight -> sight.node().name()).toList();
    if (again.isEmpty()) {
      return now - begunNanos >= quiet;
    }
    if (now - reachedNanos < means.patience().power().toNanos()) {
      return false;
    }
    // Nobody can tell, and a repair costs less than a rack that never comes back.
    lacking = again;
    return true;
  }

  private boolean sentAgain(NodeSight sight) {
    @Nullable Kept then = state.kept().get(sight.node().name());
    return then != null
        && due.containsKey(sight.node().name())
        && sight.hints().failed() != then.failed();
  }

  private boolean hasFiles(NodeSight sight) {
    return sight.hints().targets().stream().anyMatch(ids::contains);
  }

  private List<String> lacking(List<NodeSight> sights) {
    List<String> names = new ArrayList<>();
    for (NodeSight sight : sights) {
      Long owed = due.get(sight.node().name());
      if (owed != null && state.hasRunSince(sight) && sight.hints().delivered() < owed) {
        names.add(sight.node().name());
      }
    }
    return names;
  }

  /** Names of nodes that have delivered fewer than they had written. */
  List<String> lacking() {
    return lacking;
  }

  String words() {
    return "hints are still to be delivered"
        + (lacking.isEmpty() ? "" : " by " + String.join(", ", lacking));
  }
}
