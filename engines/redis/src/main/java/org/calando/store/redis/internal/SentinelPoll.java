package org.calando.store.redis.internal;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RoleMonitorConfig;
import org.calando.store.redis.internal.wire.RespLink;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.jspecify.annotations.Nullable;

/** Listens to what a Sentinel publishes. Not thread safe. */
final class SentinelPoll implements Polled {
  /** For the connection and its handshake; a Sentinel that listens may be silent for ever. */
  private static final long ANSWER_NANOS = 5_000_000_000L;

  private static final byte[] SUBSCRIBE = RespLink.command(List.of("PSUBSCRIBE", "*"));

  private final RedisNode sentinel;
  private final RoleMonitorConfig config;
  private final Optional<TlsKeys> tls;
  private final Consumer<SentinelNotice> notices;
  private final Backoff backoff;
  private @Nullable RespLink link;
  private long connectedNanos;
  private boolean answers;

  SentinelPoll(
      RedisNode sentinel,
      RoleMonitorConfig config,
      Optional<TlsKeys> tls,
      Consumer<SentinelNotice> notices) {
    this.sentinel = sentinel;
    this.config = config;
    this.tls = tls;
    this.notices = notices;
    this.backoff = new Backoff(config.pollNanos());
  }

  @Override
  public void tick(Selector selector, long nowNanos) {
    if (link != null && !answers && nowNanos - connectedNanos > ANSWER_NANOS) {
      fail(nowNanos);
    }
    if (link != null || !backoff.isOver(nowNanos)) {
      return;
    }
    try {
      RespLink opened = new RespLink(selector, sentinel, tls, this);
      link = opened;
      connectedNanos = nowNanos;
      answers = false;
      if (config.sentinelCredentials().isPresent()) {
        opened.send(NodePoll.login(config.sentinelCredentials().get()));
      }
      opened.send(SUBSCRIBE);
    } catch (IOException e) {
      fail(nowNanos);
    }
  }

  @Override
  public void ready(long nowNanos) {
    RespLink open = link;
    if (open == null) {
      return;
    }
    try {
      open.ready(
          reply -> {
            answers = true;
            backoff.reset();
            SentinelNotice.of(reply, config.masterName()).ifPresent(notices);
          });
    } catch (IOException e) {
      fail(nowNanos);
    }
  }

  private void fail(long nowNanos) {
    close();
    backoff.failed(nowNanos);
  }

  @Override
  public void close() {
    if (link != null) {
      link.close();
      link = null;
    }
  }
}
