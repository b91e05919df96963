package org.calando.engine;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.text;

import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What {@code store.tls} may say. */
public final class TlsSchema {
  /** A file that is read when it is needed. */
  public static final Type<String> PATH = text("a path", "[^\\p{Cntrl}]{1,1000}", "");

  private static final Key<String> CA =
      Key.of(
              "ca",
              PATH,
              "PEM file of the CA that signed the nodes' certificates; relative to the study file,"
                  + " as all paths here. Without ca and truststore, those that Java trusts.")
          .example("secrets/ca.pem");
  private static final Key<String> TRUST_STORE =
      Key.of("truststore", PATH, "The same as a key store (PKCS #12 or JKS).")
          .example("secrets/trust.p12");
  private static final Key<String> TRUST_STORE_PASSWORD =
      Key.of("truststore-password-file", PATH, "File whose first line is its password.")
          .example("secrets/trust.password");
  private static final Key<String> CERTIFICATE =
      Key.of(
              "certificate",
              PATH,
              "PEM file of Calando's own certificate, for clusters that ask clients for one.")
          .example("secrets/calando.pem");
  private static final Key<String> KEY =
      Key.of("key", PATH, "PEM file of its private key, PKCS #8 without a password.")
          .example("secrets/calando.key");
  private static final Key<String> KEY_STORE =
      Key.of("keystore", PATH, "Certificate and key as a key store instead.")
          .example("secrets/calando.p12");
  private static final Key<String> KEY_STORE_PASSWORD =
      Key.of("keystore-password-file", PATH, "File whose first line is its password.")
          .example("secrets/calando.password");
  private static final Key<Boolean> VERIFY_HOSTNAME =
      Key.of(
              "verify-hostname",
              bool(),
              "Whether a node's certificate must name the host or address that the inventory has.")
          .byDefault("true")
          .example("false");

  static final ObjectType<TlsSpec> TYPE =
      ObjectType.named("TLS", "Encrypted connections to your own cluster.")
          .keys(
              CA,
              TRUST_STORE,
              TRUST_STORE_PASSWORD,
              CERTIFICATE,
              KEY,
              KEY_STORE,
              KEY_STORE_PASSWORD,
              VERIFY_HOSTNAME)
          .check(TlsSchema::check)
          .build(TlsSchema::build);

  private TlsSchema() {}

  private static void check(Values tls) {
    tls.requireAtMostOne(CA, TRUST_STORE);
    tls.requireAtMostOne(CERTIFICATE, KEY_STORE);
    together(tls, TRUST_STORE, TRUST_STORE_PASSWORD);
    together(tls, KEY_STORE, KEY_STORE_PASSWORD);
    together(tls, CERTIFICATE, KEY);
  }

  private static void together(Values tls, Key<String> one, Key<String> other) {
    if (tls.given(one) != tls.given(other)) {
      Key<String> given = tls.given(one) ? one : other;
      Key<String> missing = tls.given(one) ? other : one;
      tls.error(given, "needs " + missing.name() + " too", "add " + missing.name());
    }
  }

  private static TlsSpec build(Values tls) {
    return new TlsSpec(
        tls.find(CA),
        tls.find(TRUST_STORE),
        tls.find(TRUST_STORE_PASSWORD),
        tls.find(CERTIFICATE),
        tls.find(KEY),
        tls.find(KEY_STORE),
        tls.find(KEY_STORE_PASSWORD),
        tls.get(VERIFY_HOSTNAME));
  }
}
