package org.calando.power.schema;

import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.Map;
import java.util.Optional;
import org.calando.http.Listening;
import org.calando.power.jmx.JmxSource;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What an agent's file may say of the JMX of a process on its machine. */
public final class JmxSchema {
  private static final String FORM = "HOST:PORT of the loopback, such as 127.0.0.1:7199";
  private static final int LAST_PORT = 65_535;

  /** Host and port. */
  private record Place(String host, int port) {}

  private static final ScalarType<Place> PLACE =
      new ScalarType<>(
          "an address of the loopback",
          FORM,
          JmxSchema::parse,
          place -> place.host() + ":" + place.port(),
          Map.of("type", "string", "pattern", "^\\S{1,253}:\\d{1,5}$"));

  private static final Key<Place> ADDRESS =
      Key.of("address", PLACE, "Where the process offers its JMX.")
          .mandatory()
          .example("\"127.0.0.1:7199\"");
  private static final Key<String> USER =
      Key.of("user", text("a user", "\\S{1,100}", "a name without spaces"), "Who asks there.")
          .example("monitor");
  private static final SecretKeys PASSWORD = SecretKeys.of("password", "that user's password");

  private static final ObjectType<JmxSource> MAPPING =
      ObjectType.named(
              "a JMX", "JMX of a process on the agent's machine; its address alone is enough.")
          .keys(ADDRESS, USER, PASSWORD.file(), PASSWORD.variable())
          .check(JmxSchema::check)
          .build(
              jmx ->
                  source(
                      jmx.get(ADDRESS),
                      jmx.find(USER)
                          .map(
                              user ->
                                  new JmxSource.Login(user, PASSWORD.find(jmx).orElseThrow()))));

  /** An address, or all that may be said of it. */
  public static final Type<JmxSource> TYPE =
      scalarOrMapping(mapped(PLACE, place -> source(place, Optional.empty())), MAPPING);

  private JmxSchema() {}

  private static JmxSource source(Place place, Optional<JmxSource.Login> login) {
    return new JmxSource(place.host(), place.port(), login);
  }

  private static void check(Values jmx) {
    PASSWORD.check(jmx);
    if (jmx.given(USER) != (jmx.given(PASSWORD.file()) || jmx.given(PASSWORD.variable()))) {
      jmx.errorHere("needs user and password together", "give both, or neither");
    }
  }

  private static Place parse(Tree.Scalar scalar) throws Refusal {
    String text = scalar.text();
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    String digits = text.substring(colon + 1);
    int port = digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : 0;
    if (host.isEmpty() || port < 1 || port > LAST_PORT) {
      throw new Refusal("is no address", "write " + FORM);
    }
    if (!Listening.isLoopback(host)) {
      throw new Refusal(
          "is not of this machine's loopback",
          "write " + FORM + ": what is elsewhere has an agent of its own");
    }
    return new Place(host, port);
  }
}
