package org.calando.local.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/**
 * Writes the jar that holds {@link Tethered} and nothing else, so that no class of Calando's leaks
 * onto a server's class path.
 */
public final class TetherJar {
  private static final String ENTRY = Tethered.class.getName().replace('.', '/') + ".class";

  private TetherJar() {}

  /** Writes {@code tether.jar} into the folder and returns it. */
  public static Path writeInto(Path folder) throws IOException {
    Path jar = folder.resolve("tether.jar");
    try (InputStream in =
            Objects.requireNonNull(Tethered.class.getResourceAsStream("/" + ENTRY), ENTRY);
        OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      out.putNextEntry(new JarEntry(ENTRY));
      in.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }
}
