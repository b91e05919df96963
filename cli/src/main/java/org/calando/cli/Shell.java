package org.calando.cli;

/** Text for a shell. */
public final class Shell {
  private Shell() {}

  /** The word, quoted where a shell would take it apart. */
  public static String quote(String word) {
    return word.matches("[A-Za-z0-9_./=:,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
