package org.calando.http;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.calando.core.BadRequestException;
import org.calando.http.TlsSettings.StoreFile;

/**
 * Makes of files in PEM and of key stores what a connection of TLS needs. Every error is a {@link
 * BadRequestException} that names the file and none of its content. Stateless.
 */
public final class TlsFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  /** How keys sign, by their algorithms; those of others are not compared with certificates. */
  private static final Map<String, String> SIGNATURES =
      Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

  private TlsFiles() {}

  /**
   * What a server shows, and whom it trusts.
   *
   * @throws BadRequestException if a file cannot be read or is not what it should be, or others may
   *     read the key
   */
  public static SSLContext server(Listening.Tls tls) {
    return context(Optional.of(tls.certificate()), Optional.of(tls.key()), tls.clientCa());
  }

  /**
   * What one side shows, and whom it trusts.
   *
   * @param key which others must not read
   * @param ca authorities; those of the system if empty
   */
  static SSLContext context(Optional<Path> certificate, Optional<Path> key, Optional<Path> ca) {
    return context(
        certificate.map(file -> keys(file, key.orElseThrow(), SecretFile.read(key.orElseThrow()))),
        ca.map(TlsFiles::trusting));
  }

  /**
   * What a client shows, and whom it trusts.
   *
   * @throws BadRequestException if a file cannot be read or is not what it should be
   */
  public static SSLContext context(TlsSettings tls) {
    return context(keys(tls), trusted(tls));
  }

  /** What a client trusts that trusts some authorities, and shows nothing itself. */
  public static SSLContext context(Path ca) {
    return context(Optional.empty(), Optional.of(trusting(ca)));
  }

  private static SSLContext context(
      Optional<KeyManagerFactory> keys, Optional<TrustManagerFactory> trusted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          keys.map(KeyManagerFactory::getKeyManagers).orElse(null),
          trusted.map(TrustManagerFactory::getTrustManagers).orElse(null),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS of the JDK cannot be used", e);
    }
  }

  /** Whom a client trusts; empty for those that the JDK trusts. */
  public static Optional<TrustManagerFactory> trusted(TlsSettings tls) {
    return tls.ca()
        .map(TlsFiles::trusting)
        .or(() -> tls.trustStore().map(store -> trust(store(store), store.file())));
  }

  /** What a client shows; empty for nothing. */
  public static Optional<KeyManagerFactory> keys(TlsSettings tls) {
    return tls.certificate()
        .map(
            file -> {
              requireValid(file);
              return keys(file, tls.key().orElseThrow(), text(tls.key().orElseThrow()));
            })
        .or(
            () ->
                tls.keyStore()
                    .map(one -> keys(store(one), password(one.passwordFile()), one.file())));
  }

  private static KeyManagerFactory keys(Path certificate, Path key, String pem) {
    try {
      Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
      PrivateKey own = key(key, pem, chain[0].getPublicKey().getAlgorithm());
      requirePair(own, chain[0].getPublicKey());
      KeyStore store = empty();
      char[] password = {};
      store.setKeyEntry("own", own, password, chain);
      return keys(store, password, key);
    } catch (GeneralSecurityException | IOException e) {
      throw new BadRequestException(
          "is not the key of " + certificate,
          key.toString(),
          "give the certificate in PEM, and the key that belongs to it");
    }
  }

  private static KeyManagerFactory keys(KeyStore store, char[] password, Path file) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      return keys;
    } catch (GeneralSecurityException e) {
      throw unusable(file, e);
    }
  }

  private static TrustManagerFactory trust(KeyStore store, Path file) {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust;
    } catch (GeneralSecurityException e) {
      throw unusable(file, e);
    }
  }

  private static BadRequestException unusable(Path file, GeneralSecurityException error) {
    return new BadRequestException(
        "its keys or certificates cannot be used (" + error.getMessage() + ")",
        file.toString(),
        "check that the key belongs to the certificate, and that their algorithms are usual");
  }

  /** A key store takes any pair, such as of files of which one is renewed and one is not yet. */
  private static void requirePair(PrivateKey key, PublicKey shown) throws GeneralSecurityException {
    String algorithm = SIGNATURES.get(shown.getAlgorithm());
    if (algorithm == null) {
      return;
    }
    byte[] any = {1};
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(any);
    byte[] signed = signature.sign();
    signature.initVerify(shown);
    signature.update(any);
    if (!signature.verify(signed)) {
      throw new SignatureException("is of another key");
    }
  }

  private static PrivateKey key(Path file, String pem, String algorithm)
      throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(pem);
    if (matcher.find()) {
      try {
        byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException | IllegalArgumentException e) {
        // Told below: what is wrong with a key is nothing to repeat.
      }
    }
    throw new BadRequestException(
        "holds no " + algorithm + " key in PKCS #8 without a password",
        file.toString(),
        "give the key that belongs to the certificate, or convert it: openssl pkcs8 -topk8 -nocrypt"
            + " -in KEY -out NEW, and chmod 600 NEW");
  }

  private static void requireValid(Path certificate) {
    X509Certificate own = (X509Certificate) certificates(certificate).iterator().next();
    try {
      own.checkValidity();
    } catch (CertificateException e) {
      throw new BadRequestException(
          "is valid from %s to %s only"
              .formatted(own.getNotBefore().toInstant(), own.getNotAfter().toInstant()),
          certificate.toString(),
          "renew it, or set this machine's clock right");
    }
  }

  private static TrustManagerFactory trusting(Path ca) {
    try {
      KeyStore store = empty();
      for (Certificate authority : certificates(ca)) {
        store.setCertificateEntry("ca" + store.size(), authority);
      }
      return trust(store, ca);
    } catch (GeneralSecurityException | IOException e) {
      throw noCertificate(ca);
    }
  }

  private static Collection<? extends Certificate> certificates(Path file) {
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
      if (found.isEmpty()) {
        throw noCertificate(file);
      }
      return found;
    } catch (IOException e) {
      throw SecretFile.unreadable(file);
    } catch (GeneralSecurityException e) {
      throw noCertificate(file);
    }
  }

  private static BadRequestException noCertificate(Path file) {
    return new BadRequestException(
        "holds no certificate in PEM",
        file.toString(),
        "give a file with '-----BEGIN CERTIFICATE-----'; of a key store: keytool -exportcert -rfc");
  }

  /** A key store, PKCS #12 or JKS. */
  private static KeyStore store(StoreFile store) {
    char[] password = password(store.passwordFile());
    if (!Files.isReadable(store.file())) {
      throw new BadRequestException(
          "cannot be read",
          store.file().toString(),
          "give a file that exists and that you may read");
    }
    try {
      return KeyStore.getInstance(store.file().toFile(), password);
    } catch (IOException | GeneralSecurityException e) {
      throw new BadRequestException(
          "is no key store, or its password is another",
          store.file().toString(),
          "check it: keytool -list -keystore FILE; the password is in " + store.passwordFile());
    }
  }

  /** The first line of a password file. */
  private static char[] password(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      if (line != null) {
        return line.toCharArray();
      }
    } catch (IOException e) {
      throw SecretFile.unreadable(file);
    }
    throw new BadRequestException("is empty", file.toString(), "write the password into it");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw SecretFile.unreadable(file);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }
}
