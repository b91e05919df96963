package org.calando.store.redis.internal.wire;

import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.calando.core.BadRequestException;
import org.calando.http.TlsFiles;
import org.calando.http.TlsSettings;
import org.calando.store.redis.RedisNode;

/**
 * Whom to trust, and who Calando is, for encrypted connections. Connections of one share the JDK's
 * cache of sessions, so that to connect again costs less. Immutable and thread safe.
 */
public final class TlsKeys {
  private final SSLContext context;
  private final boolean verifyHostname;

  private TlsKeys(SSLContext context, boolean verifyHostname) {
    this.context = context;
    this.verifyHostname = verifyHostname;
  }

  /**
   * Reads the files.
   *
   * @throws BadRequestException if one of them is missing or not what it should be
   */
  public static TlsKeys read(TlsSettings tls) {
    return new TlsKeys(TlsFiles.context(tls), tls.verifyHostname());
  }

  /**
   * Tells a client's builder what to trust and to show, for connections by Lettuce.
   *
   * @throws BadRequestException if a file is missing or not what it should be
   */
  public static void configure(SslContextBuilder builder, TlsSettings tls) {
    builder.sslProvider(SslProvider.JDK);
    TlsFiles.trusted(tls).ifPresent(builder::trustManager);
    TlsFiles.keys(tls).ifPresent(builder::keyManager);
  }

  /** The client's end of a connection to a node. */
  public SSLEngine engine(RedisNode node) {
    SSLEngine engine = context.createSSLEngine(node.host(), node.port());
    engine.setUseClientMode(true);
    engine.setSSLParameters(secured(engine.getSSLParameters()));
    return engine;
  }

  /** What a blocking connection is to have. */
  SSLParameters secured(SSLParameters parameters) {
    parameters.setEndpointIdentificationAlgorithm(verifyHostname ? "HTTPS" : "");
    return parameters;
  }

  SSLContext context() {
    return context;
  }
}
