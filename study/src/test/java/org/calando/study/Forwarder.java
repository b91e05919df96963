package org.calando.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Another address for a node's CQL port, as a tunnel makes one. */
final class Forwarder implements AutoCloseable {
  private final ServerSocket server;
  private final InetSocketAddress target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "forwarder");
            thread.setDaemon(true);
            return thread;
          });

  Forwarder(String address, String target) throws IOException {
    this.server = new ServerSocket(0, 50, InetAddress.getByName(address));
    this.target = new InetSocketAddress(target, 9042);
    threads.execute(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket from = server.accept();
        Socket to = new Socket();
        sockets.addAll(List.of(from, to));
        to.connect(target);
        threads.execute(() -> copy(from, to));
        threads.execute(() -> copy(to, from));
      }
    } catch (IOException closed) {
      // the end
    }
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException closed) {
      // one side has ended
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
