package org.calando.studyfile.workload;

import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.size;

import java.util.Optional;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;

/** What {@code workload.files} and {@code workload.grep} may say. */
final class FileWorkSchema {
  private static final int MAX_FILES = 10_000;
  private static final int MAX_STREAMS = 64;
  private static final long MIN_BLOCK = 4 << 10;
  private static final long MAX_BLOCK = 1L << 30;
  private static final long MAX_FILE = 1L << 40;
  private static final long MIN_PIECE = 512;
  private static final long MAX_PIECE = 64 << 20;
  private static final int CHECKSUM_BYTES = 512;

  private static final Key<Integer> FILES =
      Key.of(
              "files",
              integer(1, MAX_FILES),
              "Files that are there before the first run, written with all nodes on.")
          .byDefault("4")
          .example("4");
  private static final Key<Long> FILE_SIZE =
      Key.of("file-size", size(1, MAX_FILE), "Size of each of them.")
          .byDefault("16MB")
          .example("16MB");
  private static final Key<Long> BLOCK_SIZE =
      Key.of(
              "block-size",
              size(MIN_BLOCK, MAX_BLOCK),
              "Size of a block, of new files too; a multiple of 512 bytes.")
          .byDefault("4MB")
          .example("4MB");
  private static final Key<Long> READ_SIZE =
      Key.of(
              "read-size",
              size(MIN_PIECE, MAX_PIECE),
              "What is read, and what is written, at a time; a read opens its file, and compares"
                  + " its checksum.")
          .byDefault("1MB")
          .example("1MB");
  private static final Key<Integer> STREAMS =
      Key.of(
              "streams",
              integer(0, MAX_STREAMS),
              "Streams that each write one new file after the other while the run goes.")
          .byDefault("0")
          .example("1");
  private static final Key<Long> STREAM_RATE =
      Key.of("stream-rate", size(1, MAX_FILE), "Bytes a second of each stream.")
          .byDefault("1MB")
          .example("2MB");
  private static final Key<Long> STREAM_FILE_SIZE =
      Key.of("stream-file-size", size(1, MAX_FILE), "Size of each new file.")
          .byDefault("8MB")
          .example("8MB");
  private static final Key<Long> NEW =
      Key.of(
              "new",
              size(0, MAX_FILE),
              "Size of a file that is written in the run's gear, and searched with the others.")
          .byDefault("0B")
          .example("200MB");

  private static final ObjectType<FileWork> STREAMS_TYPE =
      ObjectType.named(
              "load on files",
              "Reads of pieces of files at random, by the matrix's threads or at its rate, and"
                  + " streams of new files.")
          .keys(FILES, FILE_SIZE, BLOCK_SIZE, READ_SIZE, STREAMS, STREAM_RATE, STREAM_FILE_SIZE)
          .check(FileWorkSchema::checkBlocks)
          .build(FileWorkSchema::streams);
  private static final ObjectType<FileWork> GREP_TYPE =
      ObjectType.named(
              "a grep",
              "Hadoop's grep over all files, a process of its own each time; as many maps are at"
                  + " work at once as the matrix has threads.")
          .keys(FILES, FILE_SIZE, BLOCK_SIZE, NEW)
          .check(FileWorkSchema::checkBlocks)
          .build(FileWorkSchema::grep);

  /** Of a workload. */
  static final Key<FileWork> LOAD =
      Key.of("files", STREAMS_TYPE, "HDFS: reads of files at random, and streams of new ones.")
          .example("{files: 4, file-size: 16MB, streams: 1}");

  /** Of a workload. */
  static final Key<FileWork> GREP =
      Key.of("grep", GREP_TYPE, "HDFS: Hadoop's grep over all files.")
          .example("{files: 5, file-size: 200MB, block-size: 64MB}");

  private FileWorkSchema() {}

  /** What a workload says of files; empty if it is of another kind of store. */
  static Optional<FileWork> find(Values workload) {
    return workload.find(LOAD).or(() -> workload.find(GREP));
  }

  private static void checkBlocks(Values work) {
    if (work.find(BLOCK_SIZE).filter(bytes -> bytes % CHECKSUM_BYTES != 0).isPresent()) {
      work.error(BLOCK_SIZE, "is no multiple of 512 bytes", "write a size such as 4MB");
    }
  }

  private static FileWork streams(Values work) {
    return new FileWork.Streams(
        work.get(FILES),
        work.get(FILE_SIZE),
        work.get(BLOCK_SIZE),
        Math.toIntExact(work.get(READ_SIZE)),
        work.get(STREAMS),
        work.get(STREAM_RATE),
        work.get(STREAM_FILE_SIZE));
  }

  private static FileWork grep(Values work) {
    return new FileWork.Grep(
        work.get(FILES), work.get(FILE_SIZE), work.get(BLOCK_SIZE), work.get(NEW));
  }
}
