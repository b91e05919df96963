package org.calando.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.file.Path;
import java.time.Duration;
import org.calando.core.FailedWorkException;
import org.calando.http.Credentials;
import org.calando.store.cassandra.internal.Connector;

/**
 * The users of a cluster of Calando's own that has just been started with authentication. Stateless
 * and thread safe.
 */
public final class FreshCluster {
  /** Calando's own user, no superuser. */
  public static final String USER = "calando";

  /** The user that Cassandra begins with, a superuser whose password everybody knows. */
  private static final String BUILT_IN = "cassandra";

  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long LAST_PAUSE_MILLIS = 2_000;

  private FreshCluster() {}

  /**
   * Makes {@link #USER}, who may create keyspaces (and so owns what he creates) and see whether
   * nodes have work left, and takes the built-in superuser's known password away. Blocks.
   *
   * @param fresh the cluster, without credentials
   * @param userPassword file of the password that {@link #USER} gets
   * @param superuserPassword file of the one that the built-in user gets
   * @throws FailedWorkException if the cluster does not let us in within a minute
   */
  public static void secure(
      CassandraStoreConfig.Builder fresh, Path userPassword, Path superuserPassword) {
    CassandraStoreConfig config =
        fresh.credentials(Credentials.known(BUILT_IN, BUILT_IN)).requestTimeout(DEADLINE).build();
    String user = Credentials.withPasswordFile(USER, userPassword).password();
    String superuser = Credentials.withPasswordFile(BUILT_IN, superuserPassword).password();
    try (CqlSession session = connect(config)) {
      run(
          session,
          "CREATE ROLE " + USER + " WITH SUPERUSER = false AND LOGIN = true AND PASSWORD = ",
          user);
      run(session, "GRANT CREATE ON ALL KEYSPACES TO " + USER);
      run(session, "GRANT SELECT ON KEYSPACE system_views TO " + USER);
      run(session, "ALTER ROLE " + BUILT_IN + " WITH PASSWORD = ", superuser);
    } catch (DriverException e) {
      // Without its cause, whose message may hold the statement and so a password.
      throw new FailedWorkException(
          "its users cannot be made (" + e.getClass().getSimpleName() + ")",
          "Cassandra at " + config.contactPoints(),
          "look into the nodes' system.log, then start it again");
    }
  }

  /** The built-in user appears a moment after the nodes are up. */
  private static CqlSession connect(CassandraStoreConfig config) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    long pauseMillis = 250;
    while (true) {
      try {
        return Connector.connect(config);
      } catch (FailedWorkException e) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
      }
      try {
        Thread.sleep(pauseMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FailedWorkException("the wait was interrupted", "cassandra", "", e);
      }
      pauseMillis = Math.min(2 * pauseMillis, LAST_PAUSE_MILLIS);
    }
  }

  /** Roles take no bound variables; the passwords are ours, of letters, digits, - and _. */
  private static void run(CqlSession session, String text, String password) {
    run(session, text + "'" + password.replace("'", "''") + "'");
  }

  private static void run(CqlSession session, String text) {
    var unused = session.execute(SimpleStatement.newInstance(text));
  }
}
