package org.calando.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.core.BadRequestException;

/**
 * A service of Calando's as its clients ask it. Redirects are not followed, so that a token goes
 * nowhere else. Thread safe.
 */
public final class HttpPeer {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final long MOST_BYTES = 1 << 20;

  private final URI base;
  private final Access access;
  private final HttpClient client;

  /**
   * What is needed to be answered. Immutable and thread safe.
   *
   * @param ca authorities to trust, in PEM; those of the system if empty
   * @param certificate the client's own, in PEM; empty if it shows none
   * @param key that certificate's, PKCS #8 without a password; present with {@code certificate}
   * @param token the file whose first line is the token; empty if none is shown
   */
  public record Access(
      Optional<Path> ca, Optional<Path> certificate, Optional<Path> key, Optional<Path> token) {
    /** Nothing, as on the loopback. */
    public static final Access NONE =
        new Access(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * A service.
   *
   * @param base such as {@code https://10.0.0.1:7474}; {@code http} of the loopback only
   * @throws BadRequestException if the address is no such one, or a file is not what it should be
   */
  public HttpPeer(URI base, Access access) {
    String host = Optional.ofNullable(base.getHost()).orElse("");
    boolean safe =
        "https".equals(base.getScheme())
            || ("http".equals(base.getScheme()) && Listening.isLoopback(host));
    if (host.isEmpty() || !safe) {
      throw new BadRequestException(
          "is not https, which only the loopback does without",
          base.toString(),
          "write https://HOST:PORT");
    }
    this.base = base;
    this.access = access;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT);
    if (access.ca().isPresent() || access.certificate().isPresent()) {
      builder.sslContext(TlsFiles.context(access.certificate(), access.key(), access.ca()));
    }
    this.client = builder.build();
  }

  /**
   * A request, which shows the token; its file is read each time, as it may have been changed.
   *
   * @param path from the service's root, such as {@code /api/v1/clusters}
   * @param timeout until the answer has come
   * @throws BadRequestException if the token cannot be read
   */
  public HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path)).timeout(timeout);
    access.token().ifPresent(file -> request.header("Authorization", Tokens.authorization(file)));
    return request;
  }

  /**
   * Sends a request; completes within its timeout. An answer that does not say its length, or is
   * longer than a mebibyte, fails.
   */
  public CompletableFuture<HttpResponse<String>> ask(HttpRequest request) {
    // The client's own timeout is one for the begin of the answer.
    return client
        .sendAsync(request, HttpPeer::body)
        .orTimeout(
            request.timeout().orElse(CONNECT_TIMEOUT).toMillis() + 100, TimeUnit.MILLISECONDS);
  }

  private static BodySubscriber<String> body(HttpResponse.ResponseInfo answer) {
    long length = answer.headers().firstValueAsLong("Content-Length").orElse(Long.MAX_VALUE);
    return length <= MOST_BYTES
        ? BodySubscribers.ofString(StandardCharsets.UTF_8)
        : BodySubscribers.mapping(
            BodySubscribers.discarding(),
            discarded -> {
              throw new UncheckedIOException(new IOException("the answer is too long"));
            });
  }
}
