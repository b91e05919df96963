package org.calando.local.relay;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The relay as a process: listens on BLOCK.1.i and passes on to BLOCK.0.i, the same port. Needs the
 * JDK and the errors of core only.
 */
public final class RelayMain {
  private RelayMain() {}

  /**
   * Runs until the process is ended.
   *
   * @param args the delays (see {@link #arguments}), the block, the port, the file of counters
   */
  public static void main(String[] args) throws IOException {
    LinkDelays delays = LinkDelays.parse(args[0]);
    String block = args[1];
    int port = Integer.parseInt(args[2]);
    String[] bytes = block.split("\\.", -1);
    int nodes = delays.nodes();
    try (Relay relay =
        new Relay(
            addresses(block + ".1.", nodes, port),
            addresses(block + ".0.", nodes, port),
            delays,
            SenderRule.internode(nodes, Integer.parseInt(bytes[0]), Integer.parseInt(bytes[1])),
            LinkCounters.create(Path.of(args[3]), nodes))) {
      relay.run();
    }
  }

  /** The arguments of {@link #main}. */
  public static List<String> arguments(LinkDelays delays, String block, int port, Path counters) {
    return List.of(delays.toString(), block, Integer.toString(port), counters.toString());
  }

  private static List<InetSocketAddress> addresses(String prefix, int nodes, int port) {
    return IntStream.rangeClosed(1, nodes)
        .mapToObj(i -> new InetSocketAddress(prefix + i, port))
        .toList();
  }
}
