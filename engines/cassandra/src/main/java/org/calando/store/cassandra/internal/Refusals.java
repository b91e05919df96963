package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.UnsupportedProtocolVersionException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.jspecify.annotations.Nullable;

/** Says why the driver could not connect, with a remedy. Stateless. */
public final class Refusals {
  private static final int POINTS_ASKED_AGAIN = 3;

  private Refusals() {}

  /** The error to throw; may ask the contact points once more what they speak. */
  static CalandoException explain(
      CassandraStoreConfig config, Optional<TlsContext> tls, RuntimeException error) {
    String where = "Cassandra at " + join(config.contactPoints());
    Throwable refused = find(error, AuthenticationException.class);
    if (refused != null) {
      return refusedUser(config, where, refused);
    }
    if (summary(error).contains("contact points are from different DCs")
        || summary(root(error)).contains("contact points are from different DCs")) {
      return new BadRequestException(
          "the nodes are in several data centres", where, "name the local one: local-dc");
    }
    if (isOfProtocol(error)) {
      return new BadRequestException(
          "it takes no older versions of the native protocol, and version 4 is needed",
          where,
          "set native_transport_allow_older_protocols: true in its cassandra.yaml, or run"
              + " nodetool enableoldprotocolversions on each node");
    }
    Optional<FailedWorkException> encryption = encryption(config, tls, error);
    if (encryption.isPresent()) {
      return encryption.get();
    }
    Throwable unreachable = find(error, ConnectException.class);
    Throwable root = unreachable == null ? root(error) : unreachable;
    return new FailedWorkException(
        "no contact point answers (" + summary(root) + ")",
        where,
        "check that the nodes run and listen for CQL clients on that address and port",
        error);
  }

  /** What an error of a request comes down to, in a few words. */
  public static String brief(Throwable error) {
    return summary(root(error));
  }

  private static boolean isOfProtocol(RuntimeException error) {
    return find(error, UnsupportedProtocolVersionException.class) != null
        || summary(root(error)).contains("Rejecting Protocol Version");
  }

  private static FailedWorkException refusedUser(
      CassandraStoreConfig config, String where, Throwable refused) {
    boolean given = config.credentials().isPresent();
    return new FailedWorkException(
        given ? "the user or the password is refused" : "the cluster asks for a user",
        where,
        "give a user that may log in, and its password by a file or the environment",
        refused);
  }

  private static Optional<FailedWorkException> encryption(
      CassandraStoreConfig config, Optional<TlsContext> tls, RuntimeException error) {
    for (Endpoint point : some(config.contactPoints())) {
      String where = "Cassandra at " + point;
      if (tls.isEmpty() && TlsProbe.speaksTls(point)) {
        return Optional.of(
            new FailedWorkException(
                "it speaks TLS only", where, "say how to trust it: store.tls: {ca: FILE}", error));
      }
      Optional<TlsProbe.Obstacle> obstacle =
          tls.flatMap(context -> TlsProbe.examine(context, point));
      if (obstacle.isPresent()) {
        return Optional.of(
            new FailedWorkException(obstacle.get().what(), where, obstacle.get().remedy(), error));
      }
    }
    Throwable handshake = find(error, SSLException.class);
    if (handshake == null) {
      return Optional.empty();
    }
    TlsProbe.Obstacle obstacle = TlsProbe.explain(handshake);
    return Optional.of(
        new FailedWorkException(
            obstacle.what(),
            "Cassandra at " + join(config.contactPoints()),
            obstacle.remedy(),
            error));
  }

  private static List<Endpoint> some(List<Endpoint> points) {
    return points.subList(0, Math.min(POINTS_ASKED_AGAIN, points.size()));
  }

  /** The first error of a class among the causes and what stands beside them. */
  private static <T extends Throwable> @Nullable T find(Throwable error, Class<T> type) {
    for (Throwable t = error; t != null; t = t.getCause()) {
      if (type.isInstance(t)) {
        return type.cast(t);
      }
      for (Throwable nested : nested(t)) {
        T found = find(nested, type);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  /** Errors that stand beside the cause: those of each node, and the suppressed ones. */
  private static List<Throwable> nested(Throwable error) {
    List<Throwable> nested = new ArrayList<>(List.of(error.getSuppressed()));
    if (error instanceof AllNodesFailedException e) {
      e.getAllErrors().values().forEach(nested::addAll);
    }
    return nested;
  }

  private static Throwable root(Throwable error) {
    Throwable t =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    if (t instanceof AllNodesFailedException e && !e.getAllErrors().isEmpty()) {
      t = e.getAllErrors().values().iterator().next().get(0);
    }
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return t;
  }

  private static String summary(Throwable error) {
    if (error instanceof NodeUnavailableException) {
      return "no connection to it"; // Its message has all that the driver knows of the node.
    }
    String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }

  private static String join(List<Endpoint> points) {
    return points.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
  }
}
