package org.calando.store.redis.internal.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Bytes on their way through a connection that never blocks. Not thread safe. */
interface Wire {
  /** Sends what can be sent now; the rest stays in the buffer. */
  void write(ByteBuffer bytes) throws IOException;

  /** Whether something waits for room in the connection, and not for the other side's word. */
  boolean isBlocked();

  /**
   * Takes what has come, as far as there is room for it.
   *
   * @return how many bytes; -1 at the end
   */
  int read(ByteBuffer into) throws IOException;

  /** Whether more has come than there was room for, of which the selector does not know. */
  boolean hasMore();

  /** Says goodbye, if that takes no time. */
  void close();

  /** Bytes as they are. */
  static Wire plain(SocketChannel channel) {
    return new Wire() {
      private boolean blocked;

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        channel.write(bytes);
        blocked = bytes.hasRemaining();
      }

      @Override
      public boolean isBlocked() {
        return blocked;
      }

      @Override
      public int read(ByteBuffer into) throws IOException {
        return channel.read(into);
      }

      @Override
      public boolean hasMore() {
        return false;
      }

      @Override
      public void close() {}
    };
  }
}
