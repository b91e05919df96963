package org.calando.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * For tests of commands on a local cluster that outlives them; what a test leaves is ended. The
 * cluster is started by a process that ends then, and the other commands of a test share one.
 */
abstract class LeftRunning {
  @TempDir Path folder;

  private final String engine;
  private final List<CommandProcess> started = new ArrayList<>();
  private CommandShell shell;

  LeftRunning(String engine) {
    this.engine = engine;
  }

  @BeforeEach
  void startShell() {
    shell = CommandShell.start(folder, environment());
  }

  @AfterEach
  void endWhatATestLeft() {
    try (CommandShell last = shell) {
      if (Files.exists(state())) {
        last.run("local", "stop", engine);
      }
    }
    started.forEach(CommandProcess::close);
  }

  private Map<String, String> environment() {
    return Map.of("CALANDO_STATE", folder.resolve("state").toString());
  }

  /** Where the cluster has its state. */
  final Path state() {
    return folder.resolve("state/local").resolve(engine);
  }

  /** Runs a command to its end. */
  final CommandAnswer command(String... arguments) {
    return shell.run(arguments);
  }

  /** Starts the cluster, by a process that ends then. */
  final CommandProcess startCluster(String... settings) {
    List<String> arguments = new ArrayList<>(List.of("local", "start", engine));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    CommandProcess command = begin(arguments.toArray(String[]::new));
    command.exitCode();
    return command;
  }

  /** Begins a command in a process of its own. */
  final CommandProcess begin(String... arguments) {
    CommandProcess command = CommandProcess.start(folder, environment(), arguments);
    started.add(command);
    return command;
  }
}
