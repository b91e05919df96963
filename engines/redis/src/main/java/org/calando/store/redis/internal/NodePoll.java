package org.calando.store.redis.internal;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.replication.RoleEvent;
import org.calando.core.replication.RoleWatch;
import org.calando.http.Credentials;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.internal.wire.RespLink;
import org.calando.store.redis.internal.wire.RespReader.Refusal;
import org.calando.store.redis.internal.wire.TlsKeys;

/** Asks one node for its role, again and again, over one connection. Not thread safe. */
public final class NodePoll extends AskedNode<NodePoll.Asked> {
  private static final byte[] ROLE = RespLink.command(List.of("ROLE"));
  private static final byte[] SERVER = RespLink.command(List.of("INFO", "server"));
  private static final byte[] STATS = RespLink.command(List.of("INFO", "commandstats"));
  private static final byte[] NAME =
      RespLink.command(List.of("CLIENT", "SETNAME", "calando-roles"));

  /** What an answer that is due is to. */
  enum Asked {
    LOGIN,
    NAME,
    SERVER,
    ROLE,
    STATS
  }

  private final RoleMonitorConfig config;
  private final Map<String, String> names;
  private final RoleWatch watch;
  private final List<RoleEvent> events;
  private long nextSlowNanos;
  private long lastReads = -1;
  private long pid;
  private String incarnation = "";
  private Optional<LocalProcess> process = Optional.empty();

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
    super(node, tls, config.silenceNanos(), config.pollNanos());
    this.config = config;
    this.names = names;
    this.watch = watch;
    this.events = events;
  }

  @Override
  void askFirst(long nowNanos) throws IOException {
    nextSlowNanos = nowNanos;
    if (config.credentials().isPresent()) {
      ask(Asked.LOGIN, login(config.credentials().get()), nowNanos);
    }
    ask(Asked.NAME, NAME, nowNanos);
    ask(Asked.SERVER, SERVER, nowNanos);
    ask(Asked.ROLE, ROLE, nowNanos);
  }

  public static byte[] login(Credentials credentials) {
    return RespLink.command(
        credentials.user().isEmpty()
            ? List.of("AUTH", credentials.password())
            : List.of("AUTH", credentials.user(), credentials.password()));
  }

  @Override
  void askAgain(long nowNanos) throws IOException {
    ask(Asked.ROLE, ROLE, nowNanos);
    if (nowNanos - nextSlowNanos >= 0) {
      nextSlowNanos = nowNanos + config.slowPollNanos();
      ask(Asked.STATS, STATS, nowNanos);
      process
          .flatMap(LocalProcess::threads)
          .ifPresent(threads -> events.addAll(watch.threads(node.name(), threads, nowNanos)));
    }
  }

  @Override
  void take(Asked asked, Object reply, long nowNanos) {
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
        role.ifPresentOrElse(said -> takeRole(said, nowNanos), () -> lost(nowNanos));
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
      lost(nowNanos);
    }
  }

  @Override
  void lost(long nowNanos) {
    events.addAll(watch.silent(node.name(), nowNanos));
  }
}
