package org.calando.store.redis.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/*
 *   write   plain text -> wrap -> netOut -> socket
 *   read    socket -> netIn -> unwrap -> text -> whoever reads
 *
 * Buffers hold one record each and are ready to be filled, except within a method. The handshake is
 * a matter of both directions: whichever is called does what the engine wants next, until it wants
 * bytes that have not come or there is no room for those to be sent. What the engine has to compute
 * meanwhile, a few milliseconds for each new connection, is done on the caller's thread.
 */
/** Encrypted bytes. The engine's deadline is its user's, who closes it. Not thread safe. */
public final class TlsWire implements Wire {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Several times the largest record that the protocol knows. */
  private static final int MOST_BYTES = 128 * 1024;

  private final ByteChannel channel;
  private final SSLEngine engine;
  private ByteBuffer netIn;
  private ByteBuffer netOut;
  private ByteBuffer text;
  private boolean ended;
  private boolean waits;

  /**
   * Begins nothing yet.
   *
   * @param channel does not block, and is connected when the first byte is written
   * @param engine this end
   */
  public TlsWire(ByteChannel channel, SSLEngine engine) {
    this.channel = channel;
    this.engine = engine;
    int net = engine.getSession().getPacketBufferSize();
    netIn = ByteBuffer.allocate(net);
    netOut = ByteBuffer.allocate(net);
    text = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    boolean goesOn = drained();
    while (goesOn) {
      HandshakeStatus status = engine.getHandshakeStatus();
      switch (status) {
        case NEED_TASK -> compute();
        case NEED_WRAP -> goesOn = wrap(NOTHING) && drained();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> goesOn = false;
        case FINISHED, NOT_HANDSHAKING -> goesOn = bytes.hasRemaining() && wrap(bytes) && drained();
      }
    }
  }

  @Override
  public boolean isBlocked() {
    return netOut.position() > 0;
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    int before = into.position();
    boolean goesOn = true;
    while (into.hasRemaining() && goesOn) {
      boolean handed = handOver(into);
      goesOn = handed || step();
    }
    waits = !goesOn;
    int read = into.position() - before;
    return read == 0 && ended && into.hasRemaining() ? -1 : read;
  }

  @Override
  public boolean hasMore() {
    // What is still encrypted counts too, unless the engine has said that it can do nothing with
    // it.
    return text.position() > 0 || (netIn.position() > 0 && !waits);
  }

  private boolean handOver(ByteBuffer into) {
    text.flip();
    int bytes = Math.min(text.remaining(), into.remaining());
    into.put(text.slice(text.position(), bytes));
    text.position(text.position() + bytes);
    text.compact();
    return bytes > 0;
  }

  /**
   * Does what the engine wants next.
   *
   * @return whether it may want more now
   */
  private boolean step() throws IOException {
    return switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> {
        compute();
        yield true;
      }
      case NEED_WRAP -> drained() && wrap(NOTHING) && drained();
      default -> unwrap();
    };
  }

  private void compute() {
    Runnable task = engine.getDelegatedTask();
    while (task != null) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }

  /** Sends what is encrypted; whether all of it is sent. */
  private boolean drained() throws IOException {
    if (netOut.position() > 0) {
      netOut.flip();
      channel.write(netOut);
      netOut.compact();
    }
    return netOut.position() == 0;
  }

  private boolean wrap(ByteBuffer bytes) throws IOException {
    SSLEngineResult result = engine.wrap(bytes, netOut);
    if (result.getStatus() == Status.BUFFER_OVERFLOW) {
      netOut = grown(netOut, engine.getSession().getPacketBufferSize());
      return true;
    }
    if (result.getStatus() == Status.CLOSED) {
      ended = true;
      return false;
    }
    return true;
  }

  private boolean unwrap() throws IOException {
    if (ended) {
      return false;
    }
    netIn.flip();
    SSLEngineResult result;
    try {
      result = engine.unwrap(netIn, text);
    } finally {
      netIn.compact();
    }
    return switch (result.getStatus()) {
      case OK ->
          result.bytesConsumed() > 0
              || result.bytesProduced() > 0
              || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK
              || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
      case BUFFER_OVERFLOW -> {
        text = grown(text, engine.getSession().getApplicationBufferSize());
        yield true;
      }
      case BUFFER_UNDERFLOW -> received();
      case CLOSED -> {
        ended = true;
        yield false;
      }
    };
  }

  private boolean received() throws IOException {
    if (!netIn.hasRemaining()) {
      netIn = grown(netIn, engine.getSession().getPacketBufferSize());
    }
    int read = channel.read(netIn);
    ended = read < 0;
    return read > 0;
  }

  private static ByteBuffer grown(ByteBuffer buffer, int wanted) throws SSLException {
    int size = Math.max(wanted, 2 * buffer.capacity());
    if (size > MOST_BYTES) {
      throw new SSLException("a record of more than " + MOST_BYTES + " bytes");
    }
    return ByteBuffer.allocate(size).put(buffer.flip());
  }

  @Override
  public void close() {
    try {
      engine.closeOutbound();
      if (drained() && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
        boolean wrapped = wrap(NOTHING);
        boolean sent = drained() && wrapped;
        ended |= sent;
      }
    } catch (IOException e) {
      // the connection is gone, and with it whom to tell
    }
  }
}
