package org.calando.local.process;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line of a server that is a Java program, run by the Java that runs this. */
public final class JavaCommand {
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
