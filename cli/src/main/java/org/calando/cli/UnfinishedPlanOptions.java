package org.calando.cli;

import org.calando.core.BadRequestException;
import picocli.CommandLine.Option;

/** What to do with an unfinished plan. */
final class UnfinishedPlanOptions {
  @Option(names = "--resume", description = "Resumes the unfinished plan.")
  boolean resume;

  @Option(names = "--undo", description = "Reverts the unfinished plan.")
  boolean undo;

  @Option(
      names = "--abandon",
      description = "Forgets the unfinished plan; the cluster stays where it is.")
  boolean abandon;

  /**
   * Refuses several of them, and one with what is about another plan.
   *
   * @param command whose options they are
   * @param others whether options that begin a plan were given
   * @param names of those, for the message
   * @throws BadRequestException if so
   */
  void refuseMixed(String command, boolean others, String names) {
    int orders = (resume ? 1 : 0) + (undo ? 1 : 0) + (abandon ? 1 : 0);
    if (orders > 1 || (orders == 1 && others)) {
      throw new BadRequestException(
          "--resume, --undo and --abandon are about the plan that was begun, one at a time",
          command,
          "give one of them, without " + names);
    }
  }
}
