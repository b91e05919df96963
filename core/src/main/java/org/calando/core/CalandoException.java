package org.calando.core;

/**
 * An error that a user is told about: what went wrong, where, and how to mend it. The command turns
 * it into one message and an exit code, never into a stack trace.
 *
 * <p>Two kinds exist: {@link BadRequestException} (the request was wrong, nothing was done) and
 * {@link FailedWorkException} (the request was fine, the work failed).
 */
public abstract class CalandoException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  CalandoException(int exitCode, String what, String where, String remedy, Throwable cause) {
    super(message(what, where, remedy), cause);
    this.exitCode = exitCode;
  }

  CalandoException(int exitCode, String what, String where, String remedy) {
    super(message(what, where, remedy));
    this.exitCode = exitCode;
  }

  /** The exit code of the command that ends with this error. */
  public int exitCode() {
    return exitCode;
  }

  private static String message(String what, String where, String remedy) {
    StringBuilder text = new StringBuilder();
    if (!where.isEmpty()) {
      text.append(where).append(": ");
    }
    text.append(what);
    if (!remedy.isEmpty()) {
      text.append("\n  remedy: ").append(remedy);
    }
    return text.toString();
  }
}
