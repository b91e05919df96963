package org.calando.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.calando.cli.layout.LayoutCommand;
import org.calando.cli.local.LocalCommand;
import org.calando.cli.predict.CalibrateCommand;
import org.calando.cli.predict.PredictCommand;
import org.calando.cli.redis.RedisCommand;
import org.calando.cli.study.CompareCommand;
import org.calando.cli.study.DecisionsCommand;
import org.calando.cli.study.DemoCommand;
import org.calando.cli.study.PlanCommand;
import org.calando.cli.study.ReportCommand;
import org.calando.cli.study.StudyCommand;
import org.calando.control.file.PlanNotes;
import org.calando.governor.Signals;
import org.calando.study.StopSignal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code calando} command: exit code 0 done, 1 the work failed, 2 the request was wrong; Ctrl-C
 * is 130 and SIGTERM 143, after everything that was started has ended.
 */
@Command(
    name = "calando",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Spends the fewest joules that a replicated store's promises allow.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      StudyCommand.class,
      ReportCommand.class,
      CompareCommand.class,
      CalibrateCommand.class,
      PredictCommand.class,
      PlanCommand.class,
      LayoutCommand.class,
      GearCommand.class,
      IdleCommand.class,
      RedisCommand.class,
      GovernCommand.class,
      AgentCommand.class,
      LocalCommand.class,
      MetersCommand.class,
      ClocksCommand.class,
      RestoreCommand.class,
      DecisionsCommand.class,
      DoctorCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  /** Longer than an orderly end takes, once nothing is finished first; guards end the rest. */
  private static final long CLEAN_UP_NANOS = TimeUnit.SECONDS.toNanos(25);

  /** So long an end waits for what is not to be cut off. */
  private static final long FINISHING_NANOS = TimeUnit.MINUTES.toNanos(20);

  private static final long LOOK_MILLIS = 100;

  /**
   * Netty writes to java.util.logging where SLF4J is bound to nothing, as of a machine without a
   * network card; HBase has one of its own. The field keeps the levels in force.
   */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("io.netty"), Logger.getLogger("org.apache.hbase.thirdparty.io.netty"));

  @Spec CommandLine.Model.CommandSpec spec;

  private final StopSignal stop = new StopSignal();

  // picocli injects the spec before anything reads it.
  @SuppressWarnings("NullAway.Init")
  Main() {}

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
    new PlanNotes(StateFolder.plans()).keep();
    Main main = new Main();
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              // The JVM ignores a second signal: it is ending.
              Signals.on("INT", main.stop::cutOff);
              Signals.on("TERM", main.stop::cutOff);
              main.stop.request();
              await(ended, main.stop);
            },
            "calando-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    int code = main.run(args);
    ended.countDown();
    if (main.stop.isRequested()) {
      return; // the signal that asked for the end decides the exit code
    }
    Runtime.getRuntime().removeShutdownHook(hook);
    System.exit(code);
  }

  public StopSignal stop() {
    return stop;
  }

  /** The signal of the command that one below it belongs to. */
  public static StopSignal stop(CommandLine.Model.CommandSpec command) {
    return ((Main) command.root().userObject()).stop();
  }

  /** Runs the command; its exit code. */
  int run(String[] args) {
    return commandLine(this, new PrintWriter(System.err, true, StandardCharsets.UTF_8))
        .execute(args);
  }

  /** The command with all below it, its help complete; errors go to the writer. */
  static CommandLine commandLine(Main main, PrintWriter errors) {
    CommandLine command = new CommandLine(main);
    HelpCommand.complete(command.getCommandSpec());
    return command
        .setErr(errors)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(CommandErrors::wrongArguments)
        .setExecutionExceptionHandler(
            (exception, failed, parsed) ->
                CommandErrors.failed(
                    exception, parsed.originalArgs().toArray(String[]::new), failed.getErr()));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }

  private static void await(CountDownLatch ended, StopSignal stop) {
    try {
      if (!await(ended, stop, System::nanoTime)) {
        System.err.println("calando: not everything ended in time; the guard ends the rest");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for the end, and for what is not to be cut off before it.
   *
   * @return whether it came in time
   */
  static boolean await(CountDownLatch ended, StopSignal stop, LongSupplier nanos)
      throws InterruptedException {
    long begun = nanos.getAsLong();
    long since = begun;
    while (!ended.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      long now = nanos.getAsLong();
      if (stop.isFinishing()) {
        since = now;
        if (now - begun >= FINISHING_NANOS) {
          stop.cutOff();
        }
      } else if (now - since >= CLEAN_UP_NANOS) {
        return false;
      }
    }
    return true;
  }

  /** The version that the jar's manifest tells. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"calando " + (version == null ? "development" : version)};
    }
  }
}
