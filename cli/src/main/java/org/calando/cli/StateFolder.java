package org.calando.cli;

import java.nio.file.Path;

/** Where the command keeps what outlives it. Stateless. */
final class StateFolder {
  private StateFolder() {}

  /** {@code CALANDO_STATE}, or {@code .calando} in the user's home. */
  static Path base() {
    String given = System.getenv("CALANDO_STATE");
    Path base =
        given == null || given.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".calando")
            : Path.of(given);
    return base.toAbsolutePath();
  }

  /** The local cluster of an engine. */
  static Path local(String engine) {
    return base().resolve("local").resolve(engine);
  }

  /** Journals of what was done to clusters. */
  static Path journals() {
    return base().resolve("journals");
  }

  /** Who has which knob. */
  static Path owners() {
    return base().resolve("owners");
  }
}
