package org.calando.local.process;

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

/*
 * keytool makes the keys, as the JDK has no public means to sign a certificate. It is told the
 * password by its environment, which only this user can read, and writes into one store, which is
 * deleted: with it the CA's key is thrown away, so that nobody can ever sign another certificate that
 * the clients of this cluster would trust.
 */
/**
 * Keys of servers, and certificates that a CA of their own has signed; in memory. Not thread safe.
 */
public final class SignedKeys {
  /** The type of key stores that keytool writes. */
  public static final String STORE_TYPE = "PKCS12";

  private static final String CA = "ca";
  private static final String VALID_DAYS = "3650";
  private static final String PASSWORD_VARIABLE = "CALANDO_STORE_PASSWORD";
  private static final long KEYTOOL_SECONDS = 60;

  private final KeyStore store;
  private final char[] password;

  /**
   * A server.
   *
   * @param name its alias and common name
   * @param address the IP address that its certificate names
   */
  public record Server(String name, String address) {}

  private SignedKeys(KeyStore store, char[] password) {
    this.store = store;
    this.password = password;
  }

  /**
   * Makes a CA and a key of each server.
   *
   * @param folder for a file that is deleted again
   * @param password of that file
   * @throws IOException if keytool or the disk refuses
   */
  public static SignedKeys make(Path folder, String password, List<Server> servers)
      throws IOException, GeneralSecurityException {
    Path all = folder.resolve("all.p12");
    try {
      keytool(folder, password, caArguments(all));
      for (Server server : servers) {
        keytool(folder, password, serverArguments(all, server));
      }
      char[] secret = password.toCharArray();
      return new SignedKeys(KeyStore.getInstance(all.toFile(), secret), secret);
    } finally {
      Files.deleteIfExists(all);
    }
  }

  private static List<String> caArguments(Path store) {
    List<String> arguments = new ArrayList<>(common(store, CA, "CN=CA of a local cluster"));
    arguments.addAll(List.of("-ext", "bc:c=ca:true", "-ext", "ku:c=keyCertSign,cRLSign"));
    return arguments;
  }

  private static List<String> serverArguments(Path store, Server server) {
    List<String> arguments = new ArrayList<>(common(store, server.name(), "CN=" + server.name()));
    arguments.addAll(List.of("-signer", CA, "-ext", "san=ip:" + server.address()));
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

  /** A server's private key. */
  public Key key(String server) throws GeneralSecurityException {
    return store.getKey(server, password);
  }

  /** A server's certificate and the CA's. */
  public Certificate[] chain(String server) throws GeneralSecurityException {
    return store.getCertificateChain(server);
  }

  /** A server's private key in PEM, PKCS #8 without a password. */
  public String keyPem(String server) throws GeneralSecurityException {
    return pem("PRIVATE KEY", key(server).getEncoded());
  }

  /** A server's certificate in PEM. */
  public String certificatePem(String server) throws GeneralSecurityException {
    return pem("CERTIFICATE", store.getCertificate(server).getEncoded());
  }

  /** The CA's certificate in PEM. */
  public String caPem() throws GeneralSecurityException {
    return certificatePem(CA);
  }

  private static String pem(String what, byte[] encoded) {
    String body =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
  }
}
