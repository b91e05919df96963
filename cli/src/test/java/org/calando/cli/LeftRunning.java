package org.calando.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** For tests of commands on a local cluster that outlives them; what a test leaves is ended. */
abstract class LeftRunning {
  @TempDir Path folder;

  private final String engine;
  private final List<CommandProcess> started = new ArrayList<>();

  LeftRunning(String engine) {
    this.engine = engine;
  }

  @AfterEach
  void endWhatATestLeft() {
    if (Files.exists(state())) {
      command("local", "stop", engine);
    }
    started.forEach(CommandProcess::close);
  }

  /** Where the cluster has its state. */
  final Path state() {
    return folder.resolve("state/local").resolve(engine);
  }

  /** Runs a command to its end. */
  final CommandProcess command(String... arguments) {
    Map<String, String> environment = Map.of("CALANDO_STATE", folder.resolve("state").toString());
    CommandProcess command = CommandProcess.run(folder, environment, arguments);
    started.add(command);
    return command;
  }
}
