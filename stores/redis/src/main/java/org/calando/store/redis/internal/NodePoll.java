package org.calando.store.redis.internal;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleWatch;
import org.calando.store.redis.RedisCredentials;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.internal.RespReader.Refusal;
import org.jspecify.annotations.Nullable;

/** Asks one node for its role, again and again, over one connection. Not thread safe. */
final class NodePoll implements Polled {
  private static final byte[] ROLE = RespLink.command(List.of("ROLE"));
  private static final byte[] SERVER = RespLink.command(List.of("INFO", "server"));
  private static final byte[] STATS = RespLink.command(List.of("INFO", "commandstats"));
  private static final byte[] NAME =
      RespLink.command(List.of("CLIENT", "SETNAME", "calando-roles"));

  /** What an answer that is due is to. */
  private enum Asked {
    LOGIN,
    NAME,
    SERVER,
    ROLE,
    STATS
  }

  private final RedisNode node;
  private final RoleMonitorConfig config;
  private final Optional<TlsKeys> tls;
  private final Map<String, String> names;
  private final RoleWatch watch;
  private final List<RoleEvent> events;
  private final ArrayDeque<Asked> due = new ArrayDeque<>();
  private final Backoff backoff;
  private @Nullable RespLink link;
  private long askedNanos;
  private long nextSlowNanos;
  private long lastReads = -1;
  private long pid;
  private String incarnation = "";
  private Optional<LocalProcess> process = Optional.empty();
  private @Nullable String problem;

  /**
   * A node that is not asked yet.
   *
   * @param tls how its connection is encrypted; empty: not at all
   * @param names nodes' names by {@code host:port}
   * @param events receives what changes
   */
  NodePoll(
      RedisNode node,
      RoleMonitorConfig config,
      Optional<TlsKeys> tls,
      Map<String, String> names,
      RoleWatch watch,
      List<RoleEvent> events) {
    this.node = node;
    this.config = config;
    this.tls = tls;
    this.names = names;
    this.watch = watch;
    this.events = events;
    this.backoff = new Backoff(config.pollNanos());
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
      } else if (!due.isEmpty()) {
        if (nowNanos - askedNanos > config.silenceNanos()) {
          fail("no answer for " + config.silenceNanos() / 1_000_000 + " ms", nowNanos);
        }
      } else {
        askRole(nowNanos);
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
    nextSlowNanos = nowNanos;
    if (config.credentials().isPresent()) {
      ask(Asked.LOGIN, login(config.credentials().get()), nowNanos);
    }
    ask(Asked.NAME, NAME, nowNanos);
    ask(Asked.SERVER, SERVER, nowNanos);
    ask(Asked.ROLE, ROLE, nowNanos);
  }

  static byte[] login(RedisCredentials credentials) {
    List<String> words = new ArrayList<>(List.of("AUTH"));
    credentials.user().ifPresent(words::add);
    words.add(credentials.password());
    return RespLink.command(words);
  }

  private void askRole(long nowNanos) throws IOException {
    ask(Asked.ROLE, ROLE, nowNanos);
    if (nowNanos - nextSlowNanos >= 0) {
      nextSlowNanos = nowNanos + config.slowPollNanos();
      ask(Asked.STATS, STATS, nowNanos);
      process
          .flatMap(LocalProcess::threads)
          .ifPresent(threads -> events.addAll(watch.threads(node.name(), threads, nowNanos)));
    }
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
      refused(asked, refusal, nowNanos);
      return;
    }
    switch (asked) {
      case LOGIN, NAME -> {}
      case SERVER -> takeServer(String.valueOf(reply));
      case STATS -> takeReads(String.valueOf(reply), nowNanos);
      case ROLE -> {
        Optional<RoleReply> role = RoleReply.of(reply);
        problem = role.isPresent() ? null : "is neither a master nor a replica";
        role.ifPresentOrElse(said -> takeRole(said, nowNanos), () -> silent(nowNanos));
      }
    }
  }

  private void takeRole(RoleReply said, long nowNanos) {
    backoff.reset();
    events.addAll(watch.said(said.of(node.name(), pid, incarnation, names, nowNanos)));
  }

  private void takeServer(String info) {
    Map<String, String> fields = RoleReply.info(info);
    incarnation = fields.getOrDefault("run_id", "");
    pid = Numbers.longOr(fields.get("process_id"), 0);
    process =
        LocalProcess.find(node.host(), pid, Numbers.longOr(fields.get("uptime_in_seconds"), -1));
    lastReads = -1;
  }

  private void takeReads(String stats, long nowNanos) {
    long reads = ReadCounts.of(stats);
    // Counts may be reset: fewer than before says nothing.
    if (lastReads >= 0 && reads >= lastReads) {
      events.addAll(watch.reads(node.name(), reads > lastReads, nowNanos));
    }
    lastReads = reads;
  }

  /** Without ROLE nothing is known; without the rest less is. */
  private void refused(Asked asked, Refusal refusal, long nowNanos) {
    if (asked == Asked.LOGIN || asked == Asked.ROLE) {
      problem = "refuses: " + refusal.text();
      silent(nowNanos);
    }
  }

  private void silent(long nowNanos) {
    events.addAll(watch.silent(node.name(), nowNanos));
  }

  private void fail(String why, long nowNanos) {
    close();
    if (problem == null || !problem.startsWith("refuses")) {
      problem = "does not answer: " + why;
    }
    backoff.failed(nowNanos);
    silent(nowNanos);
  }
}
