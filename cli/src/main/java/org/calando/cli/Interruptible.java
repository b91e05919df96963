package org.calando.cli;

import org.calando.core.CalandoException;
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
