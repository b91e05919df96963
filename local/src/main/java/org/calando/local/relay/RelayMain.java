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
   * @param args see {@link #arguments}
   */
  public static void main(String[] args) throws IOException {
    int nodes = Integer.parseInt(args[0]);
    String block = args[1];
    int port = Integer.parseInt(args[2]);
    String[] bytes = block.split("\\.", -1);
    try (Relay relay =
        new Relay(
            addresses(block + ".1.", nodes, port),
            addresses(block + ".0.", nodes, port),
            LiveDelays.open(Path.of(args[3]), nodes),
            SenderRule.internode(nodes, Integer.parseInt(bytes[0]), Integer.parseInt(bytes[1])),
            LinkCounters.create(Path.of(args[4]), nodes))) {
      relay.run();
    }
  }

  /**
   * The arguments of {@link #main}.
   *
   * @param nodes number of nodes
   * @param block first two bytes of the cluster's addresses
   * @param port the internode port
   * @param delays the file of {@link LiveDelays}, which exists
   * @param counters the file of {@link LinkCounters}
   */
  public static List<String> arguments(
      int nodes, String block, int port, Path delays, Path counters) {
    return List.of(
        Integer.toString(nodes),
        block,
        Integer.toString(port),
        delays.toString(),
        counters.toString());
  }

  private static List<InetSocketAddress> addresses(String prefix, int nodes, int port) {
    return IntStream.rangeClosed(1, nodes)
        .mapToObj(i -> new InetSocketAddress(prefix + i, port))
        .toList();
  }
}
