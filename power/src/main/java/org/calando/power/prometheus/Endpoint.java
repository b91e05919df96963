package org.calando.power.prometheus;

import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.calando.power.MeterException;
import org.calando.power.Secret;

/**
 * A server that is asked over HTTP. Immutable and thread safe; the password is named, not held.
 *
 * @param uri its address, {@code http} or {@code https}, without user and password
 * @param login how it knows us, if it asks
 * @param ca file of the authorities to trust for {@code https}, in PEM; the system's if empty
 */
public record Endpoint(URI uri, Optional<Login> login, Optional<Path> ca) {
  /** Refuses addresses that cannot be asked, or show a password. */
  public Endpoint {
    String scheme = uri.getScheme();
    if (!("http".equals(scheme) || "https".equals(scheme)) || uri.getHost() == null) {
      throw new IllegalArgumentException("not an http or https address with a host");
    }
    if (uri.getUserInfo() != null) {
      throw new IllegalArgumentException("user and password do not belong into the address");
    }
  }

  /** A server that asks for no login. */
  public static Endpoint of(URI uri) {
    return new Endpoint(uri, Optional.empty(), Optional.empty());
  }

  /** Who we are. */
  public sealed interface Login {
    /** The value of the header {@code Authorization}. */
    String header() throws MeterException;
  }

  /**
   * A user and password.
   *
   * @param user the user
   * @param password where the password is
   */
  public record Basic(String user, Secret password) implements Login {
    @Override
    public String header() throws MeterException {
      byte[] both = (user + ":" + password.read()).getBytes(StandardCharsets.UTF_8);
      return "Basic " + Base64.getEncoder().encodeToString(both);
    }
  }

  /**
   * A bearer token.
   *
   * @param token where the token is
   */
  public record Bearer(Secret token) implements Login {
    @Override
    public String header() throws MeterException {
      String value = token.read();
      // What a header cannot carry, the HTTP client would refuse with the token in its message.
      if (!value.chars().allMatch(c -> c > ' ' && c < 127)) {
        throw new MeterException(
            "the token holds spaces or characters that a header cannot carry",
            token.toString(),
            "write the token alone into the first line");
      }
      return "Bearer " + value;
    }
  }

  /**
   * Begins a request.
   *
   * @param target the address in full
   * @throws MeterException if the login cannot be read
   */
  public HttpRequest.Builder request(URI target) throws MeterException {
    HttpRequest.Builder request = HttpRequest.newBuilder(target);
    if (login.isPresent()) {
      request.header("Authorization", login.get().header());
    }
    return request;
  }

  /** An address below this one; a missing slash at the end is added. */
  public URI below(String path) {
    String text = uri.toString();
    return URI.create((text.endsWith("/") ? text : text + "/") + path);
  }
}
