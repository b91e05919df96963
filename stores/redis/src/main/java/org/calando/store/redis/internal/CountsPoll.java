package org.calando.store.redis.internal;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.calando.core.replication.ServerCounts;
import org.calando.store.redis.CountsMonitor;
import org.calando.store.redis.RedisCredentials;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.RespReader.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Asks one node for its counts, again and again, over one connection. Used by one thread; {@link
 * #problem} may be asked by any.
 */
final class CountsPoll implements Polled {
  private static final byte[] NAME =
      RespLink.command(List.of("CLIENT", "SETNAME", "calando-counts"));
  private static final byte[] SERVER = RespLink.command(List.of("INFO", "server"));
  private static final byte[] WRITES = RespLink.command(List.of("ACL", "CAT", "write"));
  private static final byte[] READS = RespLink.command(List.of("ACL", "CAT", "read"));
  private static final byte[] STATS = RespLink.command(List.of("INFO", "commandstats"));

  /** A node that has not answered for as long, or for a period if that is longer, is let go. */
  private static final long SILENCE_NANOS = 1_000_000_000L;

  /** What an answer that is due is to. */
  private enum Asked {
    LOGIN,
    NAME,
    SERVER,
    WRITES,
    READS,
    STATS
  }

  private final RedisNode node;
  private final Optional<RedisCredentials> credentials;
  private final Optional<TlsKeys> tls;
  private final long silenceNanos;
  private final LongSupplier clock;
  private final CountsMonitor.Listener listener;
  private final ArrayDeque<Asked> due = new ArrayDeque<>();
  private final Backoff backoff;
  private @Nullable RespLink link;
  private long askedNanos;
  private CommandCounts.Kinds kinds = CommandCounts.Kinds.NONE;
  private Optional<LocalProcess> process = Optional.empty();
  private volatile @Nullable String problem = "has not answered yet";

  CountsPoll(
      RedisNode node,
      Optional<RedisCredentials> credentials,
      Optional<TlsKeys> tls,
      long periodNanos,
      LongSupplier clock,
      CountsMonitor.Listener listener) {
    this.node = node;
    this.credentials = credentials;
    this.tls = tls;
    this.silenceNanos = Math.max(SILENCE_NANOS, periodNanos);
    this.clock = clock;
    this.listener = listener;
    this.backoff = new Backoff(periodNanos);
  }

  RedisNode node() {
    return node;
  }

  /** What is wrong with the node, in words; null if it answers. */
  @Nullable String problem() {
    return problem;
  }

  @Override
  public void tick(Selector selector, long nowNanos) {
    try {
      if (link == null) {
        if (backoff.isOver(nowNanos)) {
          connect(selector, nowNanos);
        }
      } else if (due.isEmpty()) {
        ask(Asked.STATS, STATS, nowNanos);
      } else if (nowNanos - askedNanos > silenceNanos) {
        fail("no answer for " + silenceNanos / 1_000_000 + " ms", nowNanos);
      }
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()), nowNanos);
    }
  }

  @Override
  public void ready(long nowNanos) {
    RespLink open = link;
    if (open == null) {
      return;
    }
    try {
      open.ready(reply -> take(reply, nowNanos));
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()), nowNanos);
    }
  }

  @Override
  public void close() {
    if (link != null) {
      link.close();
      link = null;
    }
    due.clear();
  }

  private void connect(Selector selector, long nowNanos) throws IOException {
    link = new RespLink(selector, node, tls, this);
    due.clear();
    kinds = CommandCounts.Kinds.NONE;
    process = Optional.empty();
    if (credentials.isPresent()) {
      ask(Asked.LOGIN, NodePoll.login(credentials.get()), nowNanos);
    }
    ask(Asked.NAME, NAME, nowNanos);
    ask(Asked.SERVER, SERVER, nowNanos);
    ask(Asked.WRITES, WRITES, nowNanos);
    ask(Asked.READS, READS, nowNanos);
    ask(Asked.STATS, STATS, nowNanos);
  }

  private void ask(Asked what, byte[] command, long nowNanos) throws IOException {
    if (due.isEmpty()) {
      askedNanos = nowNanos;
    }
    due.add(what);
    if (link != null) {
      link.send(command);
    }
  }

  private void take(Object reply, long nowNanos) {
    Asked asked = due.poll();
    askedNanos = nowNanos;
    if (asked == null) {
      return;
    }
    if (reply instanceof Refusal refusal) {
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
      case STATS -> takeStats(String.valueOf(reply));
    }
  }

  private void takeServer(String info) {
    Map<String, String> fields = RoleReply.info(info);
    process =
        LocalProcess.find(
            node.host(),
            Numbers.longOr(fields.get("process_id"), 0),
            Numbers.longOr(fields.get("uptime_in_seconds"), -1));
  }

  /** Without the kinds of commands nothing can be counted, and {@link #problem} says why. */
  private void takeStats(String stats) {
    if (!kinds.known()) {
      return;
    }
    backoff.reset();
    CommandCounts commands = CommandCounts.of(stats, kinds);
    long mainNanos = process.map(ThreadTimes::mainNanos).orElse(-1L);
    problem = mainNanos >= 0 ? null : "does not run on this machine: its CPU time is not known";
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

  private void fail(String why, long nowNanos) {
    close();
    String before = problem;
    if (before == null || !before.startsWith("refuses")) {
      problem = "does not answer: " + why;
    }
    backoff.failed(nowNanos);
    listener.lost(node.name());
  }
}
