package org.calando.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command about nodes that plans power down and up, which says what is left when it is ended by a
 * signal.
 *
 * @param <A> what it works on
 */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
abstract class ShiftPart<A extends ShiftPart.Access> implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** A cluster. */
  interface Access extends AutoCloseable {
    /** What resumes the plan that is open, if there is one. */
    Optional<String> openPlan();

    @Override
    void close();
  }

  @Override
  public final Integer call() throws InterruptedException {
    StopSignal stop = Main.stop(spec);
    return Interruptible.run(
        stop,
        () -> {
          try (Progress progress = output().progress()) {
            prepare(progress);
            GearProgress news = new GearProgress(progress);
            try (A access = Interruptible.opened(stop, () -> open(news), progress)) {
              Interruptible work = () -> answer(access);
              return Interruptible.telling(stop, work, access::openPlan, progress).run();
            }
          }
        });
  }

  abstract OutputOptions output();

  /** What is done before the cluster is asked; nothing. */
  void prepare(Progress progress) {}

  abstract A open(GearProgress news);

  /** Does it; the exit code. */
  abstract int answer(A access) throws InterruptedException;

  final void show(Answer answer) {
    output().print(answer.json(), answer.lines());
  }
}
