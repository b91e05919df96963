package org.calando.predict;

import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;

/** Runs simulations on all cores, as many at once as memory has room for. Stateless. */
final class Simulations {
  /** What keeps the rest of the JVM going, and lets arrays of this size find a place. */
  private static final double SHARE = 0.6;

  private static final long BASE_BYTES = 16L << 20;

  /** Of a key: the newest version that was asked for, and the newest that was acknowledged. */
  private static final long BYTES_A_KEY = 16;

  private static final long BYTES_A_REPLICA = 8;

  private Simulations() {}

  /** Bytes that the simulation of a scenario needs at most. */
  static long bytes(Scenario scenario) {
    return BASE_BYTES + scenario.workload().records() * bytesOfRecord(scenario);
  }

  private static long bytesOfRecord(Scenario scenario) {
    return BYTES_A_KEY + BYTES_A_REPLICA * scenario.cluster().replicationFactor();
  }

  /**
   * Refuses a scenario that this JVM cannot simulate.
   *
   * @throws BadRequestException telling how many records it could
   */
  static void requireRoom(Scenario scenario, long memoryBytes) {
    if (bytes(scenario) > SHARE * memoryBytes) {
      long most = (long) ((SHARE * memoryBytes - BASE_BYTES) / bytesOfRecord(scenario));
      throw new BadRequestException(
          "%d records in %d replicas take %d MiB to simulate, and there are %d MiB for it"
              .formatted(
                  scenario.workload().records(),
                  scenario.cluster().replicationFactor(),
                  bytes(scenario) >> 20,
                  (long) (SHARE * memoryBytes) >> 20),
          "records",
          "simulate at most " + Math.max(1, most) + " records");
    }
  }

  /** How many simulations of so many bytes run at once: one or more. */
  static int atOnce(long bytesEach, long memoryBytes) {
    return (int) Math.max(1, Math.min(1 << 20, (long) (SHARE * memoryBytes) / bytesEach));
  }

  /**
   * Runs simulations; which of them run at once changes no figure.
   *
   * @param count how many
   * @param bytesEach what the largest needs
   * @param simulation runs that of a number, 0 or more
   */
  static Figures[] run(int count, long bytesEach, IntFunction<Figures> simulation) {
    Figures[] figures = new Figures[count];
    int atOnce = atOnce(bytesEach, Runtime.getRuntime().maxMemory());
    for (int from = 0; from < count; from += atOnce) {
      IntStream.range(from, Math.min(count, from + atOnce))
          .parallel()
          .forEach(i -> figures[i] = simulation.apply(i));
    }
    return figures;
  }
}
