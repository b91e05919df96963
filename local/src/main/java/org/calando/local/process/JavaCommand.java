package org.calando.local.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of a server that is a Java program, run by the Java that runs this. */
public final class JavaCommand {
  /** The system property with a folder, in which servers list the classes that they load. */
  public static final String LISTS = "calando.classes";

  private final List<String> command = new ArrayList<>();
  private final Path folder;

  /**
   * A small machine: one thread collects garbage, and the end of memory ends it.
   *
   * @param folder the server's own, which is there
   */
  public JavaCommand(Path folder, int heapMebibytes) {
    this.folder = folder;
    command.add(javaHome().resolve("bin/java").toString());
    with(
        "-Xmx" + heapMebibytes + "m",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        // No file in /tmp/hsperfdata_USER, which kill -9 would leave behind.
        "-XX:+PerfDisableSharedMem",
        "-Djava.io.tmpdir=" + folder.resolve("tmp"));
  }

  /** The Java that runs this. */
  public static Path javaHome() {
    return Path.of(System.getProperty("java.home"));
  }

  /** Adds options of the machine. */
  @CanIgnoreReturnValue
  public JavaCommand with(String... options) {
    command.addAll(List.of(options));
    return this;
  }

  /** Only the quick compiler: half the CPU of a start. */
  @CanIgnoreReturnValue
  public JavaCommand quick() {
    return with("-XX:TieredStopAtLevel=1");
  }

  /**
   * Has classes read from an archive of the JVM's (CDS) if it is there; one of other jars, or of
   * another Java, is left alone.
   *
   * @param archive of the first jars of the class path
   */
  @CanIgnoreReturnValue
  public JavaCommand archived(Path archive) {
    String lists = System.getProperty(LISTS, "");
    if (!lists.isEmpty()) {
      String name = archive.getFileName() + "-" + folder.getFileName();
      return with("-XX:DumpLoadedClassList=" + Path.of(lists).resolve(name));
    }
    return Files.exists(archive) ? with("-XX:SharedArchiveFile=" + archive) : this;
  }

  /**
   * The command.
   *
   * @param tethered whether the program dies with the one that starts it
   * @param main the class
   * @throws IOException if {@link TetherJar} cannot be written
   */
  public List<String> running(
      Stream<Path> classPath, boolean tethered, String main, String... arguments)
      throws IOException {
    Path tether = TetherJar.writeInto(folder);
    with(
        "-cp",
        Stream.concat(classPath, Stream.of(tether))
            .map(Path::toString)
            .collect(Collectors.joining(":")));
    if (tethered) {
      with(Tethered.class.getName());
    }
    return List.copyOf(with(main).with(arguments).command);
  }
}
