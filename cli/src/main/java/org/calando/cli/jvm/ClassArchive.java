package org.calando.cli.jvm;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/*
 * Not the governor's own process: a JVM that cannot write all of its archive ends.
 */
/**
 * Archives the classes of the command in the JVM's form (CDS), from which a governor that is
 * started again reads them: half of the time until it decides is their loading. Takes some seconds
 * of a core.
 */
public final class ClassArchive {
  /** Jars of clients of HDFS and HBase, with half of all classes, of which few are loaded. */
  private static final List<String> WITHOUT =
      List.of("hadoop-client-", "hbase-shaded-", "echarts-");

  private static final String SUFFIX = ".jsa";

  private static final long LEFT_MILLIS = 600_000;

  private static final String CLASS = ".class";

  private ClassArchive() {}

  /**
   * Writes the archive of this process's class path, whole or not at all.
   *
   * @param arguments the file
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path file = Path.of(arguments[0]);
    Path made = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid());
    Path list = made.resolveSibling(made.getFileName() + ".classes");
    try {
      long begunMillis = System.currentTimeMillis();
      removeOthers(file, begunMillis);
      List<Path> jars = jars();
      Files.copy(Path.of(System.getProperty("java.home"), "lib", "classlist"), list);
      Files.write(list, classes(jars), StandardOpenOption.APPEND);
      Process dump =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xshare:dump",
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "-XX:SharedClassListFile=" + list,
                  "-XX:SharedArchiveFile=" + made,
                  "-cp",
                  System.getProperty("java.class.path"))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      // An archive of jars that were built meanwhile would never be used, nor made again.
      if (dump.waitFor() == 0 && jars.stream().noneMatch(jar -> isSince(jar, begunMillis))) {
        // Half of one ends the JVM that reads it.
        try (FileChannel written = FileChannel.open(made)) {
          written.force(true);
        }
        Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } finally {
      Files.deleteIfExists(list);
      Files.deleteIfExists(made);
    }
  }

  /** Those of other jars, and what one that was killed has left. */
  private static void removeOthers(Path file, long nowMillis) throws IOException {
    File[] others =
        file.resolveSibling(".")
            .toFile()
            .listFiles((folder, name) -> name.contains(SUFFIX) && !file.endsWith(name));
    for (File each : others == null ? new File[0] : others) {
      if (each.getName().endsWith(SUFFIX) || nowMillis - each.lastModified() > LEFT_MILLIS) {
        Files.deleteIfExists(each.toPath());
      }
    }
  }

  private static List<Path> jars() {
    List<Path> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.endsWith(".jar")) {
        jars.add(Path.of(entry));
      }
    }
    return jars;
  }

  private static boolean isSince(Path jar, long millis) {
    return jar.toFile().lastModified() >= millis;
  }

  /** Those that cannot be verified the JVM leaves out. */
  private static List<String> classes(List<Path> jars) throws IOException {
    List<String> classes = new ArrayList<>();
    for (Path jar : jars) {
      if (WITHOUT.stream().noneMatch(jar.getFileName().toString()::startsWith)) {
        try (JarFile opened = new JarFile(jar.toFile())) {
          opened.stream()
              .map(ZipEntry::getName)
              .filter(name -> name.endsWith(CLASS) && !name.contains("-"))
              .forEach(name -> classes.add(name.substring(0, name.length() - CLASS.length())));
        }
      }
    }
    return classes;
  }
}
