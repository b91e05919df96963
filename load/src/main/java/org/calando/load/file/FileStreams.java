package org.calando.load.file;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.store.FileStore;

/**
 * Streams of new files: each writes one file after the other, piece by piece. Immutable.
 *
 * @param streams at once, 1 to 256
 * @param bytesPerSecond of each stream; 0: as fast as the store takes them
 * @param fileBytes length of each file, 1 or more
 * @param pieceBytes what is written at once, 512 bytes to 64 MiB
 * @param filesEach after so many a stream ends, 1 or more: bounds what a load writes
 * @param shape copies and blocks
 * @param folder below which files are written: {@code s1-0}, {@code s1-1}, .. for the first stream
 * @param content what they hold; file n of stream s of S (from 0) is number n * S + s
 */
public record FileStreams(
    int streams,
    double bytesPerSecond,
    long fileBytes,
    int pieceBytes,
    int filesEach,
    FileStore.Shape shape,
    String folder,
    FileContent content) {
  private static final int MOST_STREAMS = 256;
  private static final int LEAST_PIECE_BYTES = 512;
  private static final int MOST_PIECE_BYTES = 64 << 20;

  /**
   * Checks everything.
   *
   * @throws BadRequestException with all that is wrong
   */
  public FileStreams {
    List<String> wrong = new ArrayList<>();
    if (streams < 1 || streams > MOST_STREAMS) {
      wrong.add("streams " + streams + " is not 1 to " + MOST_STREAMS);
    }
    if (!(bytesPerSecond >= 0 && bytesPerSecond < 1e12)) {
      wrong.add("a stream of " + bytesPerSecond + " bytes per second");
    }
    if (fileBytes < 1) {
      wrong.add("files of " + fileBytes + " bytes");
    }
    if (pieceBytes < LEAST_PIECE_BYTES || pieceBytes > MOST_PIECE_BYTES) {
      wrong.add(
          "pieces of %d bytes, not %d to %d"
              .formatted(pieceBytes, LEAST_PIECE_BYTES, MOST_PIECE_BYTES));
    }
    if (filesEach < 1) {
      wrong.add(filesEach + " files a stream");
    }
    if (!wrong.isEmpty()) {
      throw new BadRequestException(String.join("; ", wrong), "file streams", "");
    }
  }

  /** The path of a file. */
  String path(int stream, int file) {
    return (folder.isEmpty() ? "" : folder + "/") + "s" + (stream + 1) + "-" + file;
  }
}
