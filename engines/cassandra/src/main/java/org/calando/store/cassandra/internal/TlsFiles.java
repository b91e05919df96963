package org.calando.store.cassandra.internal;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.store.cassandra.TlsSettings.StoreFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads keys and certificates of PEM files and key stores. Every error is a {@link
 * BadRequestException} that names the file and none of its content.
 */
final class TlsFiles {
  private static final Pattern PKCS8 =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private TlsFiles() {}

  /** The certificates of a PEM file, in its order; at least one. */
  static List<X509Certificate> certificates(Path file) {
    List<X509Certificate> certificates = new ArrayList<>();
    try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(file))) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        if (each instanceof X509Certificate certificate) {
          certificates.add(certificate);
        }
      }
    } catch (IOException e) {
      throw unreadable(file, "certificates", e);
    } catch (CertificateException e) {
      throw notPem(file, e);
    }
    if (certificates.isEmpty()) {
      throw notPem(file, null);
    }
    return certificates;
  }

  private static BadRequestException notPem(Path file, @Nullable CertificateException error) {
    return new BadRequestException(
        "holds no certificate in PEM" + (error == null ? "" : " (" + error.getMessage() + ")"),
        file.toString(),
        "give a file with '-----BEGIN CERTIFICATE-----'; of a key store: keytool -exportcert -rfc");
  }

  /**
   * A private key of a PEM file.
   *
   * @param algorithm that of the certificate's public key
   */
  static PrivateKey privateKey(Path file, String algorithm) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw unreadable(file, "the private key", e);
    }
    Matcher pem = PKCS8.matcher(text);
    if (!pem.find()) {
      throw new BadRequestException(
          "holds no private key in PKCS #8 without a password",
          file.toString(),
          "convert it: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEW, and chmod 600 NEW");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(pem.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new BadRequestException(
          "is no " + algorithm + " key, as the certificate's is",
          file.toString(),
          "give the key that belongs to the certificate");
    }
  }

  /** The first line of a password file. */
  static char[] password(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = reader.readLine();
      if (line != null && !line.isEmpty()) {
        return line.toCharArray();
      }
    } catch (IOException e) {
      throw unreadable(file, "the password", e);
    }
    throw new BadRequestException(
        "its first line is empty", file.toString(), "write the password into it");
  }

  /** A key store, PKCS #12 or JKS. */
  static KeyStore store(StoreFile store) {
    char[] password = password(store.passwordFile());
    if (!Files.isReadable(store.file())) {
      throw unreadable(store.file(), "the key store", new IOException("not readable"));
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

  /** A key store in memory of certificates to trust. */
  static KeyStore trusting(List<X509Certificate> certificates) throws GeneralSecurityException {
    KeyStore store = empty();
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("ca" + i, certificates.get(i));
    }
    return store;
  }

  /** An empty key store in memory. */
  static KeyStore empty() throws GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try {
      store.load(null, null);
    } catch (IOException e) {
      throw new KeyStoreException(e); // nothing is read
    }
    return store;
  }

  private static BadRequestException unreadable(Path file, String what, IOException error) {
    return new BadRequestException(
        what + " cannot be read (" + error.getClass().getSimpleName() + ")",
        file.toString(),
        "give a file that exists and that you may read");
  }
}
