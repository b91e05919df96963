package org.calando.load.file;

import org.calando.core.workload.PhraseText;

/** What files hold: for each number the same bytes each time. Thread safe. */
@FunctionalInterface
public interface FileContent {
  /** One file's bytes, from its begin on; not thread safe. */
  @FunctionalInterface
  interface Source {
    /** Fills a buffer; returns how many bytes it got, fewer than it holds only at the end. */
    int next(byte[] buffer);
  }

  /**
   * The bytes of a file.
   *
   * @param number of the file, 0 or more
   * @param bytes its length
   */
  Source begin(int number, long bytes);

  /** Phrases of four words, see {@link PhraseText}. */
  static FileContent phrases(long seed) {
    return (number, bytes) -> new PhraseText(seed, number, bytes)::next;
  }
}
