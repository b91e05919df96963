package org.calando.store.redis.internal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.core.replication.ServerCounts;
import org.calando.http.Credentials;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.RespLink;
import org.calando.store.redis.internal.wire.RespReader.Refusal;
import org.calando.store.redis.internal.wire.TlsKeys;

/** Asks one node for its counts, again and again, over one connection. */
final class CountsPoll extends AskedNode<CountsPoll.Asked> {
  private static final byte[] NAME =
      RespLink.command(List.of("CLIENT", "SETNAME", "calando-counts"));
  private static final byte[] SERVER = RespLink.command(List.of("INFO", "server"));
  private static final byte[] WRITES = RespLink.command(List.of("ACL", "CAT", "write"));
  private static final byte[] READS = RespLink.command(List.of("ACL", "CAT", "read"));
  private static final byte[] CPU = RespLink.command(List.of("INFO", "cpu"));
  private static final byte[] STATS = RespLink.command(List.of("INFO", "commandstats"));

  /** A node that has not answered for as long, or for a period if that is longer, is let go. */
  private static final long SILENCE_NANOS = 1_000_000_000L;

  /** What an answer that is due is to. */
  enum Asked {
    LOGIN,
    NAME,
    SERVER,
    WRITES,
    READS,
    CPU,
    STATS
  }

  private final Optional<Credentials> credentials;
  private final LongSupplier clock;
  private final CountsMonitor.Listener listener;
  private final Finder finder;
  private CommandCounts.Kinds kinds = CommandCounts.Kinds.NONE;
  private Optional<LocalProcess> process = Optional.empty();
  private long reportedNanos = -1;

  /** Finds a server's process on this machine; see {@link LocalProcess#find}. */
  @FunctionalInterface
  interface Finder {
    Optional<LocalProcess> find(String host, long pid, long uptimeSeconds);
  }

  CountsPoll(
      RedisNode node,
      Optional<Credentials> credentials,
      Optional<TlsKeys> tls,
      long periodNanos,
      LongSupplier clock,
      CountsMonitor.Listener listener,
      Finder finder) {
    super(node, tls, Math.max(SILENCE_NANOS, periodNanos), periodNanos);
    problem = "has not answered yet";
    this.credentials = credentials;
    this.clock = clock;
    this.listener = listener;
    this.finder = finder;
  }

  RedisNode node() {
    return node;
  }

  @Override
  void askFirst(long nowNanos) throws IOException {
    kinds = CommandCounts.Kinds.NONE;
    process = Optional.empty();
    reportedNanos = -1;
    if (credentials.isPresent()) {
      ask(Asked.LOGIN, NodePoll.login(credentials.get()), nowNanos);
    }
    ask(Asked.NAME, NAME, nowNanos);
    ask(Asked.SERVER, SERVER, nowNanos);
    ask(Asked.WRITES, WRITES, nowNanos);
    ask(Asked.READS, READS, nowNanos);
    ask(Asked.CPU, CPU, nowNanos);
    ask(Asked.STATS, STATS, nowNanos);
  }

  @Override
  void askAgain(long nowNanos) throws IOException {
    if (process.isEmpty()) {
      ask(Asked.CPU, CPU, nowNanos);
    }
    ask(Asked.STATS, STATS, nowNanos);
  }

  @Override
  void take(Asked asked, Object reply, long nowNanos) {
    if (reply instanceof Refusal refusal) {
      if (asked == Asked.CPU) {
        reportedNanos = -1;
      }
      // A name is for the server's administrator only.
      if (asked != Asked.NAME) {
        problem = "refuses: " + refusal.text();
      }
      return;
    }
    switch (asked) {
      case LOGIN, NAME -> {}
      case SERVER -> takeServer(String.valueOf(reply));
      case WRITES -> kinds = kinds.withWrites(reply);
      case READS -> kinds = kinds.withReads(reply);
      case CPU -> reportedNanos = RoleReply.mainThreadNanos(String.valueOf(reply));
      case STATS -> takeStats(String.valueOf(reply));
    }
  }

  private void takeServer(String info) {
    Map<String, String> fields = RoleReply.info(info);
    process =
        finder.find(
            node.host(),
            Numbers.longOr(fields.get("process_id"), 0),
            Numbers.longOr(fields.get("uptime_in_seconds"), -1));
  }

  /** Without the kinds of commands nothing can be counted; the problem says why. */
  private void takeStats(String stats) {
    if (!kinds.known()) {
      return;
    }
    backoff.reset();
    CommandCounts commands = CommandCounts.of(stats, kinds);
    long mainNanos = process.map(ThreadTimes::mainNanos).orElse(reportedNanos);
    problem = mainNanos >= 0 ? null : "does not report its CPU time (INFO cpu)";
    listener.counted(
        node.name(),
        new ServerCounts(
            clock.getAsLong(),
            -1,
            commands.writes(),
            commands.writeNanos(),
            commands.reads(),
            commands.readNanos(),
            mainNanos,
            -1));
  }

  @Override
  void lost(long nowNanos) {
    listener.lost(node.name());
  }
}
