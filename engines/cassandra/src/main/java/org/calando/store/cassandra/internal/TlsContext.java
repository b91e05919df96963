package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;
import org.calando.store.cassandra.TlsSettings;

/**
 * Opens encrypted connections as the settings have it. Immutable and thread safe.
 *
 * <p>The driver learns the other nodes' addresses from the first one, as numbers; a certificate may
 * well carry names only. So a node is verified by the name that it was listed with, and by its
 * address only if it was listed with that or not at all. Nothing is looked up in reverse.
 */
final class TlsContext implements SslEngineFactory {
  private final SSLContext context;
  private final boolean verifyHostname;
  private final Map<InetAddress, String> names = new HashMap<>();

  private TlsContext(SSLContext context, TlsSettings settings, List<Endpoint> listed) {
    this.context = context;
    this.verifyHostname = settings.verifyHostname();
    for (Endpoint endpoint : listed) {
      InetAddress address = endpoint.resolve().getAddress();
      if (address != null) {
        names.putIfAbsent(address, endpoint.host());
      }
    }
  }

  /**
   * Reads the files of the settings.
   *
   * @throws BadRequestException if one of them is missing or not what it should be
   */
  static Optional<TlsContext> of(CassandraStoreConfig config) {
    return config.tls().map(tls -> new TlsContext(load(tls), tls, config.contactPoints()));
  }

  private static SSLContext load(TlsSettings settings) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(settings), trusted(settings), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new BadRequestException(
          "the keys or certificates cannot be used (" + e.getMessage() + ")",
          "tls",
          "check that the key belongs to the certificate, and that their algorithms are usual");
    }
  }

  private static TrustManager[] trusted(TlsSettings settings) throws GeneralSecurityException {
    KeyStore store = null; // the JDK's own
    if (settings.ca().isPresent()) {
      store = TlsFiles.trusting(TlsFiles.certificates(settings.ca().get()));
    } else if (settings.trustStore().isPresent()) {
      store = TlsFiles.store(settings.trustStore().get());
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager[] keys(TlsSettings settings) throws GeneralSecurityException {
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    if (settings.keyStore().isPresent()) {
      TlsSettings.StoreFile file = settings.keyStore().get();
      factory.init(TlsFiles.store(file), TlsFiles.password(file.passwordFile()));
    } else if (settings.certificate().isPresent()) {
      List<X509Certificate> chain = TlsFiles.certificates(settings.certificate().get());
      requireValid(chain.get(0), settings);
      PrivateKey key =
          TlsFiles.privateKey(
              settings.key().orElseThrow(), chain.get(0).getPublicKey().getAlgorithm());
      KeyStore store = TlsFiles.empty();
      store.setKeyEntry("calando", key, new char[0], chain.toArray(new X509Certificate[0]));
      factory.init(store, new char[0]);
    } else {
      return new KeyManager[0];
    }
    return factory.getKeyManagers();
  }

  private static void requireValid(X509Certificate certificate, TlsSettings settings) {
    try {
      certificate.checkValidity();
    } catch (CertificateException e) {
      throw new BadRequestException(
          "is valid from %s to %s only"
              .formatted(
                  certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant()),
          settings.certificate().map(Object::toString).orElse("tls"),
          "renew it, or set this machine's clock right");
    }
  }

  @Override
  public SSLEngine newSslEngine(EndPoint remote) {
    SocketAddress address = remote.resolve();
    SSLEngine engine =
        address instanceof InetSocketAddress socket
            ? context.createSSLEngine(nameOf(socket), socket.getPort())
            : context.createSSLEngine();
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    secure(parameters);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** The name that the certificate of the node at an address must carry. */
  private String nameOf(InetSocketAddress socket) {
    String listed = socket.getAddress() == null ? null : names.get(socket.getAddress());
    return listed == null ? socket.getHostString() : listed;
  }

  void secure(SSLParameters parameters) {
    if (verifyHostname) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
  }

  SSLContext context() {
    return context;
  }

  @Override
  public void close() {
    // nothing is held open
  }
}
