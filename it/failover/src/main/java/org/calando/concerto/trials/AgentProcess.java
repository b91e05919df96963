package org.calando.concerto.trials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.calando.agent.AgentNode;
import org.calando.core.CpuSet;
import org.calando.http.HttpPeer;
import org.calando.power.agent.AgentSource;

/** A process of an agent; it ends with this. Used by one thread. */
public final class AgentProcess implements AutoCloseable {
  private final JavaProcess process;
  private final URI address;

  private AgentProcess(JavaProcess process, URI address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts an agent of a fake tree.
   *
   * @param name of its folder, in which {@code state} is what outlives it
   * @param folder of the trial; agents of one folder are of one machine
   * @param clocks the tree
   * @param port to listen on, 0 for any
   */
  public static AgentProcess start(String name, Path folder, FakeClocks clocks, int port) {
    Path own = folder.resolve(name);
    Path address = own.resolve("address");
    try {
      Files.createDirectories(own.resolve("state"));
      Files.deleteIfExists(address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    JavaProcess process =
        JavaProcess.start(
            own,
            JavaProcess.SMALL,
            List.of(
                AgentMain.class.getName(),
                clocks.root().toString(),
                own.resolve("state").toString(),
                folder.resolve("owners").toString(),
                Integer.toString(port),
                address.toString()),
            Map.of());
    return new AgentProcess(process, URI.create(process.awaitFile(address)));
  }

  /** A node on a processor of its machine. */
  public AgentNode node(String name, int cpu) {
    return new AgentNode(name, new AgentSource(address, HttpPeer.Access.NONE), CpuSet.of(cpu));
  }

  /** Its port. */
  public int port() {
    return address.getPort();
  }

  /** Its process. */
  public long pid() {
    return process.pid();
  }

  /** Sends it a signal, such as {@code KILL}; whether it was there to be sent one. */
  public boolean signal(String name) {
    return process.signal(name);
  }

  /** Whether it runs. */
  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.close();
  }
}
