package org.calando.geartrials;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch;

/*
 * The nodes belong to the process that runs the trial, so the tool asks it by pipes to switch them: as it would ask a
 * controller, which does what it was told though the one who told it is dead by then.
 */
/** The tool as a process of its own, which can be killed. Stateless. */
final class ToolProcess {
  private ToolProcess() {}

  /**
   * Shifts in a process of its own, and kills that after a while.
   *
   * @return whether it was killed before it was through
   */
  static boolean shiftAndKill(GearBed bed, int gear, int delayMillis) throws InterruptedException {
    Process process = start(bed, gear);
    boolean through = serve(bed, process, delayMillis);
    process.waitFor();
    return !through;
  }

  private static Process start(GearBed bed, int gear) {
    try {
      return new ProcessBuilder(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ToolMain.class.getName(),
                  bed.cluster().uri(),
                  bed.cluster().nameNodeHttp(),
                  bed.cluster().hostsFile().toString(),
                  bed.gearFile().toString(),
                  Integer.toString(gear)))
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new FailedWorkException("the tool does not start: " + e, "trial", "see the cause", e);
    }
  }

  /** Does what the tool asks for until it ends, a while after its first word at the latest. */
  private static boolean serve(GearBed bed, Process process, int delayMillis) {
    boolean through = false;
    try (BufferedReader asked =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        Writer answers = process.outputWriter(StandardCharsets.UTF_8)) {
      for (String line = asked.readLine(); line != null; line = asked.readLine()) {
        if (line.equals(ToolMain.READY)) {
          CompletableFuture.delayedExecutor(delayMillis, TimeUnit.MILLISECONDS)
              .execute(process::destroyForcibly);
        } else if (line.equals(ToolMain.THROUGH)) {
          through = true;
        } else if (line.startsWith(ToolMain.ASK)) {
          answers.write(answer(bed, line.substring(ToolMain.ASK.length())) + "\n");
          answers.flush();
        }
      }
    } catch (IOException e) {
      // it is dead
    }
    return through;
  }

  private static String answer(GearBed bed, String question) {
    String[] words = question.split(" ", 2);
    PowerSwitch asked = bed.switches().get(words[1]);
    if (asked == null) {
      return "no such node";
    }
    try {
      switch (words[0]) {
        case "on" -> asked.on();
        case "off" -> asked.off();
        default -> {
          return asked.read().name();
        }
      }
      return "done";
    } catch (CalandoException e) {
      return "failed: " + FaultMaker.message(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }
}
