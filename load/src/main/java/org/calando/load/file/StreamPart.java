package org.calando.load.file;

import org.calando.core.store.FileStore;
import org.jspecify.annotations.Nullable;

/*
 * With a rate, a piece is due when the stream would have had all bytes before it at that rate from its begin on, whatever
 * happened meanwhile: a stream that fell behind catches up, and its latencies count from when its pieces were due.
 */
/** Writes one file after the other, piece by piece. */
final class StreamPart implements FileLoad.Part {
  private final FileLoad load;
  private final FileStreams streams;
  private final int stream;
  private final FileCatalog catalog;
  private final byte[] piece;

  private long startNanos;
  private long bytesBegun;
  private int files;
  private boolean busy;
  private @Nullable OpenFile file;

  StreamPart(FileLoad load, FileStreams streams, int stream, FileCatalog catalog) {
    this.load = load;
    this.streams = streams;
    this.stream = stream;
    this.catalog = catalog;
    this.piece = new byte[streams.pieceBytes()];
  }

  /** A file that is being written; but for {@code begun} it belongs to the call under way. */
  private static final class OpenFile {
    final FileStore.Writer writer;
    final FileContent.Source content;
    final KnownFile.Summing sums;
    long begun;

    OpenFile(FileStore.Writer writer, FileContent.Source content, KnownFile.Summing sums) {
      this.writer = writer;
      this.content = content;
      this.sums = sums;
    }
  }

  @Override
  public void begin() {
    startNanos = load.clock().nanos();
    create();
  }

  private void create() {
    if (load.isEnding() || files == streams.filesEach()) {
      return;
    }
    int number = files++;
    run(
        FileMeasure.CREATE,
        load.clock().nanos(),
        store -> {
          String path = streams.path(stream, number);
          file =
              new OpenFile(
                  store.create(path, streams.shape()),
                  streams.content().begin(number * streams.streams() + stream, streams.fileBytes()),
                  new KnownFile.Summing(path, streams.pieceBytes()));
          return 0;
        },
        this::writeWhenDue);
  }

  private void writeWhenDue() {
    OpenFile open = file;
    if (open == null) {
      load.goOn(false, this::create);
    } else if (open.begun == streams.fileBytes() || load.isEnding()) {
      complete(open);
    } else {
      long now = load.clock().nanos();
      long due = due(now);
      if (due > now) {
        load.later(due, this::writeWhenDue);
      } else {
        write(open, due);
      }
    }
  }

  private long due(long now) {
    if (streams.bytesPerSecond() == 0) {
      return now;
    }
    double seconds = bytesBegun / streams.bytesPerSecond();
    return startNanos + Math.round(seconds * 1e9);
  }

  private void write(OpenFile open, long due) {
    int length = (int) Math.min(piece.length, streams.fileBytes() - open.begun);
    open.begun += length;
    bytesBegun += length;
    run(
        FileMeasure.WRITE,
        due,
        store -> {
          byte[] next = length == piece.length ? piece : new byte[length];
          if (open.content.next(next) != length) {
            throw new IllegalStateException("content ends early: " + streams.fileBytes());
          }
          open.sums.add(next, length);
          open.writer.write(next, 0, length);
          return length;
        },
        this::writeWhenDue);
  }

  private void complete(OpenFile open) {
    file = null;
    run(
        FileMeasure.COMPLETE,
        load.clock().nanos(),
        store -> {
          open.writer.close();
          catalog.add(open.sums.file());
          return 0;
        },
        this::create);
  }

  /** Does the next thing to the file; after a failure that file is given up. */
  private void run(FileMeasure measure, long intendedNanos, FileSession.Call call, Runnable then) {
    busy = true;
    load.call(
        measure,
        intendedNanos,
        store -> {
          try {
            return call.run(store);
          } catch (RuntimeException e) {
            giveUpFile();
            throw e;
          }
        },
        succeeded -> {
          busy = false;
          load.goOn(succeeded, succeeded ? then : this::create);
        });
  }

  private void giveUpFile() {
    OpenFile open = file;
    file = null;
    if (open != null) {
      try {
        open.writer.close();
      } catch (RuntimeException alreadyTold) {
        // the failure that brought us here is told
      }
    }
  }

  @Override
  public void finish() {
    // One that waits for its next piece; one that is busy asks when that ends.
    OpenFile open = busy ? null : file;
    if (open != null) {
      complete(open);
    }
  }

  @Override
  public boolean isOver() {
    return files == streams.filesEach() && file == null && !busy;
  }
}
