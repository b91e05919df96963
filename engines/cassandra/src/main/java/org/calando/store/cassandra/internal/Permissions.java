package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.ClusterInspection.Answer;
import org.calando.store.cassandra.ClusterInspection.Answer.State;

/*
 * Who creates a keyspace or a table gets every permission on it, so CREATE ON ALL KEYSPACES is all
 * that a study needs for a keyspace that is not there. For one that is, the permissions on it are
 * needed. A role may list its own permissions, inherited ones included, and its own roles.
 */
/** Whether the user may do what a study does, as far as the cluster tells. Stateless. */
final class Permissions {
  private static final String ALL_KEYSPACES = "<all keyspaces>";
  private static final List<String> ON_OWN = List.of("CREATE", "ALTER", "DROP", "SELECT", "MODIFY");
  private static final Duration DEADLINE = Duration.ofSeconds(10);

  private Permissions() {}

  static Answer of(CqlSession session, CassandraStoreConfig config) {
    if (config.credentials().isEmpty()) {
      return new Answer(State.YES, "the cluster asks for no user");
    }
    String user = config.credentials().get().user();
    String role = "\"" + user.replace("\"", "\"\"") + "\"";
    try {
      if (isSuperuser(session, role)) {
        return new Answer(State.YES, user + " is a superuser; a role of its own is safer");
      }
      Map<String, Set<String>> granted = granted(session, role);
      boolean exists = new Ownership(session, config.keyspace()).keyspaceExists();
      return answer(config, user, role, granted, exists);
    } catch (InvalidQueryException | SyntaxError e) {
      return new Answer(State.YES, "the cluster checks none");
    } catch (UnauthorizedException e) {
      // A user is not asked for, and so is nobody: an anonymous one may list nothing.
      boolean anonymous = String.valueOf(e.getMessage()).contains("anonymous");
      return anonymous
          ? new Answer(State.YES, "the cluster asks for no user")
          : new Answer(State.UNKNOWN, "is not known (" + e.getMessage() + ")");
    } catch (DriverException e) {
      return new Answer(State.UNKNOWN, "is not known (" + Refusals.brief(e) + ")");
    }
  }

  private static Answer answer(
      CassandraStoreConfig config,
      String user,
      String role,
      Map<String, Set<String>> granted,
      boolean exists) {
    String own = "<keyspace " + config.keyspace() + ">";
    List<String> missing = new ArrayList<>();
    if (exists) {
      List<String> wanted =
          ON_OWN.stream().filter(permission -> !has(granted, permission, own)).toList();
      if (!wanted.isEmpty()) {
        missing.add("GRANT " + String.join(", ", wanted) + " ON KEYSPACE " + config.keyspace());
      }
    } else if (!has(granted, "CREATE", ALL_KEYSPACES)) {
      missing.add("GRANT CREATE ON ALL KEYSPACES");
    }
    if (config.jmxEndpoints().isEmpty() && !has(granted, "SELECT", "<keyspace system_views>")) {
      missing.add("GRANT SELECT ON KEYSPACE system_views");
    }
    if (missing.isEmpty()) {
      return new Answer(State.YES, user + " may do what a study does");
    }
    return new Answer(
        State.NO,
        user
            + " lacks permissions\n  remedy: as a superuser: "
            + String.join("; ", missing.stream().map(grant -> grant + " TO " + role).toList()));
  }

  private static boolean has(Map<String, Set<String>> granted, String permission, String resource) {
    return granted.getOrDefault(resource, Set.of()).contains(permission)
        || granted.getOrDefault(ALL_KEYSPACES, Set.of()).contains(permission);
  }

  /** The role itself, or one that was granted to it: a superuser's powers are inherited. */
  private static boolean isSuperuser(CqlSession session, String role) {
    for (Row row : session.execute(statement("LIST ROLES OF " + role))) {
      if (row.getBoolean("super")) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, Set<String>> granted(CqlSession session, String role) {
    Map<String, Set<String>> granted = new HashMap<>();
    for (Row row : session.execute(statement("LIST ALL PERMISSIONS OF " + role))) {
      String resource = row.getString("resource");
      String permission = row.getString("permission");
      if (resource != null && permission != null) {
        granted.computeIfAbsent(resource, key -> new HashSet<>()).add(permission);
      }
    }
    return granted;
  }

  private static SimpleStatement statement(String text) {
    return SimpleStatement.newInstance(text).setTimeout(DEADLINE);
  }
}
