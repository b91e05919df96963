package org.calando.study;

import java.io.PrintStream;

/**
 * What a study tells its user while it works: a line that is rewritten in place, with the time
 * left, on a terminal; plain lines otherwise. Thread safe.
 */
public final class Progress implements AutoCloseable {
  private final PrintStream out;
  private final boolean terminal;
  private final int columns;
  private int shown;

  /**
   * Progress on a stream.
   *
   * @param out where to tell
   * @param terminal whether {@code out} is a terminal, whose last line can be rewritten
   * @param columns width of the terminal in characters
   */
  public Progress(PrintStream out, boolean terminal, int columns) {
    this.out = out;
    this.terminal = terminal;
    this.columns = Math.max(20, columns);
  }

  /** Progress that tells nothing. */
  public static Progress silent() {
    return new Progress(
        new PrintStream(
            java.io.OutputStream.nullOutputStream(),
            false,
            java.nio.charset.StandardCharsets.UTF_8),
        false,
        80);
  }

  /** Tells a step that is worth a line of its own. */
  public synchronized void line(String text) {
    clear();
    out.println(text);
    out.flush();
  }

  /** Shows what is under way; only on a terminal, where the next call replaces it. */
  public synchronized void status(String text) {
    if (!terminal) {
      return;
    }
    String cut = text.length() < columns ? text : text.substring(0, columns - 1);
    out.print('\r' + cut + " ".repeat(Math.max(0, shown - cut.length())));
    out.flush();
    shown = cut.length();
  }

  /** Tells how far the work is where {@link #status} shows nothing, as a line. */
  public synchronized void plain(String text) {
    if (!terminal) {
      line(text);
    }
  }

  private void clear() {
    if (shown > 0) {
      out.print('\r' + " ".repeat(shown) + '\r');
      shown = 0;
    }
  }

  @Override
  public synchronized void close() {
    clear();
    out.flush();
  }
}
