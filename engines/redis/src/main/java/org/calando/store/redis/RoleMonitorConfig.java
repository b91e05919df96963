package org.calando.store.redis;

import java.util.List;
import java.util.Optional;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;

/**
 * Which nodes are watched, and how closely. Immutable and thread safe.
 *
 * @param nodes all nodes that may become the master; not empty, names differ
 * @param sentinels whose messages make the next poll come at once; may be empty
 * @param masterName the name under which Sentinels know the master
 * @param credentials of the nodes, if they ask for some; may run ROLE, INFO and CLIENT
 * @param sentinelCredentials of the Sentinels, if they ask for some
 * @param tls how connections to nodes and Sentinels are encrypted; empty: not at all
 * @param pollNanos between two questions for the role, 1 ms or more
 * @param slowPollNanos between two looks at threads and counts of reads, 1 ms or more
 * @param silenceNanos how long an answer may take before the node counts as silent, 1 ms or more
 */
public record RoleMonitorConfig(
    List<RedisNode> nodes,
    List<RedisNode> sentinels,
    String masterName,
    Optional<Credentials> credentials,
    Optional<Credentials> sentinelCredentials,
    Optional<TlsSettings> tls,
    long pollNanos,
    long slowPollNanos,
    long silenceNanos) {
  private static final long LEAST_NANOS = 1_000_000;

  public RoleMonitorConfig {
    nodes = List.copyOf(nodes);
    sentinels = List.copyOf(sentinels);
    if (nodes.isEmpty() || nodes.stream().map(RedisNode::name).distinct().count() < nodes.size()) {
      throw new IllegalArgumentException("no nodes, or two of one name: " + nodes);
    }
    if (Math.min(pollNanos, Math.min(slowPollNanos, silenceNanos)) < LEAST_NANOS) {
      throw new IllegalArgumentException(
          "times " + pollNanos + ", " + slowPollNanos + ", " + silenceNanos + " ns below 1 ms");
    }
  }

  /**
   * The usual times: a poll each 100 ms, a slow look each 5 s, silence after 1 s.
   *
   * @param nodes to watch, without Sentinels and without a password
   */
  public static RoleMonitorConfig of(List<RedisNode> nodes) {
    return new RoleMonitorConfig(
        nodes,
        List.of(),
        "",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        100_000_000L,
        5_000_000_000L,
        1_000_000_000L);
  }

  /** The usual times, for the nodes that a store lists, reached as it reaches them. */
  public static RoleMonitorConfig of(RedisStoreConfig store) {
    RoleMonitorConfig usual = of(store.nodes());
    return new RoleMonitorConfig(
        store.nodes(),
        store.sentinels(),
        store.masterName(),
        store.credentials(),
        store.sentinelCredentials(),
        store.tls(),
        usual.pollNanos,
        usual.slowPollNanos,
        usual.silenceNanos);
  }

  /** The same with Sentinels. */
  public RoleMonitorConfig withSentinels(List<RedisNode> these, String name) {
    return new RoleMonitorConfig(
        nodes,
        these,
        name,
        credentials,
        sentinelCredentials,
        tls,
        pollNanos,
        slowPollNanos,
        silenceNanos);
  }

  /** The same with a password for nodes and Sentinels alike. */
  public RoleMonitorConfig withCredentials(Credentials one) {
    return new RoleMonitorConfig(
        nodes,
        sentinels,
        masterName,
        Optional.of(one),
        Optional.of(one),
        tls,
        pollNanos,
        slowPollNanos,
        silenceNanos);
  }

  /** The same at other times. */
  public RoleMonitorConfig withTimes(long poll, long slowPoll, long silence) {
    return new RoleMonitorConfig(
        nodes,
        sentinels,
        masterName,
        credentials,
        sentinelCredentials,
        tls,
        poll,
        slowPoll,
        silence);
  }

  /** The same over encrypted connections. */
  public RoleMonitorConfig withTls(TlsSettings encryption) {
    return new RoleMonitorConfig(
        nodes,
        sentinels,
        masterName,
        credentials,
        sentinelCredentials,
        Optional.of(encryption),
        pollNanos,
        slowPollNanos,
        silenceNanos);
  }
}
