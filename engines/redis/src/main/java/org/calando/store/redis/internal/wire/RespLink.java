package org.calando.store.redis.internal.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.store.redis.RedisNode;

/**
 * A connection that never blocks, for few and small requests. Its selection key's attachment is
 * given at the start. Not thread safe.
 */
public final class RespLink {
  private static final int FIRST_BYTES = 4096;

  private final SocketChannel channel;
  private final Wire wire;
  private final SelectionKey key;
  private ByteBuffer in = ByteBuffer.allocate(FIRST_BYTES);
  private ByteBuffer out = ByteBuffer.allocate(FIRST_BYTES);
  private boolean connected;

  /**
   * Begins to connect.
   *
   * @param tls how it is encrypted; empty: not at all
   */
  public RespLink(Selector selector, RedisNode node, Optional<TlsKeys> tls, Object attachment)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(node.host(), node.port());
    if (address.isUnresolved()) {
      throw new IOException("the host " + address.getHostString() + " is not known");
    }
    channel = SocketChannel.open();
    try {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      wire =
          tls.<Wire>map(keys -> new TlsWire(channel, keys.engine(node)))
              .orElseGet(() -> Wire.plain(channel));
      connected = channel.connect(address);
      key =
          channel.register(
              selector, connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, attachment);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** A command as bytes. */
  public static byte[] command(List<String> words) {
    StringBuilder text = new StringBuilder("*").append(words.size()).append("\r\n");
    for (String word : words) {
      int bytes = word.getBytes(StandardCharsets.UTF_8).length;
      text.append('$').append(bytes).append("\r\n").append(word).append("\r\n");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Sends a command, now or when the connection allows it. */
  public void send(byte[] command) throws IOException {
    if (out.remaining() < command.length) {
      int needed = out.position() + command.length;
      if (needed > RespReader.LONGEST_BYTES) {
        throw new IOException("requests are not taken");
      }
      out = ByteBuffer.allocate(2 * needed).put(out.flip());
    }
    out.put(command);
    if (connected) {
      flush();
    }
  }

  /** Does what the selector says is possible, and hands over each whole reply. */
  public void ready(Consumer<Object> replies) throws IOException {
    if (!connected && key.isConnectable()) {
      connected = channel.finishConnect();
      if (connected) {
        key.interestOps(SelectionKey.OP_READ);
        flush();
      }
      return;
    }
    if (key.isWritable()) {
      flush();
    }
    do {
      receive(replies);
    } while (key.isValid() && wire.hasMore());
    // What came may be what requests waited for: the end of a handshake.
    if (key.isValid() && (out.position() > 0 || wire.isBlocked())) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.flip();
    wire.write(out);
    out.compact();
    int interest =
        wire.isBlocked() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    if (key.interestOps() != interest) {
      key.interestOps(interest);
    }
  }

  private void receive(Consumer<Object> replies) throws IOException {
    if (!in.hasRemaining()) {
      if (in.capacity() >= RespReader.LONGEST_BYTES) {
        throw new IOException("a reply of more than " + RespReader.LONGEST_BYTES + " bytes");
      }
      in = ByteBuffer.allocate(4 * in.capacity()).put(in.flip());
    }
    if (wire.read(in) < 0) {
      throw new EOFException("the node closed the connection");
    }
    in.flip();
    Object reply = RespReader.read(in);
    while (reply != null && key.isValid()) {
      replies.accept(reply);
      reply = RespReader.read(in);
    }
    in.compact();
  }

  public void close() {
    if (connected) {
      wire.close();
    }
    key.cancel();
    try {
      channel.close();
    } catch (IOException e) {
      // nothing more is asked of it
    }
  }
}
