package org.calando.local.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.calando.core.FailedWorkException;

/** Finds ports that nobody listens on. Stateless. */
public final class FreePorts {
  /*
   * Below the ports that the kernel gives to outgoing connections: a node that is off for a while
   * would find its port taken by one of them.
   */
  private static final int LOWEST = 16_000;
  private static final int HIGHEST = 32_000;
  private static final int TRIES = 200;

  private FreePorts() {}

  /**
   * Ports in a row that were free a moment ago.
   *
   * @param address an address of this machine
   * @param count how many, 1 or more
   * @throws FailedWorkException if there are none
   */
  public static List<Integer> inARow(String address, int count) {
    for (int i = 0; i < TRIES; i++) {
      int first = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST - count);
      if (IntStream.range(first, first + count).allMatch(port -> isFree(address, port))) {
        return IntStream.range(first, first + count).boxed().toList();
      }
    }
    throw new FailedWorkException(
        "there are no " + count + " free ports in a row from " + LOWEST,
        address,
        "end other programs, or choose a port");
  }

  private static boolean isFree(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
