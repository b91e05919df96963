package org.calando.clock;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/**
 * The guard process: reads standard input, a pipe whose other end only the owner of a lease holds,
 * and restores from the lease's journal when it ends without a word.
 */
public final class GuardMain {
  /** What it says when it watches. */
  static final String READY = "ready";

  /** What the owner says before an orderly end. */
  static final String DONE = "done";

  private GuardMain() {}

  /**
   * Watches.
   *
   * @param args the journal, and where owners of knobs are noted
   */
  public static void main(String[] args) {
    // SIGTERM goes to all processes of a service: the guard then still waits for its owner's end.
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    ended.await();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                },
                "calando-guard-stays"));
    PlatformClasses.only();
    int code = 0;
    try {
      System.out.println(READY);
      if (!ownerSaysDone()) {
        code = restore(Path.of(args[0]), Path.of(args[1]));
      }
    } finally {
      ended.countDown();
    }
    Runtime.getRuntime().halt(code);
  }

  private static boolean ownerSaysDone() {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    boolean done = false;
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        done |= line.equals(DONE);
      }
    } catch (IOException e) {
      // a broken pipe means the same as its end
    }
    return done;
  }

  private static int restore(Path journal, Path owners) {
    try {
      Path journals = journal.toAbsolutePath().getParent();
      LeaseFolders folders = new LeaseFolders(journals == null ? journal : journals, owners);
      RestoreReport report =
          new Restorer(Machine.real(), folders, Restorer.Mode.RESTORE, false).restore(journal);
      for (RestoreReport.Item item : report.items()) {
        System.err.println(Instant.now() + " " + journal.getFileName() + ": " + item.line());
      }
      return report.ok() ? 0 : 1;
    } catch (RuntimeException | Error e) {
      // A client of a cluster may need more memory than a guard has: the journal stays, for
      // restore.
      System.err.println(Instant.now() + " " + journal.getFileName() + ": " + e);
      return 1;
    }
  }
}
