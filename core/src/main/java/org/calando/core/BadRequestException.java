package org.calando.core;

/** The request was wrong: exit code 2, nothing was done. */
public final class BadRequestException extends CalandoException {
  private static final long serialVersionUID = 1L;

  /**
   * An error to show to the user.
   *
   * @param what what is wrong
   * @param where the file, line and path or the argument, or an empty string
   * @param remedy how to mend it, or an empty string
   */
  public BadRequestException(String what, String where, String remedy) {
    super(2, what, where, remedy);
  }
}
