package org.calando.local.relay;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.CalandoException;
import org.calando.local.process.JavaCommand;
import org.calando.local.process.Tethered;

/** The command line of the relay's process. */
public final class RelayCommand {
  private RelayCommand() {}

  /**
   * The command.
   *
   * @param tethered true if it is to die with its parent
   * @param arguments those of {@link RelayMain#arguments}
   */
  public static List<String> of(boolean tethered, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.javaHome().resolve("bin/java").toString());
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
    command.addAll(arguments);
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
