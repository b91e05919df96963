package org.calando.core.replication;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/*
 * A slow master costs every client, a fast replica some joules. So the two directions are not
 * alike:
 *
 *   may be master   at once, by any of: its own word; somebody who decides has chosen it; it does
 *                   not answer (a node that is promoted drops its connections, and a node that is
 *                   too slow to answer should not be slow)
 *   may not         by its own word alone, and not while it is chosen: between the choice and the
 *                   promotion it still says to be a replica. A choice that came to nothing lapses.
 *
 * What others say of a node never lowers it. So two nodes that both say to be the master, as happens
 * for many seconds after a partition, both stay raised.
 */
/**
 * Follows the roles of nodes from what they say of themselves and what is said of them, and tells
 * each change once. Bounded by the nodes named at the start. Not thread safe.
 */
public final class RoleWatch {
  /** How long a choice holds if the chosen node never says to be the master: 20 s. */
  public static final long PROMISE_NANOS = 20_000_000_000L;

  private final Map<String, Node> nodes = new TreeMap<>();
  private final long promiseNanos;

  /** What is known of a node. */
  private static final class Node {
    final OffsetHistory history = new OffsetHistory();
    NodeRole word;
    NodeRole identity;
    boolean answered;
    boolean mayBeMaster = true;
    long promisedUntilNanos = Long.MIN_VALUE;
    boolean servesReads;
    @Nullable Set<Long> threads;

    Node(NodeRole word) {
      this.word = word;
      this.identity = word;
    }
  }

  /**
   * Watches nodes of which nothing is known: each may be the master.
   *
   * @param names the nodes' names
   * @param nowNanos the time on the clock of who asks
   * @param promiseNanos how long a choice holds, above 0
   */
  public RoleWatch(List<String> names, long nowNanos, long promiseNanos) {
    if (promiseNanos <= 0) {
      throw new IllegalArgumentException("promise of " + promiseNanos + " ns");
    }
    this.promiseNanos = promiseNanos;
    names.forEach(name -> nodes.put(name, new Node(NodeRole.unknown(name, nowNanos))));
  }

  /**
   * Takes what a node said of itself. Words that are older than what is known, and of nodes that
   * are not watched, are ignored.
   *
   * @return what it changed, in the order RESTARTED, RAISE or LOWER, LINK
   */
  public List<RoleEvent> said(NodeRole word) {
    Node node = nodes.get(word.node());
    if (node == null || word.role() == Role.UNKNOWN || word.atNanos() < node.word.atNanos()) {
      return List.of();
    }
    NodeRole was = node.word;
    node.word = word;
    List<RoleEvent> events = new ArrayList<>();
    if (node.answered && isOther(node.identity, word)) {
      node.threads = null;
      events.add(new RoleEvent(RoleEvent.Kind.RESTARTED, word, was, word.atNanos()));
    }
    boolean first = !node.answered;
    node.answered = true;
    node.identity = word;
    if (word.role() == Role.MASTER) {
      node.promisedUntilNanos = Long.MIN_VALUE;
      if (word.offsetBytes() >= 0) {
        node.history.add(word.atNanos(), word.offsetBytes());
      }
    } else {
      node.history.clear();
    }
    judge(node, was, word.atNanos(), first || becameMaster(was, word)).ifPresent(events::add);
    if (linkChanged(was, word)) {
      events.add(new RoleEvent(RoleEvent.Kind.LINK, word, was, word.atNanos()));
    }
    return events;
  }

  /**
   * Takes that a node no longer answers, or has closed its connection: it may be the master until
   * it says otherwise.
   */
  public List<RoleEvent> silent(String name, long nowNanos) {
    Node node = nodes.get(name);
    if (node == null || node.word.role() == Role.UNKNOWN || nowNanos < node.word.atNanos()) {
      return List.of();
    }
    NodeRole was = node.word;
    node.word = was.silent(nowNanos);
    return judge(node, was, nowNanos, false).map(List::of).orElse(List.of());
  }

  /**
   * Takes that somebody who decides, such as Redis Sentinel by {@code +selected-slave}, has chosen
   * a node to be the master: it may be from now on, whatever it says for the next while.
   */
  public List<RoleEvent> chosen(String name, long nowNanos) {
    Node node = nodes.get(name);
    if (node == null || node.word.role() == Role.MASTER) {
      return List.of();
    }
    node.promisedUntilNanos = nowNanos + promiseNanos;
    return judge(node, node.word, nowNanos, false).map(List::of).orElse(List.of());
  }

