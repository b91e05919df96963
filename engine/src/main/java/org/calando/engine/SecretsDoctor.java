package org.calando.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whether the files of passwords, keys and certificates can be read, and by whom. */
public final class SecretsDoctor {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private final StoreSpec store;
  private final Path base;
  private final List<Finding> findings = new ArrayList<>();

  public SecretsDoctor(StoreSpec store, Path base) {
    this.store = store;
    this.base = base;
  }

  public List<Finding> examine() {
    store
        .credentials()
        .ifPresent(
            credentials -> {
              secret("password file", credentials.passwordFile());
              credentials.passwordVariable().ifPresent(this::variable);
            });
    store.settings().stream()
        .map(EngineSettings::furtherCredentials)
        .forEach(further -> further.forEach((what, user) -> secret(what, user.passwordFile())));
    store.tls().ifPresent(this::tls);
    return findings;
  }

  private void tls(TlsSpec tls) {
    readable("CA", tls.ca());
    readable("trust store", tls.trustStore());
    secret("trust store's password", tls.trustStorePassword());
    readable("certificate", tls.certificate());
    secret("private key", tls.key());
    secret("key store", tls.keyStore());
    secret("key store's password", tls.keyStorePassword());
    if (!tls.verifyHostname()) {
      findings.add(
          new Finding(
              true, "host names", "are not verified: any node with a trusted certificate will do"));
    }
  }

  private void variable(String name) {
    String value = System.getenv(name);
    boolean set = value != null && !value.isEmpty();
    findings.add(
        new Finding(
            set, "password", set ? "$" + name + " is set" : "$" + name + " is not set: export it"));
  }

  private void readable(String subject, Optional<String> file) {
    file.ifPresent(name -> examine(subject, base.resolve(name), false));
  }

  private void secret(String subject, Optional<String> file) {
    file.ifPresent(name -> examine(subject, base.resolve(name), true));
  }

  private void examine(String subject, Path file, boolean secret) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      String text = file + " does not exist, or you may not read it";
      findings.add(new Finding(false, subject, text + "\nremedy: give a file that you may read"));
    } else if (secret && othersMayUse(file)) {
      String text = "others may read " + file + "\nremedy: chmod 600 " + file;
      findings.add(new Finding(false, subject, text));
    } else {
      findings.add(new Finding(true, subject, file.toString()));
    }
  }

  private static boolean othersMayUse(Path file) {
    try {
      return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // a file system without such permissions
    }
  }
}
