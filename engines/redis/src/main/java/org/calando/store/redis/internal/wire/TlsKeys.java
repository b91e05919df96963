package org.calando.store.redis.internal.wire;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.calando.core.BadRequestException;
import org.calando.store.redis.RedisNode;
import org.calando.store.redis.RedisTls;
import org.calando.store.redis.RedisTls.StoreFile;
import org.calando.store.redis.internal.Links;

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
  public static TlsKeys read(RedisTls tls) {
    SslContextBuilder builder = SslContextBuilder.forClient();
    configure(builder, tls);
    try {
      return new TlsKeys(((JdkSslContext) builder.build()).context(), tls.verifyHostname());
    } catch (IOException | RuntimeException e) {
      throw unusable(e);
    }
  }

  /**
   * Tells a client's builder what to trust and to show, for connections by Lettuce.
   *
   * @throws BadRequestException if a file is missing or not what it should be
   */
  public static void configure(SslContextBuilder builder, RedisTls tls) {
    tls.ca().ifPresent(TlsKeys::requireReadable);
    tls.certificate().ifPresent(TlsKeys::requireReadable);
    tls.key().ifPresent(TlsKeys::requireReadable);
    builder.sslProvider(SslProvider.JDK);
    try {
      if (tls.ca().isPresent()) {
        builder.trustManager(tls.ca().get().toFile());
      } else if (tls.trustStore().isPresent()) {
        TrustManagerFactory trusted =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store(tls.trustStore().get()));
        builder.trustManager(trusted);
      }
      if (tls.certificate().isPresent()) {
        builder.keyManager(
            tls.certificate().get().toFile(), tls.key().map(Path::toFile).orElseThrow());
      } else if (tls.keyStore().isPresent()) {
        KeyManagerFactory keys =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(tls.keyStore().get()), password(tls.keyStore().get().passwordFile()));
        builder.keyManager(keys);
      }
    } catch (BadRequestException e) {
      throw e;
    } catch (GeneralSecurityException | RuntimeException e) {
      throw unusable(e);
    }
  }

  private static BadRequestException unusable(Exception error) {
    return new BadRequestException(
        "the keys or certificates cannot be used (" + Links.reason(error) + ")",
        "tls",
        "give certificates in PEM, and the key that belongs to its certificate in PKCS #8 without a"
            + " password");
  }

  private static void requireReadable(Path file) {
    if (!Files.isReadable(file)) {
      throw new BadRequestException(
          "cannot be read", file.toString(), "give a file that exists and that you may read");
    }
  }

  private static KeyStore store(StoreFile store) {
    requireReadable(store.file());
    try {
      return KeyStore.getInstance(store.file().toFile(), password(store.passwordFile()));
    } catch (IOException | GeneralSecurityException e) {
      throw new BadRequestException(
          "is no key store, or its password is another",
          store.file().toString(),
          "check it: keytool -list -keystore FILE; the password is in " + store.passwordFile());
    }
  }

  private static char[] password(Path file) {
    requireReadable(file);
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      return Optional.ofNullable(reader.readLine()).orElse("").toCharArray();
    } catch (IOException e) {
      throw new BadRequestException(
          "holds no text", file.toString(), "write the password into its first line");
    }
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
