package org.calando.control;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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

  /** Looks between two lines that say what is waited for. */
  private static final int LOOKS = 50;

  /** From one line that says what is waited for to the next. */
  public Duration telling() {
    return poll.multipliedBy(LOOKS);
  }

  /**
   * Waits, and says every 50 looks for what.
   *
   * @param news hears it
   * @param within at most
   * @param done what is waited for; may do some of it
   * @param missing what it still lacks, for the message
   * @param where it is lacking, for the message
   * @param remedy what the operator can do then
   * @throws FailedWorkException if it does not come
   */
  public void await(
      Consumer<String> news,
      Duration within,
      BooleanSupplier done,
      Supplier<String> missing,
      String where,
      String remedy)
      throws InterruptedException {
    long begun = System.nanoTime();
    long telling = telling().toNanos();
    long told = begun;
    while (!done.getAsBoolean()) {
      long now = System.nanoTime();
      if (now - begun >= within.toNanos()) {
        throw new FailedWorkException(
            missing.get() + ", for " + within.toSeconds() + " s", where, remedy);
      }
      if (now - told >= telling) {
        told = now;
        news.accept(waiting(missing.get(), now - begun, within));
      }
      Thread.sleep(poll.toMillis());
    }
  }

  /** A line for people: what is waited for, for how long so far, and until when. */
  static String waiting(String missing, long nanos, Duration within) {
    return "waiting: %s, for %d s of at most %d s"
        .formatted(missing, TimeUnit.NANOSECONDS.toSeconds(nanos), within.toSeconds());
  }
}
