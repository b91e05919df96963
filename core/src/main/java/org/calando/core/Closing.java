package org.calando.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes several things, each whatever the others throw. Stateless. */
public final class Closing {
  private Closing() {}

  /**
   * Closes all, in this order. The first failure is thrown when all are closed, the others are
   * suppressed by it.
   *
   * @throws IllegalStateException in place of a checked exception
   */
  public static void all(List<? extends AutoCloseable> parts) {
    @Nullable Throwable failed = null;
    for (AutoCloseable part : parts) {
      @Nullable Throwable now = failure(part);
      if (failed == null) {
        failed = now;
      } else if (now != null && now != failed) {
        failed.addSuppressed(now);
      }
    }
    if (failed instanceof Error error) {
      throw error;
    }
    if (failed != null) {
      throw failed instanceof RuntimeException one ? one : new IllegalStateException(failed);
    }
  }

  private static @Nullable Throwable failure(AutoCloseable part) {
    try {
      part.close();
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (Exception | Error e) {
      return e;
    }
  }
}
