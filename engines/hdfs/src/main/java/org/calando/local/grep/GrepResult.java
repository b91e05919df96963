package org.calando.local.grep;

/**
 * What a grep found and how long it took. Immutable.
 *
 * @param bytes that were searched
 * @param matches that were found
 * @param startSeconds from the start of the process until the files were listed
 * @param searchSeconds of the job that finds and counts
 * @param sortSeconds of the job that sorts by count
 */
public record GrepResult(
    long bytes, long matches, double startSeconds, double searchSeconds, double sortSeconds) {
  /** Of both jobs; the start of the process is no part of it. */
  public double seconds() {
    return searchSeconds + sortSeconds;
  }
}
