package org.calando.cli;

/** Text for a shell. */
final class Shell {
  private Shell() {}

  /** The word, quoted where a shell would take it apart. */
  static String quote(String word) {
    return word.matches("[A-Za-z0-9_./=:,+@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
