package org.calando.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.calando.core.BadRequestException;
import org.jspecify.annotations.Nullable;

/** Makes of files in PEM what a connection of TLS needs. Stateless. */
public final class TlsFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  /** How keys that are taken sign, by their algorithms. */
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
   * @param ca authorities; those of the system if empty
   */
  static SSLContext context(Optional<Path> certificate, Optional<Path> key, Optional<Path> ca) {
    KeyManager @Nullable [] keys =
        certificate.isPresent() ? keys(certificate.get(), key.orElseThrow()) : null;
    TrustManager @Nullable [] trusted = ca.isPresent() ? trusted(ca.get()) : null;
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trusted, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("TLS of the JDK cannot be used", e);
    }
  }

  private static KeyManager[] keys(Path certificate, Path key) {
    try {
      Certificate[] chain = certificates(certificate).toArray(new Certificate[0]);
      char[] password = {};
      PrivateKey own = key(key, chain[0].getPublicKey().getAlgorithm());
      requirePair(own, chain[0].getPublicKey());
      KeyStore store = empty();
      store.setKeyEntry("own", own, password, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new BadRequestException(
          "is not the key of " + certificate,
          key.toString(),
          "give the certificate in PEM, and the key that belongs to it");
    }
  }

  /** A key store takes any pair, such as of files of which one is renewed and one is not yet. */
  private static void requirePair(PrivateKey key, PublicKey shown) throws GeneralSecurityException {
    byte[] any = {1};
    Signature signature = Signature.getInstance(SIGNATURES.get(shown.getAlgorithm()));
    signature.initSign(key);
    signature.update(any);
    byte[] signed = signature.sign();
    signature.initVerify(shown);
    signature.update(any);
    if (!signature.verify(signed)) {
      throw new SignatureException("is of another key");
    }
  }

  private static PrivateKey key(Path file, String algorithm) throws GeneralSecurityException {
    Matcher matcher = KEY.matcher(SecretFile.read(file));
    if (matcher.find() && SIGNATURES.containsKey(algorithm)) {
      byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
      } catch (InvalidKeySpecException e) {
        // Told below: what is wrong with a key is nothing to repeat.
      }
    }
    throw new BadRequestException(
        "holds no " + algorithm + " key in PKCS #8 without a password",
        file.toString(),
        "convert it: openssl pkcs8 -topk8 -nocrypt -in KEY -out FILE");
  }

  private static TrustManager[] trusted(Path ca) {
    try {
      KeyStore store = empty();
      for (Certificate authority : certificates(ca)) {
        store.setCertificateEntry("ca" + store.size(), authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust.getTrustManagers();
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
        "holds no certificate", file.toString(), "give certificates in PEM");
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    return store;
  }
}
