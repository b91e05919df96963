package org.calando.core.observe;

import java.util.Optional;

/** How many of the canary's writes failed, and why the last did. Thread safe. */
final class WriteFailures {
  private long count;
  private Optional<String> last = Optional.empty();

  synchronized void add(String reason) {
    count++;
    last = Optional.of(reason);
  }

  synchronized long count() {
    return count;
  }

  synchronized Optional<String> last() {
    return last;
  }
}
