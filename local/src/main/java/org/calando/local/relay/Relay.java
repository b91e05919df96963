package org.calando.local.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Passes on connections between nodes, each direction late by its link's delay, first in first out.
 * One thread does everything: {@link #run}; only {@link #close} may be called from another.
 *
 * <p>Memory is bounded: a line takes in no more than its limit, all lines together no more than the
 * budget, and the number of connections is limited; beyond, the kernel's flow control holds the
 * sender back. A connection to a node that is down is reset.
 *
 * <p>Accuracy: the selector waits in whole milliseconds, so the last part of a wait is slept in
 * slices of 0.5 ms, between which new bytes are taken in and stamped.
 */
final class Relay implements Runnable, AutoCloseable {
  private static final long SLICE_NANOS = 500_000;
  private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long BUDGET_BYTES = 256L << 20;
  private static final int SMALLEST_LIMIT = 256 << 10;
  private static final int LARGEST_LIMIT = 4 << 20;
  private static final int CONNECTIONS_PER_PAIR = 3;

  private final Selector selector;
  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final List<InetSocketAddress> targets;
  private final LiveDelays delays;
  private final SenderRule rule;
  private final LinkCounters counters;
  private final DelayLine.Budget budget = new DelayLine.Budget(BUDGET_BYTES);
  private final List<Link> links = new ArrayList<>();
  private final int maxLinks;
  private final int limit;
  private volatile boolean closed;

  /**
   * Listens; nothing is passed on before {@link #run}.
   *
   * @param listen where the nodes reach node i
   * @param targets where node i listens
   * @param delays the links' delays, which may change at any time
   * @throws IOException if an address cannot be listened on
   */
  Relay(
      List<InetSocketAddress> listen,
      List<InetSocketAddress> targets,
      LiveDelays delays,
      SenderRule rule,
      LinkCounters counters)
      throws IOException {
    this.targets = List.copyOf(targets);
    this.delays = delays;
    this.rule = rule;
    this.counters = counters;
    int pairs = Math.max(1, targets.size() * (targets.size() - 1));
    // Nodes that restart leave old connections behind for a while.
    this.maxLinks = 8 * CONNECTIONS_PER_PAIR * pairs;
    this.limit = limit(pairs);
    this.selector = Selector.open();
    for (int node = 0; node < listen.size(); node++) {
      ServerSocketChannel listener = ServerSocketChannel.open();
      listeners.add(listener);
      listener.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      listener.bind(listen.get(node), 128);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT, node);
    }
    counters.setReady();
  }

  /** The address listened on for a node, counted from 0. */
  InetSocketAddress address(int node) throws IOException {
    return (InetSocketAddress) listeners.get(node).getLocalAddress();
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        pause(sendAll());
        receiveAll();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the relay's selector failed", e);
    } finally {
      links.forEach(link -> link.close(true));
      listeners.forEach(Relay::closeQuietly);
      closeQuietly(selector);
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
  }

  /** Passes on what is due on every link and returns when the next byte is due. */
  private long sendAll() {
    long next = DelayLine.NEVER;
    for (int i = links.size() - 1; i >= 0; i--) {
      Link link = links.get(i);
      try {
        link.identify(rule, delays, counters);
        link.send(System.nanoTime(), counters);
        if (link.isOver()) {
          drop(i, false);
          continue;
        }
        link.updateInterest();
        next = Math.min(next, link.nextNanos());
      } catch (IOException failed) {
        drop(i, true);
      }
    }
    return next;
  }

  private void pause(long nextNanos) throws IOException {
    if (nextNanos == DelayLine.NEVER) {
      selector.select();
      return;
    }
    long wait = nextNanos - System.nanoTime();
    if (wait >= MILLI_NANOS) {
      selector.select(wait / MILLI_NANOS);
      return;
    }
    if (wait > 0) {
      LockSupport.parkNanos(Math.min(wait, SLICE_NANOS));
    }
    selector.selectNow();
  }

  private void receiveAll() {
    for (SelectionKey key : selector.selectedKeys()) {
      if (!key.isValid()) {
        continue;
      }
      if (key.attachment() instanceof Link link) {
        try {
          link.onReady(key);
        } catch (IOException failed) {
          drop(links.indexOf(link), true);
        }
      } else if (key.attachment() instanceof Integer node) {
        accept((ServerSocketChannel) key.channel(), node);
      }
    }
    selector.selectedKeys().clear();
  }

  private void accept(ServerSocketChannel listener, int node) {
    SocketChannel incoming;
    try {
      incoming = listener.accept();
    } catch (IOException e) {
      return;
    }
    if (incoming == null) {
      return;
    }
    if (links.size() >= maxLinks) {
      Link.close(incoming, true);
      return;
    }
    SocketChannel outgoing = null;
    try {
      outgoing = SocketChannel.open();
      prepare(incoming);
      prepare(outgoing);
      boolean connected = outgoing.connect(targets.get(node));
      SelectionKey incomingKey = incoming.register(selector, SelectionKey.OP_READ);
      SelectionKey outgoingKey =
          outgoing.register(selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT);
      Link link = new Link(incomingKey, outgoingKey, node, limit, budget);
      incomingKey.attach(link);
      outgoingKey.attach(link);
      links.add(link);
    } catch (IOException nodeIsDown) {
      Link.close(incoming, true);
      if (outgoing != null) {
        Link.close(outgoing, true);
      }
    }
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  private void drop(int index, boolean reset) {
    if (index >= 0) {
      links.remove(index).close(reset);
    }
  }

  private static int limit(int pairs) {
    long share = BUDGET_BYTES / ((long) pairs * CONNECTIONS_PER_PAIR);
    long power = Long.highestOneBit(share);
    return (int) Math.max(SMALLEST_LIMIT, Math.min(LARGEST_LIMIT, power));
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // the process ends anyway
    }
  }
}
