package org.calando.power.internal;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.calando.core.BadRequestException;
import org.calando.http.TlsFiles;
import org.calando.power.MeterException;

/**
 * The JDK's HTTP clients, one for each set of trusted authorities: a client has threads of its own,
 * and hundreds of nodes must not have hundreds of them. Redirects are never followed, so that no
 * password goes where its owner did not send it. Thread safe.
 */
public final class HttpClients {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final int MOST_CLIENTS = 16;
  private static final Map<String, HttpClient> CLIENTS =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, HttpClient> eldest) {
          return size() > MOST_CLIENTS;
        }
      };

  private HttpClients() {}

  /**
   * A client.
   *
   * @param ca file of the authorities to trust, in PEM; the system's if empty
   * @throws MeterException if the file cannot be read or holds no certificate
   */
  public static HttpClient trusting(Optional<Path> ca) throws MeterException {
    String key = ca.map(file -> file + " " + file.toFile().lastModified()).orElse("");
    return shared(key, ca.isEmpty() ? Optional.empty() : Optional.of(() -> context(ca.get())));
  }

  /** A client that believes whoever answers to be the right one; only where the user wants it. */
  public static HttpClient trustingAnyone() throws MeterException {
    return shared("*", Optional.of(TrustAnyone::context));
  }

  /** Makes the security of connections. */
  @FunctionalInterface
  private interface Contexts {
    SSLContext create() throws MeterException;
  }

  private static HttpClient shared(String key, Optional<Contexts> security) throws MeterException {
    synchronized (CLIENTS) {
      HttpClient client = CLIENTS.get(key);
      if (client == null) {
        client = create(security);
        CLIENTS.put(key, client);
      }
      return client;
    }
  }

  private static HttpClient create(Optional<Contexts> security) throws MeterException {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT);
    if (security.isPresent()) {
      builder.sslContext(security.get().create());
    }
    return builder.build();
  }

  private static SSLContext context(Path ca) throws MeterException {
    try {
      return TlsFiles.context(ca);
    } catch (BadRequestException e) {
      throw new MeterException("the file of authorities " + e.what(), e.where(), e.remedy(), e);
    }
  }
}
