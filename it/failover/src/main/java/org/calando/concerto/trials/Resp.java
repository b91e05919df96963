package org.calando.concerto.trials;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A connection of its own to a server, apart from all that is under test. Used by one thread.
 *
 * <p>Answers are texts: the first word or number of what came, or an array's entries.
 */
final class Resp implements AutoCloseable {
  private static final int MOST_ENTRIES = 1024;
  private static final int SHORT_MILLIS = 500;

  private final Socket socket = new Socket();
  private final InputStream in;

  Resp(int port, int timeoutMillis) throws IOException {
    boolean open = false;
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(timeoutMillis);
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      socket.connect(new InetSocketAddress(loopback, port), timeoutMillis);
      in = new BufferedInputStream(socket.getInputStream());
      open = true;
    } finally {
      if (!open) {
        socket.close();
      }
    }
  }

  /**
   * Sends a command and waits for its answer.
   *
   * @throws RespError if the server answers with an error
   */
  List<String> ask(String... words) throws IOException {
    StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
    for (String word : words) {
      request.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.US_ASCII));
    List<String> answer = new ArrayList<>();
    read(answer);
    return answer;
  }

  /** Whether a server says that it is the master; empty if it does not answer. */
  static Optional<Boolean> saysMaster(int port) {
    try (Resp link = new Resp(port, SHORT_MILLIS)) {
      return Optional.of(link.ask("ROLE").get(0).equals("master"));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private void read(List<String> into) throws IOException {
    String head = line();
    String rest = head.substring(1);
    switch (head.charAt(0)) {
      case '+', ':' -> into.add(rest);
      case '-' -> throw new RespError(rest);
      case '$' -> into.add(bulk(Integer.parseInt(rest)));
      case '*' -> {
        int entries = Math.min(MOST_ENTRIES, Integer.parseInt(rest));
        for (int i = 0; i < entries; i++) {
          read(into);
        }
      }
      default -> throw new IOException("not an answer: " + head);
    }
  }

  private String bulk(int length) throws IOException {
    if (length < 0) {
      return "";
    }
    String text = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
    in.skipNBytes(2);
    return text;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    if (line.isEmpty()) {
      throw new IOException("an empty answer");
    }
    return line.toString();
  }

  /** Closes a connection that is not used any more, if there is one. */
  static void discard(@Nullable Resp link) {
    try {
      if (link != null) {
        link.close();
      }
    } catch (IOException e) {
      // it is not used any more
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
