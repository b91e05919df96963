package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterInspection.Answer;
import org.calando.store.cassandra.ClusterInspection.Answer.State;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.NodeReport;
import org.jspecify.annotations.Nullable;

/** Asks a cluster what a doctor wants to know; only reads. Stateless. */
public final class Inspector {
  private static final int AT_ONCE = 16;
  private static final int CONNECT_MILLIS = 3_000;

  private Inspector() {}

  /**
   * Each contact point by itself, in their order.
   *
   * @param session the connection, if there is one; without it only the port is tried
   */
  public static List<NodeReport> nodes(CassandraStoreConfig config, @Nullable CqlSession session) {
    List<Endpoint> points = config.contactPoints();
    ExecutorService threads = DaemonThread.pool("calando-doctor", Math.min(AT_ONCE, points.size()));
    try {
      List<Future<NodeReport>> asked = new ArrayList<>();
      points.forEach(point -> asked.add(threads.submit(() -> node(point, session))));
      List<NodeReport> reports = new ArrayList<>();
      for (Future<NodeReport> each : asked) {
        reports.add(each.get());
      }
      return reports;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private static NodeReport node(Endpoint point, @Nullable CqlSession session) {
    InetSocketAddress address = point.resolve();
    if (address.isUnresolved()) {
      return new NodeReport(point, "there is no such host", Optional.empty());
    }
    try (Socket socket = new Socket()) {
      socket.connect(address, CONNECT_MILLIS);
    } catch (IOException e) {
      return new NodeReport(point, "no connection: " + e.getMessage(), Optional.empty());
    }
    return session == null
        ? new NodeReport(point, "", Optional.empty())
        : NodeQuestions.ask(session, point, address);
  }

  /** Why each JMX endpoint does not answer; an empty text where it does. */
  public static List<String> jmx(CassandraStoreConfig config) {
    return config.jmxEndpoints().isEmpty() ? List.of() : JmxProbe.obstacles(config);
  }

  /** Whether the user may do what a study does. */
  public static Answer permissions(CqlSession session, CassandraStoreConfig config) {
    return Permissions.of(session, config);
  }

  /** Whether a study may use the table. */
  public static Answer ownership(CqlSession session, CassandraStoreConfig config, String table) {
    String keyspace = config.keyspace();
    try {
      Ownership ownership = new Ownership(session, keyspace);
      ownership.requireNodes(config.replication());
      if (!ownership.keyspaceExists()) {
        return new Answer(State.YES, "does not exist yet; a study creates it");
      }
      Map<String, String> comments = ownership.tableComments();
      ownership.requireOurs(comments, table);
      if (!ownership.replication().equals(config.replication().options())) {
        ownership.requireNoGuest(comments, config.replication());
        Claims.requireNoOthers(session, keyspace, table, "");
      }
      return inUse(session, keyspace, table);
    } catch (CalandoException e) {
      return new Answer(State.NO, String.valueOf(e.getMessage()));
    } catch (DriverException e) {
      return new Answer(State.UNKNOWN, "is not known (" + e.getMessage() + ")");
    }
  }

  private static Answer inUse(CqlSession session, String keyspace, String table) {
    Optional<Claims.Holder> holder = Claims.holder(session, keyspace, table);
    if (holder.isEmpty() || ThisProcess.hasEnded(holder.get().process())) {
      return new Answer(State.YES, "is Calando's own, and nobody uses it");
    }
    return new Answer(
        State.NO,
        "is in use by another study: "
            + holder.get().owner()
            + ", since "
            + holder.get().since()
            + "\n  remedy: wait for its end, or name another keyspace");
  }
}
