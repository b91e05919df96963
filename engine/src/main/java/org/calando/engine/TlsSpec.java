package org.calando.engine;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.http.TlsSettings;

/**
 * How connections to the user's cluster are encrypted. Paths are as given, relative to the study
 * file; one that is absent is empty. Immutable and thread safe.
 *
 * @param ca PEM file of certificates that may sign those of the nodes
 * @param trustStore the same as a key store
 * @param trustStorePassword file of its password
 * @param certificate PEM file of Calando's own certificate
 * @param key PEM file of its private key
 * @param keyStore the same two as a key store
 * @param keyStorePassword file of its password
 * @param verifyHostname whether certificates must name the host that they are shown by
 */
public record TlsSpec(
    Optional<String> ca,
    Optional<String> trustStore,
    Optional<String> trustStorePassword,
    Optional<String> certificate,
    Optional<String> key,
    Optional<String> keyStore,
    Optional<String> keyStorePassword,
    boolean verifyHostname) {
  /** The same with the paths that are meant; nothing is read yet. */
  public TlsSettings below(Path base) {
    return new TlsSettings(
        ca.map(base::resolve),
        store(base, trustStore, trustStorePassword),
        certificate.map(base::resolve),
        key.map(base::resolve),
        store(base, keyStore, keyStorePassword),
        verifyHostname);
  }

  private static Optional<TlsSettings.StoreFile> store(
      Path base, Optional<String> file, Optional<String> password) {
    return file.map(
        name ->
            new TlsSettings.StoreFile(base.resolve(name), base.resolve(password.orElseThrow())));
  }
}
