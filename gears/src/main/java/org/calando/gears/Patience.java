package org.calando.gears;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;

/**
 * How long each part of a shift may take. Immutable and thread safe.
 *
 * @param poll between two looks
 * @param file until the placement policy has read the gear file
 * @param service until nodes are in maintenance or in service
 * @param power until a node that was switched on is heard of and has reported its blocks
 * @param transfer of one block
 */
public record Patience(
    Duration poll, Duration file, Duration service, Duration power, Duration transfer) {
  /** 200 ms; 30 s, 10 min, 15 min, 5 min. */
  public static Patience usual() {
    return new Patience(
        Duration.ofMillis(200),
        Duration.ofSeconds(30),
        Duration.ofMinutes(10),
        Duration.ofMinutes(15),
        Duration.ofMinutes(5));
  }

  /**
   * Waits.
   *
   * @param within at most
   * @param done what is waited for
   * @param missing what it still lacks, for the message
   * @param remedy what the operator can do then
   * @throws FailedWorkException if it does not come
   */
  void await(Duration within, BooleanSupplier done, Supplier<String> missing, String remedy)
      throws InterruptedException {
    await(within, done, missing, "gear", remedy);
  }

  /**
   * Waits.
   *
   * @param within at most
   * @param done what is waited for; may do some of it
   * @param missing what it still lacks, for the message
   * @param where it is lacking, for the message
   * @param remedy what the operator can do then
   * @throws FailedWorkException if it does not come
   */
  public void await(
      Duration within, BooleanSupplier done, Supplier<String> missing, String where, String remedy)
      throws InterruptedException {
    long end = System.nanoTime() + within.toNanos();
    while (!done.getAsBoolean()) {
      if (System.nanoTime() - end >= 0) {
        throw new FailedWorkException(
            missing.get() + ", for " + within.toSeconds() + " s", where, remedy);
      }
      Thread.sleep(poll.toMillis());
    }
  }
}
