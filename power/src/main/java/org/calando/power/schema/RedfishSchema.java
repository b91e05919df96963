package org.calando.power.schema;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.path;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.power.Secret;
import org.calando.power.redfish.RedfishSource;
import org.calando.power.redfish.RedfishSource.Login;
import org.calando.power.redfish.RedfishSystem;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What may be said of a service that is read over Redfish. */
final class RedfishSchema {
  private static final String FORM = "https://HOST, or https://HOST/PATH of one resource";
  private static final ScalarType<URI> URL_TYPE =
      new ScalarType<>(
          "a URL",
          FORM,
          RedfishSchema::parse,
          URI::toString,
          Map.of("type", "string", "pattern", "^https?://\\S{1,500}$"));

  static final Key<URI> URL =
      Key.of(
              "url",
              URL_TYPE,
              "Address of the service, whose links are walked; or with a path that of the resource"
                  + " that shows the power, such as an outlet of a power distribution unit.")
          .mandatory()
          .example("\"https://10.0.1.1\"");
  private static final Key<String> USER =
      Key.of(
              "user",
              text("a user", "\\P{Cntrl}{1,64}", "1 to 64 characters"),
              "User of the service; the role ReadOnly is enough.")
          .example("reader");
  private static final SecretKeys PASSWORD = SecretKeys.of("password", "the user's password");
  private static final Key<Path> CA =
      Key.of(
              "ca",
              path("a path"),
              "File with the certificate of the authority to trust, in PEM; without it the"
                  + " system's.")
          .example("bmc-ca.pem");
  private static final Key<Boolean> VERIFY =
      Key.of(
              "verify",
              bool(),
              "Whether the certificate must be trusted and of this name. If false, whoever answers"
                  + " gets the password; reports state it.")
          .byDefault("true")
          .example("false");
  private static final Key<String> CHASSIS =
      Key.of(
              "chassis",
              text("a chassis", "\\P{Cntrl}{1,200}", "an Id or Name of at most 200 characters"),
              "Id or Name of the chassis, where several show power.")
          .example("System.Embedded.1");

  private static final ObjectType<RedfishSource> MAPPING =
      ObjectType.named(
              "a service with Redfish",
              "A management controller or power distribution unit that is read over Redfish; its"
                  + " address alone is enough where it asks for no user.")
          .keys(URL, USER, PASSWORD.file(), PASSWORD.variable(), CA, VERIFY, CHASSIS)
          .check(RedfishSchema::check)
          .build(RedfishSchema::source);

  /** A service's address, or all that may be said of it. */
  static final Type<RedfishSource> TYPE =
      scalarOrMapping(mapped(URL_TYPE, RedfishSchema::anonymous), MAPPING);

  private static final Key<URI> SYSTEM_URL =
      Key.of(
              "url",
              URL_TYPE,
              "Address of the service, whose only system is taken; or with a path that of the"
                  + " system.")
          .mandatory()
          .example("\"https://10.0.1.1\"");
  private static final Key<String> OPERATOR =
      Key.of("user", USER.type(), "User of the service; it needs the role Operator.")
          .example("operator");
  private static final Key<String> SYSTEM =
      Key.of(
              "system",
              text("a system", "\\P{Cntrl}{1,200}", "an Id or Name of at most 200 characters"),
              "Id or Name of the system, where the service has several.")
          .example("System.Embedded.1");

  private static final ObjectType<RedfishSystem> SWITCH_MAPPING =
      ObjectType.named(
              "a switch with Redfish",
              "A management controller that switches the node over Redfish; its address alone is"
                  + " enough where it asks for no user.")
          .keys(SYSTEM_URL, OPERATOR, PASSWORD.file(), PASSWORD.variable(), CA, VERIFY, SYSTEM)
          .check(RedfishSchema::check)
          .check(RedfishSchema::checkSystem)
          .build(RedfishSchema::system);

  /** A service that switches: its address, or all that may be said of it. */
  static final Type<RedfishSystem> SWITCH =
      scalarOrMapping(mapped(URL_TYPE, RedfishSchema::anonymousSystem), SWITCH_MAPPING);

  private RedfishSchema() {}

  private static void checkSystem(Values redfish) {
    boolean named = redfish.find(SYSTEM_URL).map(RedfishSystem::isWholeService).orElse(true);
    if (!named) {
      redfish.forbid("is named by the path of url already", SYSTEM);
    }
  }

  private static RedfishSystem anonymousSystem(URI uri) {
    return new RedfishSystem(anonymous(uri), Optional.empty());
  }

  private static RedfishSystem system(Values redfish) {
    return RedfishSystem.of(
        redfish.get(URL),
        login(redfish),
        redfish.find(CA),
        redfish.get(VERIFY),
        redfish.find(SYSTEM));
  }

  private static Optional<Login> login(Values redfish) {
    Optional<Secret> password = PASSWORD.find(redfish);
    return redfish.find(USER).flatMap(user -> password.map(secret -> new Login(user, secret)));
  }

  private static URI parse(Tree.Scalar scalar) throws Refusal {
    try {
      URI uri = new URI(scalar.text());
      Optional<String> problem = RedfishSource.problem(uri, false);
      if (problem.isPresent()) {
        throw new Refusal(problem.get(), "write " + FORM);
      }
      return uri;
    } catch (URISyntaxException e) {
      throw new Refusal("is not a URL", "write " + FORM);
    }
  }

  private static void check(Values redfish) {
    PASSWORD.check(redfish);
    boolean password = redfish.given(PASSWORD.file()) || redfish.given(PASSWORD.variable());
    if (redfish.given(USER) != password) {
      redfish.errorHere(
          "needs user and password together", "give user, and password-file or password-env");
    }
    redfish
        .find(URL)
        .flatMap(uri -> RedfishSource.problem(uri, redfish.given(USER)))
        .ifPresent(problem -> redfish.error(URL, problem, "write " + FORM));
    if (!redfish.find(VERIFY).orElse(true)) {
      redfish.forbid("is not used where verify is false", CA);
    }
  }

  private static RedfishSource anonymous(URI uri) {
    return new RedfishSource(uri, Optional.empty(), Optional.empty(), true, Optional.empty());
  }

  private static RedfishSource source(Values redfish) {
    return new RedfishSource(
        redfish.get(URL),
        login(redfish),
        redfish.find(CA),
        redfish.get(VERIFY),
        redfish.find(CHASSIS));
  }
}
