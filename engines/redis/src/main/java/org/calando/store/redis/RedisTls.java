package org.calando.store.redis;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How connections are encrypted. Holds paths only: keys and passwords are read when connections are
 * opened. Immutable and thread safe.
 *
 * @param ca certificates in PEM that may sign those of the nodes; empty, and no {@code trustStore}
 *     either: those that the JDK trusts
 * @param trustStore the same as a key store
 * @param certificate Calando's own certificate in PEM, for nodes that ask for one
 * @param key its private key in PEM, PKCS #8 and not encrypted; present if {@code certificate} is
 * @param keyStore certificate and key as a key store instead
 * @param verifyHostname whether a node's certificate must name the host that it is reached by
 */
public record RedisTls(
    Optional<Path> ca,
    Optional<StoreFile> trustStore,
    Optional<Path> certificate,
    Optional<Path> key,
    Optional<StoreFile> keyStore,
    boolean verifyHostname) {
  public RedisTls {
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
  public static RedisTls trusting(Path ca) {
    return new RedisTls(
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
