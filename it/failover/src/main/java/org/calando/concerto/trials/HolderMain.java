package org.calando.concerto.trials;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.calando.agent.AgentClocks;
import org.calando.agent.AgentNode;
import org.calando.core.CpuSet;
import org.calando.http.HttpPeer;
import org.calando.power.agent.AgentSource;

/** Holds a clock of an agent's machine at its lowest; ends with its standard input. */
public final class HolderMain {
  private HolderMain() {}

  /**
   * {@code HolderMain AGENT STATE HELD-FILE}.
   *
   * @param arguments the agent's address; the governor's state folder; a file that is made once
   *     processor 0 is slow
   */
  public static void main(String[] arguments) throws IOException {
    AgentNode node =
        new AgentNode(
            "n1", new AgentSource(URI.create(arguments[0]), HttpPeer.Access.NONE), CpuSet.of(0));
    try (AgentClocks clocks =
        AgentClocks.take("trial", "the first governor", List.of(node), Path.of(arguments[1]))) {
      long lowest = clocks.frequencies("n1").lowest();
      while (!clocks.set("n1", lowest).ok()) {
        LockSupport.parkNanos(10_000_000);
      }
      JavaProcess.write(Path.of(arguments[2]), "true");
      while (System.in.read() >= 0) {
        // Nothing is said.
      }
    }
  }
}
