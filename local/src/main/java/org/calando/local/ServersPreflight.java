package org.calando.local;

import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.local.process.FreePorts;
import org.calando.local.process.Ports;
import org.calando.local.process.RunState;

/** What is checked and chosen before servers of whatever engine are started. Stateless. */
public final class ServersPreflight {
  private ServersPreflight() {}

  /**
   * Refuses ports that the user has chosen and somebody holds.
   *
   * @param count how many, in a row
   * @param engine the engine's name
   * @param option what sets the first port: the {@code --set} of {@code local start}, and, in
   *     parentheses, that of a study if there is one
   * @throws BadRequestException naming them, who holds them and the option
   */
  public static void requireFree(ServersConfig config, int count, String engine, String option) {
    if (config.basePort() == 0) {
      return;
    }
    Ports.requireFree(
        ports(config, count).stream()
            .map(port -> new Ports.Endpoint(ServersConfig.ADDRESS, port, engine))
            .toList(),
        engine,
        "choose another first port: " + option + "; without it, any ports that are free are used");
  }

  /**
   * Ports in a row: those that the user has chosen, else any that are free.
   *
   * @param count how many
   */
  public static List<Integer> ports(ServersConfig config, int count) {
    if (config.basePort() == 0) {
      return FreePorts.inARow(ServersConfig.ADDRESS, count);
    }
    return IntStream.range(0, count).mapToObj(i -> config.basePort() + i).toList();
  }

  /**
   * Refuses a state folder that holds anything.
   *
   * @throws BadRequestException if it does
   */
  public static void requireUnused(LocalConfig config, String engine) {
    config.stateFolder().ifPresent(path -> RunState.requireUnused(path, engine));
  }
}
