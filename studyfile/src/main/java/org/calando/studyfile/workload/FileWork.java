package org.calando.studyfile.workload;

/**
 * What clients of a store of files do. Immutable and thread safe.
 *
 * <p>Each cluster first gets files that are read throughout, written with all nodes on.
 */
public sealed interface FileWork {
  /** What results call it unless it has a name. */
  String label();

  /** How many files are read throughout, 1 or more. */
  int files();

  /** Bytes of each of them. */
  long fileBytes();

  /** Bytes of a block. */
  long blockBytes();

  /**
   * Random reads of pieces, at the matrix's rate or by its threads, and streams of new files.
   *
   * @param pieceBytes of each read, and of each write
   * @param streams of new files, 0 for none
   * @param streamBytesPerSecond of each stream, above 0
   * @param streamFileBytes of each new file
   */
  record Streams(
      int files,
      long fileBytes,
      long blockBytes,
      int pieceBytes,
      int streams,
      double streamBytesPerSecond,
      long streamFileBytes)
      implements FileWork {
    @Override
    public String label() {
      return "files";
    }
  }

  /**
   * Hadoop's grep over all files, by as many maps at once as the matrix has threads.
   *
   * @param newBytes of a file that is written in the run's gear before it is searched, 0 for none
   */
  record Grep(int files, long fileBytes, long blockBytes, long newBytes) implements FileWork {
    @Override
    public String label() {
      return "grep";
    }
  }
}
