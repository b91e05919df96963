package org.calando.store.cassandra.internal;

import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.calando.core.BadRequestException;
import org.calando.http.TlsFiles;
import org.calando.http.TlsSettings;
import org.calando.store.cassandra.CassandraStoreConfig;
import org.calando.store.cassandra.Endpoint;

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
    return config
        .tls()
        .map(tls -> new TlsContext(TlsFiles.context(tls), tls, config.contactPoints()));
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
