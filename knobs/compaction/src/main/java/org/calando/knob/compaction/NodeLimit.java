package org.calando.knob.compaction;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.calando.core.FailedWorkException;
import org.calando.core.store.CompactionLimits.Login;
import org.calando.core.time.DaemonThread;
import org.jspecify.annotations.Nullable;

/**
 * The limit of one node, over a JMX connection for each call. Thread safe.
 *
 * @param address {@code host:port} of its JMX
 * @param login who asks, if the node asks for that
 */
record NodeLimit(String address, Optional<Login> login) {
  static final String BEAN = "org.apache.cassandra.db:type=StorageService";

  static final String ATTRIBUTE = "CompactionThroughputMbPerSec";

  static final String PENDING = "org.apache.cassandra.metrics:type=Compaction,name=PendingTasks";
  static final String PENDING_ATTRIBUTE = "Value";

  private static final String FILE = "file:";
  private static final String VARIABLE = "env:";
  private static final long SECONDS = 20;

  @FunctionalInterface
  private interface Call {
    Object run(MBeanServerConnection node) throws IOException, JMException;
  }

  /**
   * What it is, in MiB/s; 0 is none. Blocks for 20 s at most.
   *
   * @throws FailedWorkException if the node does not say so
   */
  int read() {
    Object value = call(node -> node.getAttribute(new ObjectName(BEAN), ATTRIBUTE));
    if (value instanceof Integer limit) {
      return limit;
    }
    throw failed("says " + value + ", not a whole number of MiB/s", null);
  }

  /**
   * How many compactions wait. Blocks for 20 s at most.
   *
   * @throws FailedWorkException if the node does not say so
   */
  int pending() {
    Object value = call(node -> node.getAttribute(new ObjectName(PENDING), PENDING_ATTRIBUTE));
    if (value instanceof Number waiting) {
      return waiting(waiting.longValue());
    }
    throw failed("says that " + value + " compactions wait, which is no number", null);
  }

  /** A count of compactions; more than an int holds is the most that it does. */
  static int waiting(long count) {
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, count));
  }

  /**
   * Sets it, in MiB/s. Blocks for 20 s at most.
   *
   * @throws FailedWorkException if the node does not take it
   */
  void write(int limit) {
    var unused =
        call(
            node -> {
              node.setAttribute(new ObjectName(BEAN), new Attribute(ATTRIBUTE, limit));
              return limit;
            });
  }

  /** On a thread of its own, for RMI has no limit of time. */
  private Object call(Call call) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    var unused =
        DaemonThread.start(
            "calando-compaction-" + address,
            () -> {
              try (JMXConnector connector = connect()) {
                answer.complete(call.run(connector.getMBeanServerConnection()));
              } catch (IOException | JMException | RuntimeException e) {
                answer.completeExceptionally(e);
              }
            });
    try {
      return answer.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw failed("does not answer in time", e);
    } catch (ExecutionException e) {
      throw failed("does not answer: " + root(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed("was not waited for", e);
    }
  }

  // JMX over RMI is how Cassandra offers it; the address is the user's own configuration.
  @SuppressWarnings("BanJNDI")
  private JMXConnector connect() throws IOException {
    Map<String, Object> environment = new HashMap<>();
    // No thread that asks now and then whether the node is there.
    environment.put("jmx.remote.x.client.connection.check.period", 0L);
    if (login.isPresent()) {
      environment.put(
          JMXConnector.CREDENTIALS,
          new String[] {login.get().user(), password(login.get().password())});
    }
    return JMXConnectorFactory.connect(
        new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi"), environment);
  }

  private static String password(String where) throws IOException {
    @Nullable String found;
    if (where.startsWith(FILE)) {
      try (BufferedReader lines =
          Files.newBufferedReader(Path.of(where.substring(FILE.length())))) {
        found = lines.readLine();
      }
    } else {
      found = System.getenv(where.substring(VARIABLE.length()));
    }
    if (found == null) {
      throw new IOException("there is no password at " + where);
    }
    return found;
  }

  private static String root(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause.toString();
  }

  private FailedWorkException failed(String what, @Nullable Throwable cause) {
    String remedy = "start the node; or correct its JMX endpoint, user or password";
    return cause == null
        ? new FailedWorkException(what, "JMX " + address, remedy)
        : new FailedWorkException(what, "JMX " + address, remedy, cause);
  }
}
