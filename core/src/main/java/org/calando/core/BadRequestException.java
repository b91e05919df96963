package org.calando.core;

import java.util.List;

/** The request was wrong: exit code 2, nothing was done. */
public final class BadRequestException extends CalandoException {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  /**
   * An error to show to the user.
   *
   * @param what what is wrong
   * @param where the file, line and path or the argument, or an empty string
   * @param remedy how to mend it, or an empty string
   */
  public BadRequestException(String what, String where, String remedy) {
    super(2, what, where, remedy);
    this.problems = List.of(new Problem(where, what, remedy));
  }

  /**
   * Many things that are wrong at once.
   *
   * @param what all of them in words, a line each
   * @param problems the same one by one; where there are too many, the first
   */
  public BadRequestException(String what, List<Problem> problems) {
    super(2, what, "", "");
    this.problems = List.copyOf(problems);
  }

  @Override
  public List<Problem> problems() {
    return problems;
  }
}
