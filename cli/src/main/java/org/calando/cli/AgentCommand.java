package org.calando.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.agent.server.AgentServer;
import org.calando.clock.Machine;
import org.calando.core.CalandoException;
import org.calando.governor.Signals;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.service.AgentSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** {@code calando agent}: sets, reads and turns what this machine has, for governors elsewhere. */
@Command(
    name = "agent",
    mixinStandardHelpOptions = true,
    description =
        "Sets the CPU clocks of this machine and knobs of its processes, places threads, reads"
            + " meters and turns switches for governors, one on each machine, until Ctrl-C or"
            + " SIGTERM. What it sets is restored when the governor has been silent for 10 s, and"
            + " when it ends or is killed; a switch stays as ordered. See docs/agent.md.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
final class AgentCommand implements Callable<Integer> {
  private static final long LOOK_NANOS = 1_000_000_000L;

  @Parameters(
      paramLabel = "FILE.yaml",
      description = "The agent's file; see docs/govern-reference.md.")
  private Path file;

  @Option(
      names = "--set",
      paramLabel = "PATH=VALUE",
      description = "Replaces a value of the file. Repeatable.")
  private List<String> settings = new ArrayList<>();

  @ParentCommand private Main main;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() throws InterruptedException {
    PrintStream stdout = new PrintStream(System.out, true, OutputOptions.charset());
    GovernNews news = new GovernNews(stdout, output.json(), Clock.systemUTC());
    try {
      serve(StudyFile.readAgent(file, settings), news);
    } finally {
      news.print(0);
    }
    return 0;
  }

  private void serve(AgentSpec spec, GovernNews news) throws InterruptedException {
    AtomicBoolean again = new AtomicBoolean();
    Signals.on("HUP", () -> again.set(true));
    AgentServer.Means means =
        new AgentServer.Means(
            Machine.at(spec.cpus()),
            StateFolder.leases(),
            StateFolder.base().resolve("agent"),
            new AgentServer.Offers(spec.powercap(), spec.controller(), spec.switches(), spec.jmx()),
            news::told);
    try (AgentServer agent = AgentServer.listen(spec.listen(), means)) {
      news.told("listens on " + agent.address());
      while (!main.stop().isRequested()) {
        news.print(LOOK_NANOS);
        if (again.getAndSet(false)) {
          reload(agent, news);
        }
      }
    }
    news.told("clocks, threads and knobs are as they were before");
  }

  private static void reload(AgentServer agent, GovernNews news) {
    try {
      agent.reload();
      news.told("read tokens and certificates again");
    } catch (CalandoException e) {
      news.trouble("those before stay in force: " + e.getMessage());
    }
  }
}
