package org.calando.cli;

import java.util.Optional;
import java.util.function.Supplier;
import org.calando.core.CalandoException;
import org.calando.study.Progress;
import org.calando.study.StopSignal;

/** Work of a command that Ctrl-C and SIGTERM interrupt. */
@FunctionalInterface
interface Interruptible {
  /**
   * Does it.
   *
   * @return the command's exit code
   */
  int run() throws InterruptedException;

  /**
   * The same, which says what is left when it is ended by a signal.
   *
   * @param left what it left open; empty if nothing
   */
  static Interruptible telling(
      StopSignal stop, Interruptible work, Supplier<Optional<String>> left, Progress progress) {
    return () -> {
      try {
        return work.run();
      } catch (InterruptedException | CalandoException e) {
        if (stop.isRequested()) {
          tellLeft(left, progress, e);
        }
        throw e;
      }
    };
  }

  /** What a command works on; says when it is ended by a signal meanwhile. */
  static <T> T opened(StopSignal stop, Supplier<T> open, Progress progress) {
    try {
      return open.get();
    } catch (CalandoException e) {
      if (stop.isRequested()) {
        progress.line("interrupted; nothing was begun");
      }
      throw e;
    }
  }

  private static void tellLeft(
      Supplier<Optional<String>> left, Progress progress, Exception ended) {
    // Files cannot be read on an interrupted thread.
    boolean interrupted = Thread.interrupted();
    try {
      progress.line(
          left.get()
              .map(resume -> "the plan stays open; resume it by " + resume)
              .orElse("interrupted; no plan is open"));
    } catch (CalandoException e) {
      ended.addSuppressed(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Runs the work on this thread, which is interrupted when the command is to end.
   *
   * @return the work's exit code
   * @throws StopSignal.StoppedException if the work failed after the command was told to end: who
   *     was asked at that time fails in his own way
   */
  static int run(StopSignal stop, Interruptible work) throws InterruptedException {
    Thread caller = Thread.currentThread();
    StopSignal.Registration registration = stop.onRequest(caller::interrupt);
    try {
      return work.run();
    } catch (InterruptedException | CalandoException e) {
      stop.check();
      throw e;
    } finally {
      registration.close();
    }
  }
}
