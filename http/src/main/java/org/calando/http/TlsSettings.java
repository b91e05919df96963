package org.calando.http;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How connections are encrypted, by whom the certificates of who answers must be signed, and who
 * Calando is to them. Holds paths only: keys and passwords are read when a connection is opened.
 *
 * <p>Immutable and thread safe.
 *
 * @param ca certificates in PEM that may sign those of who answers; empty, and no {@code
 *     trustStore} either: those that the JDK trusts
 * @param trustStore the same as a key store, PKCS #12 or JKS
 * @param certificate Calando's own certificate in PEM, with its chain, for who asks for one
 * @param key its private key in PEM, PKCS #8 and not encrypted; present if {@code certificate} is
 * @param keyStore certificate and key as a key store instead
 * @param verifyHostname whether a certificate must name the host or address that it is shown by
 */
public record TlsSettings(
    Optional<Path> ca,
    Optional<StoreFile> trustStore,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<StoreFile> keyStore,
    boolean verifyHostname) {

  public TlsSettings {
    if (ca.isPresent() && trustStore.isPresent()) {
      throw new IllegalArgumentException("both a CA and a trust store");
    }
    if (certificate.isPresent() != key.isPresent()) {
      throw new IllegalArgumentException("a certificate without a key, or a key without one");
    }
    if (certificate.isPresent() && keyStore.isPresent()) {
      throw new IllegalArgumentException("both a certificate and a key store");
    }
  }

  /** Trusts what a file of PEM certificates signed, and verifies host names. */
  public static TlsSettings trusting(Path ca) {
    return new TlsSettings(
        Optional.of(ca),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        true);
  }

  /**
   * A key store.
   *
   * @param file PKCS #12 or JKS
   * @param passwordFile its password, in the first line
   */
  public record StoreFile(Path file, Path passwordFile) {}
}
