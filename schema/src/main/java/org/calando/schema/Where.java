package org.calando.schema;

/**
 * The place of a value: a file's line and column, or an argument of the command line.
 *
 * <p>Immutable and thread safe.
 *
 * @param source file name, or the argument itself
 * @param line line from 1, or 0 where the source has no lines
 * @param column column from 1, or 0 where the source has no lines
 */
public record Where(String source, int line, int column) {

  /** The place of everything that an argument of the command line says. */
  public static Where argument(String argument) {
    return new Where(argument, 0, 0);
  }

  @Override
  public String toString() {
    return line == 0 ? source : source + ":" + line + ":" + column;
  }
}
