package org.calando.store.redis.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.core.FailedWorkException;
import org.calando.core.replication.ServerCounts;
import org.calando.http.Credentials;
import org.calando.http.TlsSettings;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.RespCall;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.jspecify.annotations.Nullable;

/** Reads what one server has done since its start. Not thread safe. */
public final class CountsReader implements AutoCloseable {
  private final RedisNode node;
  private final RespCall call;
  private final LongSupplier clock;
  private final Optional<LocalProcess> process;
  private final CommandCounts.Kinds kinds;
  private final String runId;

  /**
   * Connects.
   *
   * @param tls how the connection is encrypted; empty: not at all
   * @param clock nanoseconds, of any origin
   * @throws FailedWorkException if the node does not answer
   */
  public CountsReader(
      RedisNode node,
      Optional<Credentials> credentials,
      Optional<TlsSettings> tls,
      LongSupplier clock) {
    this.node = node;
    this.clock = clock;
    call = RespCall.open(node, credentials, tls.map(TlsKeys::read));
    try {
      Map<String, String> server = RoleReply.info(call.text("INFO", "server"));
      runId = server.getOrDefault("run_id", node.address());
      process =
          LocalProcess.find(
              node.host(),
              Numbers.longOr(server.get("process_id"), 0),
              Numbers.longOr(server.get("uptime_in_seconds"), -1));
      kinds = CommandCounts.Kinds.of(call);
      if (!kinds.known()) {
        throw new FailedWorkException(
            "a Redis node does not report which commands write",
            node.toString(),
            "it has to be of version 6 or newer, and its user may need +acl|cat");
      }
    } catch (RuntimeException e) {
      call.close();
      throw e;
    }
  }

  /** The node asked. */
  public RedisNode node() {
    return node;
  }

  /** Differs between servers, and between starts of one. */
  public String runId() {
    return runId;
  }

  /** What it has done so far; CPU times are -1 for a server on another machine. */
  public ServerCounts counts() {
    Map<String, String> replication = replication();
    CommandCounts commands = CommandCounts.of(call.text("INFO", "commandstats"), kinds);
    Optional<ThreadTimes> times = process.flatMap(ThreadTimes::of);
    return new ServerCounts(
        clock.getAsLong(),
        offset(replication),
        commands.writes(),
        commands.writeNanos(),
        commands.reads(),
        commands.readNanos(),
        times.map(ThreadTimes::mainNanos).orElse(-1L),
        times.map(ThreadTimes::ioNanos).orElse(-1L));
  }

  /** Addresses of the nodes that it follows, or that follow it. */
  public List<RedisNode> neighbours() {
    Map<String, String> replication = replication();
    List<RedisNode> nodes = new ArrayList<>();
    add(nodes, replication.get("master_host"), replication.get("master_port"));
    for (int i = 0; replication.containsKey("slave" + i); i++) {
      String line = "," + replication.get("slave" + i);
      add(nodes, part(line, ",ip="), part(line, ",port="));
    }
    return nodes;
  }

  private Map<String, String> replication() {
    return RoleReply.info(call.text("INFO", "replication"));
  }

  private static long offset(Map<String, String> replication) {
    String name =
        "master".equals(replication.get("role")) ? "master_repl_offset" : "slave_repl_offset";
    return Numbers.longOr(replication.get(name), -1);
  }

  private static void add(List<RedisNode> nodes, @Nullable String host, @Nullable String port) {
    long number = Numbers.longOr(port, 0);
    if (host != null && !host.isBlank() && number >= 1 && number <= 65_535) {
      nodes.add(new RedisNode(host + ":" + number, host, (int) number));
    }
  }

  private static @Nullable String part(String line, String name) {
    int begin = line.indexOf(name);
    if (begin < 0) {
      return null;
    }
    int end = line.indexOf(',', begin + 1);
    return line.substring(begin + name.length(), end < 0 ? line.length() : end);
  }

  @Override
  public void close() {
    call.close();
  }
}
