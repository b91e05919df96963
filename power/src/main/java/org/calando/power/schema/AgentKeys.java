package org.calando.power.schema;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.path;
import static org.calando.schema.Types.scalarOrMapping;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.calando.http.HttpPeer;
import org.calando.http.Listening;
import org.calando.power.agent.AgentSource;
import org.calando.power.onoff.SwitchSpec;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Tree;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What may be said of the agent of a node's machine, and of a Cassandra's sidecar. */
public final class AgentKeys {
  private static final String FORM = "https://HOST:PORT; http on the loopback";
  private static final ScalarType<URI> URL_TYPE =
      new ScalarType<>(
          "a URL",
          FORM,
          AgentKeys::parse,
          URI::toString,
          Map.of("type", "string", "pattern", "^https?://[^/@\\s]{1,300}$"));

  private static final Key<URI> URL =
      Key.of("url", URL_TYPE, "Where the agent answers.")
          .mandatory()
          .example("\"https://10.0.0.1:7475\"");
  private static final Key<Path> TOKEN =
      Key.of("token-file", path("a file"), "File whose first line is the token that is shown.")
          .example("secrets/agent");
  private static final Key<Path> CA =
      Key.of("ca", path("a file"), "Authorities to trust, in PEM, where they are not the system's.")
          .example("tls/ca.pem");
  private static final Key<Path> CERTIFICATE =
      Key.of("certificate", path("a file"), "The certificate that is shown, in PEM.")
          .example("tls/governor.pem");
  private static final Key<Path> KEY =
      Key.of("key", path("a file"), "That certificate's key, PKCS #8 without a password.")
          .example("tls/governor.key");

  private static final Key<Boolean> CONTROLLER =
      Key.of(
              "ipmi",
              bool(),
              "Whether the power of the machine is read through it too: the agent's own file names"
                  + " the management controller.")
          .byDefault("false")
          .example("true");

  private static final ObjectType<AgentSource> MAPPING =
      ObjectType.named(
              "an agent",
              "The agent of the node's machine, see docs/agent.md; its address alone is enough on"
                  + " the loopback.")
          .keys(URL, TOKEN, CA, CERTIFICATE, KEY, CONTROLLER)
          .check(AgentKeys::check)
          .build(agent -> new AgentSource(agent.get(URL), access(agent), agent.get(CONTROLLER)));

  private static final Key<URI> SIDECAR_URL =
      Key.of("url", URL_TYPE, "Where the sidecar answers.")
          .mandatory()
          .example("\"https://10.0.0.1:9043\"");

  private static final ObjectType<SwitchSpec.Kind> SIDECAR_MAPPING =
      ObjectType.named(
              "a sidecar",
              "The sidecar of the node's Cassandra, with a lifecycle provider; its address alone is"
                  + " enough on the loopback.")
          .keys(SIDECAR_URL, TOKEN, CA, CERTIFICATE, KEY)
          .check(AgentKeys::check)
          .build(sidecar -> new SwitchSpec.Sidecar(sidecar.get(SIDECAR_URL), access(sidecar)));

  /** A sidecar's address, or all that may be said of it. */
  static final Type<SwitchSpec.Kind> SIDECAR =
      scalarOrMapping(
          mapped(
              URL_TYPE, uri -> (SwitchSpec.Kind) new SwitchSpec.Sidecar(uri, HttpPeer.Access.NONE)),
          SIDECAR_MAPPING);

  /** An agent's address, or all that may be said of it. */
  public static final Type<AgentSource> TYPE =
      scalarOrMapping(mapped(URL_TYPE, uri -> new AgentSource(uri, HttpPeer.Access.NONE)), MAPPING);

  private AgentKeys() {}

  private static HttpPeer.Access access(Values peer) {
    return new HttpPeer.Access(
        peer.find(CA), peer.find(CERTIFICATE), peer.find(KEY), peer.find(TOKEN));
  }

  private static void check(Values agent) {
    if (agent.given(CERTIFICATE) != agent.given(KEY)) {
      agent.errorHere("needs certificate and key together", "give both, or neither");
    }
  }

  private static URI parse(Tree.Scalar scalar) throws Refusal {
    URI uri;
    try {
      uri = new URI(scalar.text());
    } catch (URISyntaxException e) {
      throw new Refusal("is not a URL", "write " + FORM);
    }
    String host = Optional.ofNullable(uri.getHost()).orElse("");
    boolean safe =
        "https".equals(uri.getScheme())
            || ("http".equals(uri.getScheme()) && Listening.isLoopback(host));
    boolean plain =
        uri.getUserInfo() == null && Optional.ofNullable(uri.getPath()).orElse("").isEmpty();
    if (host.isEmpty() || !safe || !plain) {
      throw new Refusal("is no such address", "write " + FORM);
    }
    return uri;
  }
}
