package org.calando.clock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** What is known of the clock that was last written into policies, and where it is noted. */
interface LastClock {
  /** Of an owner's note, which says nothing of it. */
  LastClock UNKNOWN = policy -> Optional.empty();

  /** The clock that was last written into a policy. */
  Optional<LastWritten.Clock> of(Path policy);

  /**
   * Notes a clock that is known, before another is written in its place.
   *
   * @throws IOException if it cannot be written
   */
  default void note(Path policy, LastWritten.Clock clock) throws IOException {}

  /** That of one plan of a lease whose owner has ended. */
  static LastClock left(Path journal, long plan, LastWritten.Content content) {
    return new LastClock() {
      @Override
      public Optional<LastWritten.Clock> of(Path policy) {
        return content.of(plan);
      }

      @Override
      public void note(Path policy, LastWritten.Clock clock) throws IOException {
        LastWritten.note(LastWritten.beside(journal), plan, clock);
      }
    };
  }
}
