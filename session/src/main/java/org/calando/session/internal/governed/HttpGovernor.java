package org.calando.session.internal.governed;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.BadRequestException;
import org.calando.http.HttpPeer;

/*
 * An exchange is a request that the governor answers when a level changes, or after a second: so levels are pushed over one
 * connection that stays open, and it carries the reports too.
 */
/** A governor over HTTP, on one connection. Thread safe; its threads are the client's daemons. */
public final class HttpGovernor implements GovernorTransport {
  /** The governor answers after a second. */
  private static final Duration ANSWER = Duration.ofMillis(2500);

  private final String path;
  private final HttpPeer peer;
  private volatile boolean closed;

  /**
   * Does not connect yet.
   *
   * @param cluster of the governor, as {@code http://127.0.0.1:7474/api/v1/clusters/shop}
   * @param token a file whose first line is sent as a bearer token
   * @param authority a PEM file of certificates that the governor's is to be signed by; else those
   *     that the machine trusts
   * @throws BadRequestException if the address is none of a cluster, or a file cannot be read
   */
  public HttpGovernor(URI cluster, Optional<Path> token, Optional<Path> authority) {
    String named = Optional.ofNullable(cluster.getPath()).orElse("");
    if (!named.matches("/api/v1/clusters/[a-z0-9-]+/?")) {
      throw new BadRequestException(
          "is no address of a governor's cluster",
          "governedBy(" + cluster + ")",
          "give one as http://127.0.0.1:7474/api/v1/clusters/NAME");
    }
    this.path = named.replaceAll("/$", "") + "/sessions";
    this.peer =
        new HttpPeer(
            cluster, new HttpPeer.Access(authority, Optional.empty(), Optional.empty(), token));
    var unused = peer.request(path, ANSWER); // the token can be read
  }

  @Override
  public CompletionStage<String> exchange(String report) {
    if (closed) {
      return CompletableFuture.failedStage(new IOException("closed"));
    }
    try {
      HttpRequest request =
          peer.request(path, ANSWER)
              .header("Content-Type", "text/plain; charset=utf-8")
              .POST(HttpRequest.BodyPublishers.ofString(report, StandardCharsets.UTF_8))
              .build();
      return peer.ask(request).thenCompose(HttpGovernor::body);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private static CompletionStage<String> body(HttpResponse<String> response) {
    if (response.statusCode() == 200) {
      return CompletableFuture.completedStage(response.body());
    }
    String first = response.body().lines().findFirst().orElse("");
    return CompletableFuture.failedStage(
        new IOException(
            "it answers %d: %s"
                .formatted(
                    response.statusCode(), first.substring(0, Math.min(200, first.length())))));
  }

  /** What is under way ends by its own deadline. */
  @Override
  public void close() {
    closed = true;
  }
}
