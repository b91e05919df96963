package org.calando.local.cassandra;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;
import org.calando.local.process.SecretFiles;
import org.calando.local.process.SignedKeys;

/*
 * Each node gets its own key, and nobody that of the CA.
 */
/** The certificates of a local cluster's nodes and the CA that signed them. Stateless. */
final class NodeCertificates {
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
    String password = SecretFiles.randomPassword();
    List<SignedKeys.Server> servers =
        IntStream.rangeClosed(1, config.nodes())
            .mapToObj(node -> new SignedKeys.Server("n" + node, config.address(node)))
            .toList();
    try {
      SignedKeys keys = SignedKeys.make(folder, password, servers);
      SecretFiles.write(passwordFile(folder), password);
      for (int node = 1; node <= config.nodes(); node++) {
        SecretFiles.write(storeFile(folder, node), store(keys, "n" + node, password.toCharArray()));
      }
      Files.writeString(caFile(folder), keys.caPem());
    } catch (IOException | GeneralSecurityException e) {
      throw new FailedWorkException(
          "the nodes' certificates cannot be made: " + e.getMessage(),
          folder.toString(),
          "check that there is space, and that the JDK has bin/keytool",
          e);
    }
  }

  private static byte[] store(SignedKeys keys, String node, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance(SignedKeys.STORE_TYPE);
    own.load(null, null);
    own.setKeyEntry(node, keys.key(node), password, keys.chain(node));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    own.store(bytes, password);
    return bytes.toByteArray();
  }
}