  /**
   * Takes the threads of a node's process; the first time tells nothing.
   *
   * @param threads their numbers
   */
  public List<RoleEvent> threads(String name, Set<Long> threads, long nowNanos) {
    Node node = nodes.get(name);
    if (node == null) {
      return List.of();
    }
    Set<Long> was = node.threads;
    node.threads = Set.copyOf(threads);
    return was == null || was.equals(node.threads)
        ? List.of()
        : List.of(new RoleEvent(RoleEvent.Kind.THREADS, node.word, node.word, nowNanos));
  }

  /** Takes whether clients have read from a node of late. */
  public List<RoleEvent> reads(String name, boolean served, long nowNanos) {
    Node node = nodes.get(name);
    if (node == null || node.servesReads == served) {
      return List.of();
    }
    node.servesReads = served;
    return node.word.role() == Role.MASTER
        ? List.of()
        : List.of(new RoleEvent(RoleEvent.Kind.READS, node.word, node.word, nowNanos));
  }

  /** What is known of each node, by name. */
  public List<NodeView> view() {
    return nodes.values().stream().map(this::view).toList();
  }

  /** What is known of a node; empty if it is not watched. */
  public Optional<NodeView> view(String name) {
    return Optional.ofNullable(nodes.get(name)).map(this::view);
  }

  private NodeView view(Node node) {
    OffsetHistory master = masterOf(node);
    long offset = node.word.offsetBytes();
    boolean known =
        master != null
            && offset >= 0
            && node.word.role() == Role.REPLICA
            // Cut off and ahead, it has an offset of another stream: that of before a fail-over.
            && (node.word.linkUp() || offset <= master.newest());
    long at = node.word.atNanos();
    return new NodeView(
        node.word,
        node.mayBeMaster,
        isPromised(node, at),
        node.servesReads,
        known && master != null
            ? OptionalLong.of(Math.max(0, master.offsetAt(at) - offset))
            : OptionalLong.empty(),
        known && master != null ? master.ageNanos(at, offset) : OptionalLong.empty());
  }

  /** The offsets of the master at the head of a replica's chain, if both are known. */
  private @Nullable OffsetHistory masterOf(Node replica) {
    Set<String> seen = new HashSet<>();
    Node at = replica;
    while (at.word.role() != Role.MASTER) {
      Node above = nodes.get(at.word.upstream());
      if (above == null || !seen.add(at.word.node())) {
        return null;
      }
      at = above;
    }
    return at.history.isEmpty() ? null : at.history;
  }

  private Optional<RoleEvent> judge(Node node, NodeRole was, long nowNanos, boolean tellAnyway) {
    boolean before = node.mayBeMaster;
    node.mayBeMaster = node.word.role() != Role.REPLICA || isPromised(node, nowNanos);
    if (node.mayBeMaster == before && !tellAnyway) {
      return Optional.empty();
    }
    RoleEvent.Kind kind = node.mayBeMaster ? RoleEvent.Kind.RAISE : RoleEvent.Kind.LOWER;
    return Optional.of(new RoleEvent(kind, node.word, was, nowNanos));
  }

  private static boolean isPromised(Node node, long nowNanos) {
    return node.promisedUntilNanos != Long.MIN_VALUE && nowNanos < node.promisedUntilNanos;
  }

  private static boolean becameMaster(NodeRole was, NodeRole now) {
    return now.role() == Role.MASTER && was.role() != Role.MASTER;
  }

  /** Numbers of processes come again, incarnations do not; either may not be told. */
  private static boolean isOther(NodeRole was, NodeRole now) {
    boolean otherProcess = was.pid() != 0 && now.pid() != 0 && was.pid() != now.pid();
    boolean told = !was.incarnation().isEmpty() && !now.incarnation().isEmpty();
    return otherProcess || (told && !was.incarnation().equals(now.incarnation()));
  }

  private static boolean linkChanged(NodeRole was, NodeRole now) {
    return was.role() == Role.REPLICA
        && now.role() == Role.REPLICA
        && (was.linkUp() != now.linkUp() || !was.upstream().equals(now.upstream()));
  }
}
