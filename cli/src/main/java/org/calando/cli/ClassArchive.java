package org.calando.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.management.JMException;
import javax.management.ObjectName;
import org.calando.core.time.DaemonThread;

/**
 * The classes that a governor has loaded, in an archive of the JVM, from which one that is started
 * again reads them: most of the time until it decides is their loading. Stateless.
 */
final class ClassArchive {
  /** The launcher names the file where there is none yet, and has the JVM record what it loads. */
  private static final String FILE = "calando.archive";

  /** In ms, after which it has loaded what it works with. */
  private static final String AFTER = "calando.archive-after";

  private static final long AFTER_MILLIS = 30_000;

  private ClassArchive() {}

  /** Writes the archive in some time, if one is wanted; returns at once. */
  static void writeLater() {
    String file = System.getProperty(FILE, "");
    if (!file.isEmpty()) {
      DaemonThread.start("calando-class-archive", () -> writeAfter(Path.of(file)));
    }
  }

  private static void writeAfter(Path file) {
    try {
      Thread.sleep(Long.getLong(AFTER, AFTER_MILLIS));
      write(file);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | JMException | RuntimeException e) {
      // Such as a folder of another user: the next start takes as long as this one.
    }
  }

  /** Never leaves part of a file: one that is killed meanwhile leaves the name free. */
  private static void write(Path file) throws IOException, JMException {
    Path made = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
    try {
      // HotSpot's own operation, for which the platform has no class: VM.cds of jcmd.
      Object unused =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmCds",
                  new Object[] {new String[] {"dynamic_dump", made.toString()}},
                  new String[] {String[].class.getName()});
      Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(made);
    }
  }
}
