package org.calando.ycsb;

import java.io.PrintStream;
import java.util.HashSet;
import java.util.Set;

/**
 * Prints why operations failed, of which YCSB counts no more than that they did: each cause once,
 * and no more than some. Thread safe.
 */
final class FirstErrors {
  private static final int MOST_CAUSES = 5;
  private static final int MOST_LETTERS = 500;

  private final PrintStream out;

  // Guarded by this.
  private final Set<String> told = new HashSet<>();
  private boolean full;

  FirstErrors(PrintStream out) {
    this.out = out;
  }

  /** Prints the cause of an operation's failure if it is new. */
  synchronized void note(String operation, Throwable cause) {
    if (full) {
      return;
    }
    String message = String.valueOf(cause.getMessage()).replaceAll("\\s+", " ");
    String text = operation + " failed: " + cause.getClass().getSimpleName() + ": " + message;
    if (text.length() > MOST_LETTERS) {
      text = text.substring(0, MOST_LETTERS) + "...";
    }
    if (told.size() < MOST_CAUSES) {
      if (told.add(text)) {
        out.println("calando: " + text);
      }
    } else if (!told.contains(text)) {
      full = true;
      out.println("calando: further causes are not printed; YCSB counts them as Return=ERROR");
    }
  }
}
