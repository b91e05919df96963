package org.calando.store.cassandra.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;

/**
 * Asks each node's JMX counters. RMI has no time limit of its own, so each call runs on a daemon
 * thread and is given up after one; at most one thread a node exists.
 */
final class JmxProbe implements Settling.Probe {
  private static final long CALL_SECONDS = 5;

  private interface Call<T> {
    T run(JmxNode node) throws Exception;
  }

  private final List<JmxNode> nodes = new ArrayList<>();
  private final List<ExecutorService> threads = new ArrayList<>();

  private JmxProbe(CassandraStoreConfig config) {
    for (Endpoint endpoint : config.jmxEndpoints()) {
      nodes.add(new JmxNode(endpoint, config.jmxCredentials()));
      threads.add(DaemonThread.executor("calando-jmx-" + endpoint));
    }
  }

  static JmxProbe connect(CassandraStoreConfig config) {
    JmxProbe probe = new JmxProbe(config);
    try {
      for (int i = 0; i < probe.nodes.size(); i++) {
        probe.callOrFail(i, CALL_SECONDS, JmxNode::takeBaseline);
      }
      return probe;
    } catch (RuntimeException e) {
      probe.close();
      throw e;
    }
  }

  /** Why each endpoint, in their order, cannot be asked; empty text where it can. Blocks. */
  static List<String> obstacles(CassandraStoreConfig config) {
    List<String> obstacles = new ArrayList<>();
    try (JmxProbe probe = new JmxProbe(config)) {
      for (int i = 0; i < probe.nodes.size(); i++) {
        try {
          var unused = probe.call(i, CALL_SECONDS, JmxNode::takeBaseline);
          obstacles.add("");
        } catch (ExecutionException | TimeoutException e) {
          obstacles.add(reason(e));
        }
      }
    }
    return obstacles;
  }

  @Override
  public List<String> workLeft() {
    List<String> left = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      try {
        left.addAll(call(i, CALL_SECONDS, JmxNode::workLeft));
      } catch (ExecutionException | TimeoutException e) {
        left.add(nodes.get(i) + " does not answer (" + reason(e) + ")");
      }
    }
    return left;
  }

  private <T> void callOrFail(int node, long seconds, Call<T> call) {
    try {
      var unused = call(node, seconds, call);
    } catch (ExecutionException | TimeoutException e) {
      throw new FailedWorkException(
          "JMX does not answer (" + reason(e) + ")",
          nodes.get(node).toString(),
          "start the node; or correct its JMX endpoint, user or password; or leave the endpoints out",
          e);
    }
  }

  private <T> T call(int node, long seconds, Call<T> call)
      throws ExecutionException, TimeoutException {
    Future<T> answer = threads.get(node).submit(() -> call.run(nodes.get(node)));
    try {
      return answer.get(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw e;
    }
  }

  private static String reason(Exception error) {
    if (error instanceof TimeoutException) {
      return "no answer in time";
    }
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }

  /** Ends all connections. Idempotent. */
  @Override
  public void close() {
    for (int i = 0; i < nodes.size(); i++) {
      JmxNode node = nodes.get(i);
      if (!threads.get(i).isShutdown()) {
        threads.get(i).execute(node::close);
        threads.get(i).shutdown();
      }
    }
  }
}
