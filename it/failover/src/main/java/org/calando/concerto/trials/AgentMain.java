package org.calando.concerto.trials;

import java.io.IOException;
import java.nio.file.Path;
import org.calando.agent.server.AgentServer;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.http.Listening;

/** An agent in a process of its own, of a fake tree; ends with its standard input. */
public final class AgentMain {
  private AgentMain() {}

  /**
   * {@code AgentMain TREE STATE OWNERS PORT ADDRESS-FILE}.
   *
   * @param arguments the fake tree; the folders of the agent and of the machine's owners; the port,
   *     0 for any; the file that its address is written to
   */
  public static void main(String[] arguments) throws IOException {
    Path state = Path.of(arguments[1]);
    AgentServer.Means means =
        new AgentServer.Means(
            Machine.at(Path.of(arguments[0])),
            new LeaseFolders(state.resolve("journals"), Path.of(arguments[2])),
            state.resolve("fences"),
            AgentServer.Offers.of(state.resolve("powercap")),
            System.err::println);
    try (AgentServer agent =
        AgentServer.listen(Listening.plain("127.0.0.1", Integer.parseInt(arguments[3])), means)) {
      JavaProcess.write(Path.of(arguments[4]), agent.address());
      while (System.in.read() >= 0) {
        // Nothing is said; it ends when whoever started it does, or closes it.
      }
    }
  }
}
