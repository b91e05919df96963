package org.calando.local.relay;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;

/**
 * One connection through the relay: from a node to a listening address, and on to the node behind
 * it, with a delay line each way. Not thread safe.
 */
final class Link {
  /** Answers on a connection are few: each connection carries messages one way. */
  private static final int BACKWARD_LIMIT = 64 * 1024;

  private static final LongSupplier CLOCK = System::nanoTime;

  private final SocketChannel incoming;
  private final SocketChannel outgoing;
  private final SelectionKey incomingKey;
  private final SelectionKey outgoingKey;
  private final Direction forward;
  private final Direction backward;
  private final int receiver;
  private int sender = SenderRule.UNDECIDED;
  private boolean connected;

  /** Bytes one way, and the end of their stream, which waits its turn behind them. */
  private static final class Direction {
    final SocketChannel from;
    final SocketChannel to;
    final DelayLine line;
    long endDueNanos = DelayLine.NEVER;
    boolean ended;
    boolean blocked;

    Direction(SocketChannel from, SocketChannel to, DelayLine line) {
      this.from = from;
      this.to = to;
      this.line = line;
    }

    boolean wantsBytes() {
      return !endHasCome() && !line.isFull();
    }

    /** Whether the sender has ended its stream. */
    boolean endHasCome() {
      return endDueNanos != DelayLine.NEVER;
    }

    /** Takes in what came, stamped with the time. */
    void receive() throws IOException {
      if (wantsBytes() && line.readFrom(from, CLOCK) < 0) {
        endDueNanos = line.dueNanos(CLOCK.getAsLong());
      }
    }

    /** Passes on what is due, and after the last byte the end. */
    int send(long nowNanos) throws IOException {
      int sent = line.writeTo(to, nowNanos);
      blocked = line.dueNanos() <= nowNanos;
      if (line.isEmpty() && !ended && endDueNanos <= nowNanos) {
        to.shutdownOutput();
        ended = true;
      }
      return sent;
    }

    /** When there is something to do next, unless the receiving socket must first take more. */
    long nextNanos() {
      if (blocked || ended) {
        return DelayLine.NEVER;
      }
      return line.isEmpty() ? endDueNanos : line.dueNanos();
    }
  }

  /** Takes over an accepted connection and the one on to the node, which may still be pending. */
  Link(
      SelectionKey incomingKey,
      SelectionKey outgoingKey,
      int receiver,
      int limit,
      DelayLine.Budget budget) {
    this.incomingKey = incomingKey;
    this.outgoingKey = outgoingKey;
    this.incoming = (SocketChannel) incomingKey.channel();
    this.outgoing = (SocketChannel) outgoingKey.channel();
    this.receiver = receiver;
    this.connected = outgoing.isConnected();
    this.forward = new Direction(incoming, outgoing, new DelayLine(limit, budget));
    this.backward = new Direction(outgoing, incoming, new DelayLine(BACKWARD_LIMIT, budget));
  }

  /** Does what a ready key asks for. */
  void onReady(SelectionKey key) throws IOException {
    if (key.isConnectable()) {
      connected = outgoing.finishConnect();
    }
    if (key.isReadable()) {
      (key == incomingKey ? forward : backward).receive();
    }
  }

  /** Finds out who the sender is, once enough has come; sets the delays then. */
  void identify(SenderRule rule, LiveDelays delays, LinkCounters counters) {
    if (sender != SenderRule.UNDECIDED) {
      return;
    }
    int found = rule.sender(forward.line);
    sender = found;
    if (sender == SenderRule.UNDECIDED && forward.endHasCome()) {
      sender = SenderRule.STRANGER;
    }
    if (sender >= 0) {
      forward.line.delay(() -> delays.nanos(found, receiver));
      backward.line.delay(() -> delays.nanos(receiver, found));
      counters.addConnection(sender, receiver);
    } else if (sender == SenderRule.STRANGER) {
      counters.addStranger();
    }
  }

  /** Passes on what is due, both ways. */
  void send(long nowNanos, LinkCounters counters) throws IOException {
    if (!connected) {
      return;
    }
    int sent = sender == SenderRule.UNDECIDED ? 0 : forward.send(nowNanos);
    int answered = backward.send(nowNanos);
    if (sender >= 0 && sent + answered > 0) {
      counters.addBytes(sender, receiver, sent);
      counters.addBytes(receiver, sender, answered);
    }
  }

  /** When {@link #send} has something to do next, or {@link DelayLine#NEVER}. */
  long nextNanos() {
    if (!connected) {
      return DelayLine.NEVER;
    }
    long forwardNanos = sender == SenderRule.UNDECIDED ? DelayLine.NEVER : forward.nextNanos();
    return Math.min(forwardNanos, backward.nextNanos());
  }

  /** True once both ways have ended. */
  boolean isOver() {
    return forward.ended && backward.ended;
  }

  /** Tells the selector what this link waits for. */
  void updateInterest() {
    int in = forward.wantsBytes() ? SelectionKey.OP_READ : 0;
    in |= backward.blocked ? SelectionKey.OP_WRITE : 0;
    int out = connected ? 0 : SelectionKey.OP_CONNECT;
    out |= connected && backward.wantsBytes() ? SelectionKey.OP_READ : 0;
    out |= connected && forward.blocked ? SelectionKey.OP_WRITE : 0;
    set(incomingKey, in);
    set(outgoingKey, out);
  }

  /**
   * Closes both connections.
   *
   * @param reset true if the nodes are to see a reset, as of a connection that failed
   */
  void close(boolean reset) {
    close(incoming, reset);
    close(outgoing, reset);
    forward.line.release();
    backward.line.release();
  }

  static void close(SocketChannel channel, boolean reset) {
    try {
      if (reset) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
    } catch (IOException e) {
      // then it closes gently
    }
    try {
      channel.close();
    } catch (IOException e) {
      // closed all the same
    }
  }

  private static void set(SelectionKey key, int operations) {
    if (key.interestOps() != operations) {
      key.interestOps(operations);
    }
  }
}
