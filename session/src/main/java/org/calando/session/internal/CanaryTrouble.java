package org.calando.session.internal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/*
 * A read through a replica that is down fails too, and says nothing against the rest: of reads only
 * what the server refused counts.
 */
/** Why a canary's requests fail now; what succeeds ends it. Thread safe. */
final class CanaryTrouble {
  private volatile Optional<String> writes = Optional.empty();
  private volatile Optional<String> reads = Optional.empty();

  /** A write was answered. */
  void wrote(@Nullable Throwable error) {
    Optional<String> now = text(error);
    if (!now.equals(writes)) {
      writes = now;
    }
  }

  /** A read was answered. */
  void read(@Nullable Throwable error) {
    boolean refused = error != null && Failures.refused(Failures.cause(error));
    if (refused || (error == null && reads.isPresent())) {
      reads = text(error);
    }
  }

  /** Whether the server refuses its reads. */
  boolean isRefused() {
    return reads.isPresent();
  }

  private static Optional<String> text(@Nullable Throwable error) {
    return Optional.ofNullable(error).map(Failures::cause).map(Failures::text);
  }

  /** In one line; empty while requests succeed. */
  Optional<String> text() {
    return writes.or(() -> reads).map(why -> "the canary fails: " + why);
  }
}
