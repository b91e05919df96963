package org.calando.store.redis.internal.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.calando.core.FailedWorkException;
import org.calando.http.Credentials;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.internal.NodePoll;
import org.calando.store.redis.internal.wire.RespReader.Refusal;

/** A connection that waits for each answer, for a few questions. Not thread safe. */
public final class RespCall implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final int FIRST_BYTES = 16 * 1024;

  private final RedisNode node;
  private final Socket socket;
  private ByteBuffer in = ByteBuffer.allocate(FIRST_BYTES);

  private RespCall(RedisNode node, Socket socket) {
    this.node = node;
    this.socket = socket;
  }

  /**
   * Connects, and logs in.
   *
   * @param tls how it is encrypted; empty: not at all
   * @throws FailedWorkException if the node is not there or refuses the password
   */
  public static RespCall open(
      RedisNode node, Optional<Credentials> credentials, Optional<TlsKeys> tls) {
    RespCall call = new RespCall(node, socket(node, tls));
    Socket socket = call.socket;
    try {
      socket.connect(new InetSocketAddress(node.host(), node.port()), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      if (credentials.isPresent()
          && call.exchange(NodePoll.login(credentials.get())) instanceof Refusal refusal) {
        throw new IOException("it refuses the password: " + refusal.text());
      }
      return call;
    } catch (IOException e) {
      call.close();
      throw call.failed(e);
    }
  }

  /** Not connected yet. */
  private static Socket socket(RedisNode node, Optional<TlsKeys> tls) {
    if (tls.isEmpty()) {
      return new Socket();
    }
    try {
      SSLSocket socket = (SSLSocket) tls.get().context().getSocketFactory().createSocket();
      SSLParameters parameters = tls.get().secured(socket.getSSLParameters());
      socket.setSSLParameters(parameters);
      return socket;
    } catch (IOException e) {
      throw new FailedWorkException(
          "no socket can be opened: " + e.getMessage(), node.toString(), "free descriptors", e);
    }
  }

  /**
   * Asks for a text.
   *
   * @throws FailedWorkException if the node does not answer with one
   */
  public String text(String... words) {
    Object reply = ask(words);
    if (reply instanceof String text) {
      return text;
    }
    throw failed(new IOException("it answers " + words[0] + " with " + described(reply)));
  }

  /**
   * Asks.
   *
   * @return what {@link RespReader} reads
   * @throws FailedWorkException if there is no answer
   */
  public Object ask(String... words) {
    try {
      return exchange(RespLink.command(List.of(words)));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private Object exchange(byte[] command) throws IOException {
    socket.getOutputStream().write(command);
    while (true) {
      in.flip();
      Object reply = RespReader.read(in);
      in.compact();
      if (reply != null) {
        return reply;
      }
      receive();
    }
  }

  private void receive() throws IOException {
    if (!in.hasRemaining()) {
      if (in.capacity() >= RespReader.LONGEST_BYTES) {
        throw new IOException("an answer of more than " + RespReader.LONGEST_BYTES + " bytes");
      }
      in = ByteBuffer.allocate(4 * in.capacity()).put(in.flip());
    }
    int read = socket.getInputStream().read(in.array(), in.position(), in.remaining());
    if (read < 0) {
      throw new EOFException("it closed the connection");
    }
    in.position(in.position() + read);
  }

  private static String described(Object reply) {
    return reply instanceof Refusal refusal ? "'" + refusal.text() + "'" : "no text";
  }

  private FailedWorkException failed(IOException cause) {
    return new FailedWorkException(
        "a Redis node does not answer: " + cause.getMessage(),
        node.toString(),
        "start it, or correct its address or password",
        cause);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // nothing more is asked of it
    }
  }
}
