package org.calando.local.cassandra;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * Asks one node over JMX how it sees the cluster. Not thread safe.
 *
 * <p>RMI knows no read timeout, so each question runs in a daemon thread, one at a time: while a
 * hung node leaves one unanswered, the next ones are answered with "unknown".
 */
final class NodeProbe implements AutoCloseable {
  /** No thread that asks now and then, and warns on the terminal of a node that was stopped. */
  private static final Map<String, Object> NO_CHECKER =
      Map.of("jmx.remote.x.client.connection.check.period", 0L);

  private static final long ANSWER_SECONDS = 5;
  private static final int CONNECT_MILLIS = 500;

  private final LocalCassandraConfig config;
  private final int node;
  private final ThreadPoolExecutor thread;
  private volatile @Nullable JMXConnector connector;

  /**
   * How a node sees the cluster.
   *
   * @param ready its mode is NORMAL and its native transport runs
   * @param live addresses it holds to be up, itself included
   * @param ownGeneration its own gossip generation, which every start raises
   * @param generations the newest generation it knows of each address
   */
  record View(
      boolean ready, Set<String> live, int ownGeneration, Map<String, Integer> generations) {
    View {
      live = Set.copyOf(live);
      generations = Map.copyOf(generations);
    }
  }

  NodeProbe(LocalCassandraConfig config, int node) {
    this.config = config;
    this.node = node;
    this.thread =
        new ThreadPoolExecutor(
            0,
            1,
            1,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThread.factory("calando-jmx-n" + node));
  }

  /** True if the native transport's port takes a connection. */
  boolean acceptsCql() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(config.address(node), config.cqlPort()), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** The node's view, or nothing if it does not answer within five seconds. */
  Optional<View> view() {
    Future<View> answer;
    try {
      answer = thread.submit(this::ask);
    } catch (RejectedExecutionException stillWaiting) {
      return Optional.empty();
    }
    try {
      return Optional.of(answer.get(ANSWER_SECONDS, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (ExecutionException | TimeoutException e) {
      closeConnector();
      return Optional.empty();
    }
  }

  private View ask() throws IOException, JMException {
    MBeanServerConnection beans = connect().getMBeanServerConnection();
    ObjectName service = new ObjectName("org.apache.cassandra.db:type=StorageService");
    ObjectName detector = new ObjectName("org.apache.cassandra.net:type=FailureDetector");
    boolean ready =
        "NORMAL".equals(beans.getAttribute(service, "OperationMode"))
            && Boolean.TRUE.equals(beans.getAttribute(service, "NativeTransportRunning"));
    Set<String> live = new HashSet<>();
    for (Object address : (List<?>) beans.getAttribute(service, "LiveNodes")) {
      live.add(String.valueOf(address));
    }
    Object own = beans.getAttribute(service, "CurrentGenerationNumber");
    Object states = beans.getAttribute(detector, "AllEndpointStates");
    return new View(ready, live, ((Number) own).intValue(), generations(String.valueOf(states)));
  }

  /**
   * Reads the failure detector's text: a line per address, which starts with a slash or a host name
   * and a slash, followed by indented lines, one of which is "generation:NUMBER".
   */
  static Map<String, Integer> generations(String states) {
    Map<String, Integer> generations = new HashMap<>();
    String address = "";
    for (String line : states.lines().toList()) {
      String text = line.trim();
      if (!line.startsWith(" ") && line.contains("/")) {
        address = text.substring(text.indexOf('/') + 1);
      } else if (text.startsWith("generation:")) {
        generations.put(address, Integer.parseInt(text.substring("generation:".length())));
      }
    }
    return generations;
  }

  // The name is looked up in the registry of our own child on 127.0.0.1, at a port we gave it.
  @SuppressWarnings("BanJNDI")
  private JMXConnector connect() throws IOException {
    JMXConnector open = connector;
    if (open == null) {
      String url = "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + config.jmxPort(node) + "/jmxrmi";
      open = JMXConnectorFactory.connect(new JMXServiceURL(url), NO_CHECKER);
      connector = open;
    }
    return open;
  }

  private void closeConnector() {
    JMXConnector open = connector;
    connector = null;
    if (open != null) {
      // Closing talks to the node and may hang with it; a dropped connector is collected instead.
      try {
        thread.execute(
            () -> {
              try {
                open.close();
              } catch (IOException e) {
                // the node is gone
              }
            });
      } catch (RejectedExecutionException busy) {
        // then it is left to the collector
      }
    }
  }

  @Override
  public void close() {
    closeConnector();
    thread.shutdown();
  }
}
