package org.calando.studyfile.service;

import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.path;
import static org.calando.schema.Types.text;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.http.Listening;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/**
 * The keys of a file that say where a service listens and who may ask it. Immutable and thread
 * safe.
 *
 * @param address {@code listen}
 * @param tls {@code tls}
 * @param tokens {@code token-file}
 */
public record ListenKeys(
    Key<Optional<ListenKeys.Address>> address, Key<Listening.Tls> tls, Key<Path> tokens) {
  /** 0 to 65535. */
  private static final String PORT =
      "(0|[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])";

  private static final String HOST = "([A-Za-z0-9]([A-Za-z0-9.-]{0,252})|\\[[0-9A-Fa-f:.]+\\])";

  private static final Key<Path> CERTIFICATE =
      Key.of(
              "certificate",
              path("a file"),
              "The certificate that is shown, in PEM, followed by those of intermediate"
                  + " authorities.")
          .mandatory()
          .example("tls/server.pem");
  private static final Key<Path> KEY =
      Key.of(
              "key",
              path("a file"),
              "Its private key in PEM, PKCS #8 without a password; others must not read it.")
          .mandatory()
          .example("tls/server.key");
  private static final Key<Path> CLIENT_CA =
      Key.of(
              "client-ca",
              path("a file"),
              "Authorities in PEM: clients have to show a certificate of theirs.")
          .example("tls/clients.pem");

  private static final ObjectType<Listening.Tls> TLS =
      ObjectType.named(
              "encryption of a service", "Files are read when the service begins, and on SIGHUP.")
          .keys(CERTIFICATE, KEY, CLIENT_CA)
          .build(tls -> new Listening.Tls(tls.get(CERTIFICATE), tls.get(KEY), tls.find(CLIENT_CA)));

  /**
   * An address and a port.
   *
   * @param host a name or an address, an IPv6 one in brackets
   * @param port 0 to 65535
   */
  public record Address(String host, int port) {}

  /**
   * The keys of a service.
   *
   * @param doc what it answers, a sentence
   * @param port where it listens if the file does not say, on the loopback
   */
  public static ListenKeys of(String doc, int port) {
    return new ListenKeys(
        Key.of(
                "listen",
                mapped(
                    text(
                        "HOST:PORT or off",
                        "off|" + HOST + ":" + PORT,
                        "an address of this machine and a port, 0 for any; or off"),
                    ListenKeys::address),
                doc
                    + " Other addresses than those of the loopback need tls, and token-file or"
                    + " tls.client-ca.")
            .byDefault("127.0.0.1:" + port)
            .example("127.0.0.1:" + (port + 1)),
        Key.of("tls", TLS, "How connections are encrypted; without it they are not.")
            .example("{certificate: tls/server.pem, key: tls/server.key}"),
        Key.of(
                "token-file",
                path("a file"),
                "Tokens, one a line; each request has to show one. Others must not read the file."
                    + " Read when the service begins, and on SIGHUP.")
            .example("secrets/tokens"));
  }

  private static Optional<Address> address(String text) {
    if (text.equals("off")) {
      return Optional.empty();
    }
    int colon = text.lastIndexOf(':');
    String host = text.substring(0, colon);
    return Optional.of(
        new Address(
            host.equals("localhost") ? "127.0.0.1" : host,
            Integer.parseInt(text.substring(colon + 1))));
  }

  /** Refuses what others on the network could ask without being known. */
  public void check(Values file) {
    Optional<Listening> where = find(file);
    if (where.isPresent() && !where.get().isLoopback() && !where.get().isGuarded()) {
      file.error(
          address,
          "is no address of the loopback, and who asks there is not known",
          "add tls and token-file, or tls with client-ca; or write 127.0.0.1 as the address");
    }
  }

  /** Where it listens; empty for nowhere. */
  public Optional<Listening> find(Values file) {
    return file.find(address)
        .flatMap(where -> where)
        .map(where -> new Listening(where.host(), where.port(), file.find(tls), file.find(tokens)));
  }
}
