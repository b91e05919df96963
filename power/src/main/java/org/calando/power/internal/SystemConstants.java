package org.calando.power.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Units of {@code /proc} on this machine, asked of {@code getconf} once. Where it does not answer,
 * they are what Linux shows programs on every common platform: 100 ticks a second, pages of 4096
 * bytes.
 *
 * @param ticksPerSecond CLK_TCK
 * @param pageBytes PAGESIZE
 */
public record SystemConstants(long ticksPerSecond, long pageBytes) {
  private static final long DEADLINE_SECONDS = 5;

  /** The units of this machine. Thread safe. */
  public static SystemConstants get() {
    return Holder.VALUE;
  }

  private static long ask(String name, long otherwise) {
    try {
      Process process =
          new ProcessBuilder("getconf", name)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return otherwise;
      }
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      long value = Long.parseLong(answer);
      return value > 0 ? value : otherwise;
    } catch (IOException | NumberFormatException e) {
      return otherwise;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return otherwise;
    }
  }

  private static final class Holder {
    static final SystemConstants VALUE =
        new SystemConstants(ask("CLK_TCK", 100), ask("PAGESIZE", 4096));
  }
}
