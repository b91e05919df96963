package org.calando.engine;

import org.calando.core.CalandoException;

/**
 * What a check found. Immutable and thread safe.
 *
 * @param ok whether nothing is in the way
 * @param warning whether nothing is in the way, and yet figures may mislead
 * @param subject what was checked
 * @param text what was found; with the remedy, if all is not well
 */
public record Finding(boolean ok, boolean warning, String subject, String text) {
  /** What is in the way, or is not. */
  public Finding(boolean ok, String subject, String text) {
    this(ok, false, subject, text);
  }

  /** Does some work that fails with a message for the user, and returns what to say of it. */
  public interface Check {
    /** Does it. */
    String run();
  }

  /** What a check says, or why it fails. */
  public static Finding of(String subject, Check check) {
    try {
      return new Finding(true, subject, check.run());
    } catch (CalandoException e) {
      return new Finding(false, subject, String.valueOf(e.getMessage()));
    }
  }
}
