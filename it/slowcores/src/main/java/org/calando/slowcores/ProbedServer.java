package org.calando.slowcores;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;

/**
 * An empty server that can be slowed, with one client that asks and waits: to calibrate on. Used by
 * one thread.
 */
public final class ProbedServer implements AutoCloseable {
  private static final byte[] GET =
      "*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NIL = "$-1\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Process server;
  private final Socket client;

  private ProbedServer(Process server, Socket client) {
    this.server = server;
    this.client = client;
  }

  /**
   * Starts a server on a free port and waits until it answers. It keeps nothing on disk.
   *
   * @param program the server's program
   * @param folder its working directory and that of its log; made if it is not there
   * @throws FailedWorkException if it does not start, with its log
   */
  public static ProbedServer start(SlowCores cores, Path program, Path folder) {
    try {
      Files.createDirectories(folder);
      int port = freePort();
      String[] command = {
        cores.slowable(program).toString(),
        "--port",
        String.valueOf(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        folder.toString()
      };
      Path log = folder.resolve("log");
      Process server =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      return new ProbedServer(server, connect(server, port, log));
    } catch (IOException e) {
      throw failed(e, folder);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static Socket connect(Process server, int port, Path log) throws IOException {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    while (server.isAlive()) {
      Socket socket = new Socket();
      try {
        socket.connect(address, TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
      } catch (IOException e) {
        socket.close();
        Thread.onSpinWait();
      }
    }
    throw new IOException("the server ended: " + Files.readString(log));
  }

  /** The server's process. */
  public long pid() {
    return server.pid();
  }

  /**
   * Asks for a key that is not there, and waits for the answer.
   *
   * @throws FailedWorkException if there is none, or another, within ten seconds
   */
  public void get() {
    try {
      OutputStream out = client.getOutputStream();
      InputStream in = client.getInputStream();
      out.write(GET);
      byte[] answer = in.readNBytes(NIL.length);
      if (!Arrays.equals(answer, NIL)) {
        throw new IOException("answered " + new String(answer, StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw failed(e, Path.of("/proc", String.valueOf(pid())));
    }
  }

  private static FailedWorkException failed(IOException e, Path where) {
    return new FailedWorkException(
        "the server to calibrate on fails: " + e.getMessage(), where.toString(), "see its log", e);
  }

  /** Kills the server, and returns when it is gone. */
  @Override
  public void close() {
    try {
      client.close();
      server.destroyForcibly();
      if (!server.waitFor(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new IOException("it does not end");
      }
    } catch (IOException e) {
      throw failed(e, Path.of("/proc", String.valueOf(pid())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
