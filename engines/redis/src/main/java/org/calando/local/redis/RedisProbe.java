package org.calando.local.redis;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.calando.core.BadRequestException;
import org.calando.http.TlsFiles;

/** Asks servers on this machine questions, each over a connection of its own. Thread safe. */
final class RedisProbe {
  private static final int TIMEOUT_MILLIS = 2000;
  private static final int LONGEST_ANSWER = 1 << 20;

  private final Optional<String> password;
  private final Optional<SSLContext> tls;

  /**
   * Servers that have a password and a certificate, or none.
   *
   * @param ca certificate in PEM of the CA that signed theirs
   * @throws BadRequestException if the file cannot be read
   */
  RedisProbe(Optional<String> password, Optional<Path> ca) {
    this.password = password;
    this.tls = ca.map(TlsFiles::context);
  }

  /**
   * What INFO says.
   *
   * @param section such as {@code replication}
   * @return by name; empty if the server does not answer, refuses, or is still loading
   */
  Optional<Map<String, String>> info(int port, String section) {
    try {
      return Optional.of(fields(ask(port, "INFO", section)));
    } catch (IOException notNow) {
      return Optional.empty();
    }
  }

  /**
   * Sends a command.
   *
   * @return the line, number or text of the answer
   * @throws IOException if the server does not answer, or with an error or a list
   */
  String ask(int port, String... words) throws IOException {
    try (Socket socket = socket()) {
      InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      socket.connect(new InetSocketAddress(loopback, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      if (password.isPresent()) {
        send(socket, List.of("AUTH", password.get()));
        var unused = answer(in, "AUTH");
      }
      send(socket, Arrays.asList(words));
      return answer(in, words[0]);
    }
  }

  private Socket socket() throws IOException {
    return tls.isPresent() ? tls.get().getSocketFactory().createSocket() : new Socket();
  }

  private static void send(Socket socket, List<String> words) throws IOException {
    StringBuilder text = new StringBuilder("*").append(words.size()).append("\r\n");
    for (String word : words) {
      int bytes = word.getBytes(StandardCharsets.UTF_8).length;
      text.append('$').append(bytes).append("\r\n").append(word).append("\r\n");
    }
    socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static String answer(InputStream in, String command) throws IOException {
    String head = line(in);
    char kind = head.isEmpty() ? ' ' : head.charAt(0);
    return switch (kind) {
      case '+', ':' -> head.substring(1);
      case '$' -> bulk(in, head.substring(1));
      default -> throw new IOException(command + " is answered with '" + head + "'");
    };
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    int c = in.read();
    while (c >= 0 && c != '\n' && line.length() < LONGEST_ANSWER) {
      if (c != '\r') {
        line.append((char) c);
      }
      c = in.read();
    }
    return line.toString();
  }

  private static String bulk(InputStream in, String length) throws IOException {
    try {
      int bytes = Math.min(LONGEST_ANSWER, Math.max(0, Integer.parseInt(length)));
      return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    } catch (NumberFormatException e) {
      throw new IOException("'" + length + "' is no length", e);
    }
  }

  /** The lines {@code name:value} of a text. */
  static Map<String, String> fields(String info) {
    Map<String, String> fields = new HashMap<>();
    for (String line : info.lines().toList()) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(line.substring(0, colon), line.substring(colon + 1));
      }
    }
    return fields;
  }
}
