package org.calando.local.cassandra;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SecretFiles;

/*
 * keytool makes the keys, as the JDK has no public means to sign a certificate. It is told the
 * password by its environment, which only this user can read, and writes into one store; each node
 * gets its own key out of that, and the CA's key is then thrown away: nobody can ever sign another
 * certificate that the clients of this cluster would trust.
 */
/** The certificates of a local cluster's nodes and the CA that signed them. Stateless. */
final class NodeCertificates {
  private static final String CA = "ca";
  private static final String STORE_TYPE = "PKCS12";
  private static final String VALID_DAYS = "3650";
  private static final String PASSWORD_VARIABLE = "CALANDO_STORE_PASSWORD";
  private static final long KEYTOOL_SECONDS = 60;

  private NodeCertificates() {}

  /** The certificate of the CA, in PEM. */
  static Path caFile(Path folder) {
    return folder.resolve("ca.pem");
  }

  /** The key store of node i (1 to N). */
  static Path storeFile(Path folder, int node) {
    return folder.resolve("n" + node + ".p12");
  }

  /** The password of all key stores. */
  static Path passwordFile(Path folder) {
    return folder.resolve("keystore.password");
  }

  /**
   * Makes all files, which must not be there.
   *
   * @throws FailedWorkException if keytool or the disk refuses
   */
  static void make(LocalCassandraConfig config, Path folder) {
    Path all = folder.resolve("all.p12");
    String password = SecretFiles.randomPassword();
    try {
      keytool(folder, password, caArguments(all));
      for (int node = 1; node <= config.nodes(); node++) {
        keytool(folder, password, nodeArguments(all, "n" + node, config.address(node)));
      }
      SecretFiles.write(passwordFile(folder), password);
      split(config, all, folder, password.toCharArray());
    } catch (IOException | GeneralSecurityException e) {
      throw new FailedWorkException(
          "the nodes' certificates cannot be made: " + e.getMessage(),
          folder.toString(),
          "check that there is space, and that the JDK has bin/keytool",
          e);
    } finally {
      removeQuietly(all);
    }
  }

  private static List<String> caArguments(Path store) {
    List<String> arguments = new ArrayList<>(common(store, CA, "CN=CA of a local cluster"));
    arguments.addAll(List.of("-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign,cRLSign"));
    return arguments;
  }

  private static List<String> nodeArguments(Path store, String name, String address) {
    List<String> arguments = new ArrayList<>(common(store, name, "CN=" + name));
    arguments.addAll(List.of("-signer", CA, "-ext", "san=ip:" + address));
    return arguments;
  }

  private static List<String> common(Path store, String alias, String name) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        // Most of its second is the JVM's start.
        "-J-XX:TieredStopAtLevel=1",
        "-J-XX:+UseSerialGC",
        "-J-Xshare:auto",
        "-genkeypair",
        "-storepass:env",
        PASSWORD_VARIABLE,
        "-keystore",
        store.toString(),
        "-storetype",
        STORE_TYPE,
        "-alias",
        alias,
        "-dname",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        VALID_DAYS);
  }

  private static void keytool(Path folder, String password, List<String> command)
      throws IOException {
    Path output = folder.resolve("keytool.log");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put(PASSWORD_VARIABLE, password);
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("keytool does not end");
      }
      if (process.exitValue() != 0) {
        throw new IOException("keytool: " + Files.readString(output).strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(output);
    }
  }

  private static void split(LocalCassandraConfig config, Path all, Path folder, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore together = KeyStore.getInstance(all.toFile(), password);
    for (int node = 1; node <= config.nodes(); node++) {
      Key key = together.getKey("n" + node, password);
      Certificate[] chain = together.getCertificateChain("n" + node);
      KeyStore own = KeyStore.getInstance(STORE_TYPE);
      own.load(null, null);
      own.setKeyEntry("n" + node, key, password, chain);
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      own.store(bytes, password);
      SecretFiles.write(storeFile(folder, node), bytes.toByteArray());
    }
    Files.writeString(caFile(folder), pem(together.getCertificate(CA)));
  }

  private static String pem(Certificate certificate) throws GeneralSecurityException {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(certificate.getEncoded());
    return "-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n";
  }

  private static void removeQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // it goes with the folder
    }
  }
}
