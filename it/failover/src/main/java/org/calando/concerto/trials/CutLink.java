package org.calando.concerto.trials;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.calando.core.time.DaemonThread;

/*
 * org.calando.local.relay delays what nodes of a cluster send each other, and loses nothing of it;
 * this one is a link that goes away, and may deliver late what was under way when it did.
 */
/** A link to a port of this machine, which can be frozen or cut. Thread safe. */
final class CutLink implements AutoCloseable {
  private static final int CHUNK = 1 << 13;

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private State state = State.OPEN;

  private enum State {
    OPEN,
    FROZEN,
    CUT
  }

  /** Opens one. */
  CutLink(int port) {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    target = new InetSocketAddress(loopback, port);
    try {
      listener = new ServerSocket(0, 64, loopback);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var unused = DaemonThread.start("link-" + port, this::accept);
  }

  /** Where it is reached. */
  int port() {
    return listener.getLocalPort();
  }

  /** Whether anything gets through. */
  synchronized boolean isOpen() {
    return state == State.OPEN;
  }

  /** Nothing gets through any more; who sends does not hear of it. */
  synchronized void freeze() {
    state = State.FROZEN;
  }

  /** Connections end, and new ones too. */
  void cut() {
    become(State.CUT);
    sockets.forEach(CutLink::discard);
  }

  /**
   * Makes it whole again.
   *
   * @param late whether what was sent to a frozen link arrives now, and is not lost
   */
  void mend(boolean late) {
    if (!late) {
      sockets.forEach(CutLink::discard);
    }
    become(State.OPEN);
  }

  private synchronized void become(State next) {
    state = next;
    notifyAll();
  }

  /** Waits while it is frozen; whether it is open then. */
  private synchronized boolean awaitOpen() {
    try {
      while (state == State.FROZEN) {
        wait();
      }
      return state == State.OPEN;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket from = listener.accept();
        sockets.add(from);
        if (awaitOpen()) {
          connect(from);
        } else {
          forget(from);
        }
      } catch (IOException e) {
        // It is closed, or who wanted a connection is gone.
      }
    }
  }

  private void connect(Socket from) {
    Socket to = new Socket();
    try {
      to.connect(target);
      to.setTcpNoDelay(true);
      from.setTcpNoDelay(true);
    } catch (IOException e) {
      forget(from);
      forget(to);
      return;
    }
    sockets.add(to);
    var unusedThere = DaemonThread.start("link-there", () -> pump(from, to));
    var unusedBack = DaemonThread.start("link-back", () -> pump(to, from));
  }

  private void pump(Socket from, Socket to) {
    byte[] bytes = new byte[CHUNK];
    try {
      InputStream in = from.getInputStream();
      for (int n = in.read(bytes); n >= 0 && awaitOpen(); n = in.read(bytes)) {
        to.getOutputStream().write(bytes, 0, n);
      }
    } catch (IOException e) {
      // It has ended.
    } finally {
      forget(from);
      forget(to);
    }
  }

  private void forget(Socket socket) {
    sockets.remove(socket);
    discard(socket);
  }

  private static void discard(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is not used any more.
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      // It is not used any more.
    }
    cut();
  }
}
