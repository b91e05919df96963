package org.calando.toy;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.calando.control.file.AtomicFiles;

/** A governor in a process of its own, which a test kills. */
final class GovernedProcess implements AutoCloseable {
  private static final String ADDRESS = "address";
  private static final Duration LONG = Duration.ofMinutes(2);

  private final Process process;
  private final String address;

  private GovernedProcess(Process process, String address) {
    this.process = process;
    this.address = address;
  }

  /** Governs the folder's {@code govern.yaml} until the process ends. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    OperatedGovernor governor =
        OperatedGovernor.start(folder, Files.readString(folder.resolve("govern.yaml")), line -> {});
    AtomicFiles.write(folder.resolve(ADDRESS), governor.address() + "\n");
    Thread.currentThread().join();
  }

  /** Starts one, and waits until it has begun. */
  static GovernedProcess start(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(ADDRESS));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-D" + ToyDial.FILE + "=" + folder.resolve("dial"),
                "-cp",
                System.getProperty("java.class.path"),
                GovernedProcess.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
            .start();
    await().atMost(LONG).until(() -> Files.exists(folder.resolve(ADDRESS)) || !process.isAlive());
    if (!process.isAlive()) {
      throw new IllegalStateException(Files.readString(folder.resolve("log")));
    }
    return new GovernedProcess(process, Files.readString(folder.resolve(ADDRESS)).strip());
  }

  String address() {
    return address;
  }

  /** As kill -9. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
