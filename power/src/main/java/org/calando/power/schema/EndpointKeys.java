package org.calando.power.schema;

import static org.calando.schema.Types.path;
import static org.calando.schema.Types.text;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.power.prometheus.Endpoint;
import org.calando.schema.Key;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** The keys that say how a server is asked over HTTP: login and authorities. */
public final class EndpointKeys {
  private static final int MAX_URL = 500;

  /** An address of a server. */
  public static final Type<URI> URL =
      new UrlType(
          new ScalarType<>(
              "a URL",
              "http://HOST:PORT/PATH, or https",
              scalar -> url(scalar.text()),
              URI::toString,
              Map.of("type", "string", "pattern", "^https?://[^\\s@]{1," + MAX_URL + "}$")));

  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "[^\\p{Cntrl}:]{1,100}", "a name without colon"),
              "User, where the server asks for one; the password comes from a file or a variable.")
          .example("calando");
  private static final SecretKeys PASSWORD = SecretKeys.of("password", "the user's password");
  private static final SecretKeys TOKEN = SecretKeys.of("token", "a bearer token");
  private static final Key<Path> CA =
      Key.of(
              "ca",
              path("a path"),
              "Authorities to trust for https (PEM), where they are not the system's.")
          .example("secrets/ca.pem");

  private EndpointKeys() {}

  /** The keys, in the reference's order. */
  public static Key<?>[] keys() {
    return new Key<?>[] {
      USER, PASSWORD.file(), PASSWORD.variable(), TOKEN.file(), TOKEN.variable(), CA
    };
  }

  /** Reports logins that are incomplete or more than one. */
  public static void check(Values values) {
    PASSWORD.check(values);
    TOKEN.check(values);
    boolean password = values.given(PASSWORD.file()) || values.given(PASSWORD.variable());
    boolean token = values.given(TOKEN.file()) || values.given(TOKEN.variable());
    if (values.given(USER) && !password && !token) {
      values.error(USER, "has no password", "add password-file or password-env");
    } else if (password && !values.given(USER)) {
      values.require("write the user that the password belongs to", USER);
    }
    if (token && values.given(USER)) {
      values.error(USER, "given beside a token", "give a user or a token");
    }
  }

  /** The server that checked values describe. */
  public static Endpoint endpoint(URI uri, Values values) {
    Optional<Endpoint.Login> login =
        PASSWORD
            .find(values)
            .<Endpoint.Login>map(password -> new Endpoint.Basic(values.get(USER), password))
            .or(() -> TOKEN.find(values).map(Endpoint.Bearer::new));
    return new Endpoint(uri, login, values.find(CA));
  }

  private static URI url(String text) throws Refusal {
    if (text.length() > MAX_URL) {
      throw new Refusal("is too long for a URL", "write at most " + MAX_URL + " characters");
    }
    try {
      return Endpoint.of(URI.create(text)).uri();
    } catch (IllegalArgumentException e) {
      throw new Refusal("is not a URL", "write http://HOST:PORT/PATH, or https");
    }
  }
}
