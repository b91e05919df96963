package org.calando.local.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;

/**
 * A small shell process that cleans up after its owner: it holds a pipe to the owner, and at its
 * end of file, which comes even after kill -9, ends the recorded processes of the run folder and
 * removes the folder. Thread safe.
 */
public final class Guard {
  /*
   * A number on its own could belong to a stranger by now, so each is compared by its start time:
   * the text after the last ") " of /proc/PID/stat begins with field 3, and the start is field 22.
   * A zombie with one thread (field 20) is gone; with more its files are still open.
   * Only a folder with a state file is removed.
   */
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      echo ready
      exec >/dev/null 2>&1
      folder=$1
      if read -r word && [ "$word" = done ]; then exit 0; fi
      same() {
        IFS= read -r stat < "/proc/$1/stat" || return 1
        expected=$2
        set -- ${stat##*) }
        [ "$1${18}" != Z1 ] && [ "$1${18}" != Z0 ] && [ "${20}" = "$expected" ]
      }
      round=0
      while [ $round -lt 100 ]; do
        left=0
        while read -r pid start; do
          if same "$pid" "$start"; then kill -9 "$pid"; left=1; fi
        done < "$folder/children"
        [ $left = 0 ] && break
        round=$((round + 1))
        sleep 0.1
      done
      if [ -f "$folder/state.json" ]; then rm -rf -- "$folder"; fi
      if [ "$2" = temporary ]; then rmdir "${folder%/*}"; fi
      """;

  private final Process process;
  private final OutputStream pipe;

  private Guard(Process process) {
    this.process = process;
    this.pipe = process.getOutputStream();
  }

  /**
   * Starts a guard over a run folder; blocks until no signal but SIGKILL ends it.
   *
   * @throws FailedWorkException if it cannot be started
   */
  public static Guard over(RunFolder folder) {
    try {
      Process process =
          new ProcessBuilder(
                  "setsid",
                  "/bin/sh",
                  "-c",
                  SCRIPT,
                  "calando-guard",
                  folder.path().toString(),
                  folder.state().persistent() ? "persistent" : "temporary")
              .directory(folder.path().getRoot().toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (BufferedReader out = process.inputReader()) {
        if (!"ready".equals(out.readLine())) {
          throw new IOException("it ended at once");
        }
      }
      return new Guard(process);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the guard process cannot be started: " + e.getMessage(),
          "setsid, /bin/sh",
          "install util-linux and a shell",
          e);
    }
  }

  /** Its process number. */
  public long pid() {
    return process.pid();
  }

  /** Lets the guard go without doing anything, and waits for its exit; idempotent. */
  public void release() {
    try {
      pipe.write("done\n".getBytes(StandardCharsets.US_ASCII));
      pipe.close();
    } catch (IOException gone) {
      // it has ended already
    }
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
