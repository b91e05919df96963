package org.calando.local.relay;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.local.process.Tethered;

/** The command line of the relay's process. */
public final class RelayCommand {
  private RelayCommand() {}

  /**
   * The command.
   *
   * @param javaHome the Java to run it with
   * @param tethered true if it is to die with its parent
   * @param block first two bytes of the cluster's addresses
   * @param port the internode port
   * @param counters the file of {@link LinkCounters}
   */
  public static List<String> of(
      Path javaHome, boolean tethered, LinkDelays delays, String block, int port, Path counters) {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin/java").toString());
    command.addAll(
        List.of(
            "-Xms8m",
            "-Xmx64m",
            "-XX:MaxDirectMemorySize=320m",
            "-Xss256k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+PerfDisableSharedMem"));
    command.addAll(List.of("-cp", classPath()));
    if (tethered) {
      command.add(Tethered.class.getName());
    }
    command.add(RelayMain.class.getName());
    command.addAll(RelayMain.arguments(delays, block, port, counters));
    return command;
  }

  /** Where this module's classes and those of its errors are; the relay needs nothing else. */
  private static String classPath() {
    return Stream.of(RelayMain.class, CalandoException.class)
        .map(RelayCommand::codeLocation)
        .distinct()
        .collect(Collectors.joining(":"));
  }

  private static String codeLocation(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(type + " is at no path", e);
    }
  }
}
