package org.calando.local.grep;

import java.util.List;

/**
 * What a grep found and how long it took. Immutable.
 *
 * @param files that were searched
 * @param bytes in them
 * @param maps that searched them: one for each block
 * @param lines in them
 * @param matches that were found
 * @param distinct texts among these
 * @param top the most frequent texts, at most ten, the most frequent first
 * @param startSeconds from the start of the process until the files were listed
 * @param searchSeconds of the job that finds and counts
 * @param sortSeconds of the job that sorts by count
 */
public record GrepResult(
    long files,
    long bytes,
    long maps,
    long lines,
    long matches,
    long distinct,
    List<Count> top,
    double startSeconds,
    double searchSeconds,
    double sortSeconds) {
  /**
   * How often a text was found.
   *
   * @param text what matched
   * @param count 1 or more
   */
  public record Count(String text, long count) {}

  /** Copies the list. */
  public GrepResult {
    top = List.copyOf(top);
  }

  /** Of both jobs; the start of the process is no part of it. */
  public double seconds() {
    return searchSeconds + sortSeconds;
  }
}
