package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.List;
import java.util.Optional;
import org.calando.core.CalandoException;
import org.calando.store.cassandra.internal.Connector;
import org.calando.store.cassandra.internal.Inspector;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a cluster without changing it: each node by itself, the user's permissions, whose the
 * keyspace is. Every question has a deadline of seconds; nodes are asked at once, a few at a time.
 * Not thread safe.
 */
public final class ClusterInspection implements AutoCloseable {
  private final CassandraStoreConfig config;
  private final @Nullable CqlSession session;
  private final Optional<CalandoException> refusal;

  /**
   * What is known about a permission or a right of use.
   *
   * @param state whether it is there
   * @param text what was found, with a remedy if that is needed
   */
  public record Answer(State state, String text) {
    /** Yes, no, or the cluster does not tell. */
    public enum State {
      YES,
      NO,
      UNKNOWN
    }
  }

  private ClusterInspection(
      CassandraStoreConfig config, @Nullable CqlSession session, Optional<CalandoException> no) {
    this.config = config;
    this.session = session;
    this.refusal = no;
  }

  /** Connects, or remembers why that failed; blocks. */
  public static ClusterInspection of(CassandraStoreConfig config) {
    try {
      return new ClusterInspection(config, Connector.connect(config), Optional.empty());
    } catch (CalandoException e) {
      return new ClusterInspection(config, null, Optional.of(e));
    }
  }

  /** Why there is no connection; empty if there is one. */
  public Optional<CalandoException> refusal() {
    return refusal;
  }

  /** Every contact point by itself, in the order of the configuration; blocks. */
  public List<NodeReport> nodes() {
    return Inspector.nodes(config, session);
  }

  /** The nodes that the driver has found; none without a connection. */
  public List<ClusterNode> discovered() {
    return session == null ? List.of() : Connector.nodes(session);
  }

  /** Why each JMX endpoint, in their order, does not answer; an empty text where it does. */
  public List<String> jmx() {
    return Inspector.jmx(config);
  }

  /** Whether the user may do what a study does; without a connection unknown. */
  public Answer permissions() {
    return session == null ? notAsked() : Inspector.permissions(session, config);
  }

  /** Whether a study may use the table: its keyspace is ours or absent, and nobody uses it. */
  public Answer ownership(String table) {
    return session == null ? notAsked() : Inspector.ownership(session, config, table);
  }

  private static Answer notAsked() {
    return new Answer(Answer.State.UNKNOWN, "is not known without a connection");
  }

  @Override
  public void close() {
    if (session != null) {
      Connector.close(session);
    }
  }
}
