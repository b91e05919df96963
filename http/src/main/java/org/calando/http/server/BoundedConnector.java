package org.calando.http.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;

/*
 *   first byte ---- handshake, request, answer: 20 s at most ---- answer is written --> first byte of the next
 *
 * An idle connection is Jetty's to close; this is for those that are never idle for long, but never done either.
 */
/** Accepts connections, and closes those whose request and answer together take too long. */
final class BoundedConnector extends ServerConnector {
  static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final LongSupplier nanos;

  BoundedConnector(Server server, LongSupplier nanos, ConnectionFactory... factories) {
    super(server, 1, 1, factories);
    this.nanos = nanos;
  }

  @Override
  protected SocketChannelEndPoint newEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key) {
    Bounded bounded = new Bounded(channel, selector, key, getScheduler(), nanos);
    bounded.setIdleTimeout(getIdleTimeout());
    return bounded;
  }

  /** The request of a connection is answered: the next one has its own time. */
  static void answered(EndPoint end) {
    if (raw(end) instanceof Bounded bounded) {
      bounded.busy = false;
    }
  }

  /**
   * The answer goes on for as long as its client takes it.
   *
   * @param idleMillis so long nothing may be taken
   */
  static void goesOn(EndPoint end, long idleMillis) {
    end.setIdleTimeout(idleMillis);
    EndPoint raw = raw(end);
    raw.setIdleTimeout(idleMillis);
    if (raw instanceof Bounded bounded) {
      bounded.busy = false;
      bounded.goesOn = true;
    }
  }

  private static EndPoint raw(EndPoint end) {
    return end instanceof SslConnection.SslEndPoint ssl
        ? ssl.getSslConnection().getEndPoint()
        : end;
  }

  /** A connection. */
  private static final class Bounded extends SocketChannelEndPoint {
    private final LongSupplier nanos;
    private volatile boolean busy;
    private volatile boolean goesOn;
    private volatile long sinceNanos;

    Bounded(
        SocketChannel channel,
        ManagedSelector selector,
        SelectionKey key,
        Scheduler scheduler,
        LongSupplier nanos) {
      super(channel, selector, key, scheduler);
      this.nanos = nanos;
    }

    @Override
    public int fill(ByteBuffer buffer) throws IOException {
      int filled = super.fill(buffer);
      if (filled > 0 && !busy && !goesOn) {
        sinceNanos = nanos.getAsLong();
        busy = true;
      }
      requireInTime();
      return filled;
    }

    @Override
    public boolean flush(ByteBuffer... buffers) throws IOException {
      requireInTime();
      return super.flush(buffers);
    }

    private void requireInTime() throws IOException {
      if (busy && nanos.getAsLong() - sinceNanos > MOST_NANOS) {
        close();
        throw new IOException("a request took too long");
      }
    }
  }
}
