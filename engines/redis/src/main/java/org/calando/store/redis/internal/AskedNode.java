package org.calando.store.redis.internal;

import java.io.IOException;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Optional;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.wire.RespLink;
import org.calando.store.redis.internal.wire.TlsKeys;
import org.jspecify.annotations.Nullable;

/**
 * A node that is asked again and again over one connection. Used by one thread; {@link #problem}
 * may be asked by any.
 *
 * @param <A> what an answer that is due is to
 */
abstract class AskedNode<A> implements Polled {
  final RedisNode node;
  final Backoff backoff;
  volatile @Nullable String problem;
  private final Optional<TlsKeys> tls;
  private final long silenceNanos;
  private final ArrayDeque<A> due = new ArrayDeque<>();
  private @Nullable RespLink link;
  private long askedNanos;

  /**
   * A node that is not asked yet.
   *
   * @param tls how its connection is encrypted; empty: not at all
   * @param silenceNanos a node that has not answered for as long is let go
   * @param periodNanos first pause before it is connected to again
   */
  AskedNode(RedisNode node, Optional<TlsKeys> tls, long silenceNanos, long periodNanos) {
    this.node = node;
    this.tls = tls;
    this.silenceNanos = silenceNanos;
    this.backoff = new Backoff(periodNanos);
  }

  /** Asks what is asked once of a connection, and the first time. */
  abstract void askFirst(long nowNanos) throws IOException;

  /** Asks what is asked again and again; nothing is due. */
  abstract void askAgain(long nowNanos) throws IOException;

  abstract void take(A asked, Object reply, long nowNanos);

  /** Nothing is known of the node for now; {@link #problem} says why. */
  abstract void lost(long nowNanos);

  /** What is wrong with the node, in words; null if it answers. */
  final @Nullable String problem() {
    return problem;
  }

  @Override
  public final void tick(Selector selector, long nowNanos) {
    try {
      if (link == null) {
        if (backoff.isOver(nowNanos)) {
          link = new RespLink(selector, node, tls, this);
          due.clear();
          askFirst(nowNanos);
        }
      } else if (due.isEmpty()) {
        askAgain(nowNanos);
      } else if (nowNanos - askedNanos > silenceNanos) {
        fail("no answer for " + silenceNanos / 1_000_000 + " ms", nowNanos);
      }
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()), nowNanos);
    }
  }

  @Override
  public final void ready(long nowNanos) {
    RespLink open = link;
    if (open == null) {
      return;
    }
    try {
      open.ready(
          reply -> {
            A asked = due.poll();
            askedNanos = nowNanos;
            if (asked != null) {
              take(asked, reply, nowNanos);
            }
          });
    } catch (IOException e) {
      fail(String.valueOf(e.getMessage()), nowNanos);
    }
  }

  final void ask(A what, byte[] command, long nowNanos) throws IOException {
    if (due.isEmpty()) {
      askedNanos = nowNanos;
    }
    due.add(what);
    if (link != null) {
      link.send(command);
    }
  }

  private void fail(String why, long nowNanos) {
    close();
    String before = problem;
    if (before == null || !before.startsWith("refuses")) {
      problem = "does not answer: " + why;
    }
    backoff.failed(nowNanos);
    lost(nowNanos);
  }

  @Override
  public final void close() {
    if (link != null) {
      link.close();
      link = null;
    }
    due.clear();
  }
}
