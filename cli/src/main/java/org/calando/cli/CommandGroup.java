package org.calando.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing itself: one of those below it is to be named. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields before the call
public abstract class CommandGroup implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public final void run() {
    List<String> below = new ArrayList<>(spec.subcommands().keySet());
    String last = below.remove(below.size() - 1);
    throw new ParameterException(
        spec.commandLine(),
        (below.isEmpty() ? "" : String.join(", ", below) + " or ") + last + "?");
  }
}
