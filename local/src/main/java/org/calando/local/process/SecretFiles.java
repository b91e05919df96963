package org.calando.local.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Set;

/** Files that nobody but this user may read, mode 0600 from their first byte. Stateless. */
public final class SecretFiles {
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** 192 bits. */
  private static final int PASSWORD_BYTES = 24;

  private SecretFiles() {}

  /** A password nobody can guess: 32 letters, digits, - and _. */
  public static String randomPassword() {
    byte[] random = new byte[PASSWORD_BYTES];
    new SecureRandom().nextBytes(random);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
  }

  /** Writes a text and a line end, in place of a file that is there. */
  public static void write(Path file, String text) throws IOException {
    write(file, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes, in place of a file that is there. */
  public static void write(Path file, byte[] content) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent == null) {
      throw new IOException("no folder: " + file);
    }
    Path temporary = Files.createTempFile(parent, ".secret", "", PRIVATE);
    try {
      Files.write(temporary, content);
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
