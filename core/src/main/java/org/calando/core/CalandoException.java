package org.calando.core;

import java.util.List;

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
  private final String what;
  private final String where;
  private final String remedy;

  /**
   * One of several things that are wrong; each text may be empty but what is wrong.
   *
   * @param where the file, line and path, the argument or the address
   * @param what what is wrong
   * @param remedy how to mend it
   */
  public record Problem(String where, String what, String remedy) {}

  CalandoException(int exitCode, String what, String where, String remedy, Throwable cause) {
    this(exitCode, what, where, remedy);
    initCause(cause);
  }

  CalandoException(int exitCode, String what, String where, String remedy) {
    super(message(problem(what, where), remedy));
    this.exitCode = exitCode;
    this.what = what;
    this.where = where;
    this.remedy = remedy;
  }

  /** What went wrong. */
  public String what() {
    return what;
  }

  /** The file, line and path, the argument or the address, or an empty string. */
  public String where() {
    return where;
  }

  /** Where it went wrong, and what, without the remedy. */
  public String problem() {
    return problem(what, where);
  }

  /** All that is wrong, one by one: this error itself where it is one thing. */
  public List<Problem> problems() {
    return List.of(new Problem(where, what, remedy));
  }

  /** What the user can do, or an empty string. */
  public String remedy() {
    return remedy;
  }

  /** The exit code of the command that ends with this error. */
  public int exitCode() {
    return exitCode;
  }

  private static String problem(String what, String where) {
    return where.isEmpty() ? what : where + ": " + what;
  }

  private static String message(String problem, String remedy) {
    return remedy.isEmpty() ? problem : problem + "\n  remedy: " + remedy;
  }
}
