package org.calando.knob.compaction;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXPrincipal;
import javax.management.remote.JMXServiceURL;
import javax.security.auth.Subject;

/** A JMX server with Cassandra's attribute, at a port of its own. Thread safe. */
final class LimitedNode implements AutoCloseable {
  /** What a bean has to be named by. */
  public interface StorageServiceMBean {
    int getCompactionThroughputMbPerSec();

    void setCompactionThroughputMbPerSec(int limit);
  }

  /** The bean. */
  public static final class StorageService implements StorageServiceMBean {
    private final AtomicInteger limit;

    StorageService(AtomicInteger limit) {
      this.limit = limit;
    }

    @Override
    public int getCompactionThroughputMbPerSec() {
      return limit.get();
    }

    @Override
    public void setCompactionThroughputMbPerSec(int to) {
      limit.set(to);
    }
  }

  private final AtomicInteger limit;
  private final int port;
  private final Registry registry;
  private final JMXConnectorServer server;

  private LimitedNode(AtomicInteger limit, int port, Registry registry, JMXConnectorServer server) {
    this.limit = limit;
    this.port = port;
    this.registry = registry;
    this.server = server;
  }

  /** One that answers; asks for a password where one is given. */
  static LimitedNode start(int limit, Optional<String> password) throws IOException {
    // Else a stub has the machine's name, which not every network knows.
    System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    AtomicInteger value = new AtomicInteger(limit);
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    try {
      beans.registerMBean(new StorageService(value), new ObjectName(NodeLimit.BEAN));
    } catch (JMException e) {
      throw new IOException(e);
    }
    int port = freePort();
    Registry registry = LocateRegistry.createRegistry(port);
    Map<String, Object> environment = new HashMap<>();
    password.ifPresent(word -> environment.put(JMXConnectorServer.AUTHENTICATOR, asking(word)));
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi"),
            environment,
            beans);
    server.start();
    return new LimitedNode(value, port, registry, server);
  }

  private static JMXAuthenticator asking(String password) {
    return credentials -> {
      if (credentials instanceof String[] given && given[1].equals(password)) {
        Subject subject = new Subject();
        subject.getPrincipals().add(new JMXPrincipal(given[0]));
        return subject;
      }
      throw new SecurityException("refused");
    };
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  int limit() {
    return limit.get();
  }

  void set(int to) {
    limit.set(to);
  }

  /** Answers no more. */
  @Override
  public void close() {
    try {
      server.stop();
      var unused = UnicastRemoteObject.unexportObject(registry, true);
    } catch (NoSuchObjectException e) {
      // closed before
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
