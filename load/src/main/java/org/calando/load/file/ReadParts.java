package org.calando.load.file;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.calando.core.store.FileStore;
import org.calando.load.ArrivalProcess;
import org.calando.load.Backlog;
import org.calando.load.Loop;

/** Reads of pieces, in a closed or an open loop. */
final class ReadParts {
  private ReadParts() {}

  static FileLoad.Part of(FileLoad load, Loop loop, FileCatalog catalog, long seed) {
    if (loop instanceof Loop.Open open) {
      return new Open(load, open, catalog, seed);
    }
    return new Closed(load, loop.slots(), catalog, seed);
  }

  /** Reads one piece after the other; with a buffer of its own. */
  private static final class Reader {
    private final FileLoad load;
    private final FileCatalog catalog;
    private byte[] buffer = new byte[0];

    Reader(FileLoad load, FileCatalog catalog) {
      this.load = load;
      this.catalog = catalog;
    }

    void begin(SplittableRandom random, long intendedNanos, FileLoad.Next next) {
      FileCatalog.Piece piece = catalog.piece(random.nextLong(catalog.pieces()));
      load.call(FileMeasure.READ, intendedNanos, store -> read(store, piece), next);
    }

    private long read(FileStore store, FileCatalog.Piece piece) {
      KnownFile file = piece.file();
      if (buffer.length < file.pieceBytes()) {
        buffer = new byte[file.pieceBytes()];
      }
      int length = file.length(piece.number());
      long position = (long) piece.number() * file.pieceBytes();
      int read;
      try (FileStore.Reader reader = store.open(file.path())) {
        read = reader.read(position, buffer, 0, length);
      }
      if (!file.isPiece(piece.number(), buffer, read)) {
        throw new WrongBytesException(file, piece.number());
      }
      return read;
    }
  }

  /** So many clients, each of which reads a piece when it has read one. */
  private static final class Closed implements FileLoad.Part {
    private final FileLoad load;
    private final Reader[] clients;
    private final SplittableRandom[] randoms;

    Closed(FileLoad load, int threads, FileCatalog catalog, long seed) {
      this.load = load;
      this.clients = new Reader[threads];
      this.randoms = new SplittableRandom[threads];
      SplittableRandom seeds = new SplittableRandom(seed);
      for (int i = 0; i < threads; i++) {
        clients[i] = new Reader(load, catalog);
        randoms[i] = seeds.split();
      }
    }

    @Override
    public void begin() {
      for (int i = 0; i < clients.length; i++) {
        read(i);
      }
    }

    private void read(int client) {
      if (load.isEnding()) {
        return;
      }
      clients[client].begin(
          randoms[client],
          load.clock().nanos(),
          succeeded -> load.goOn(succeeded, () -> read(client)));
    }

    @Override
    public void finish() {
      // each client asks before it reads
    }

    @Override
    public boolean isOver() {
      return load.isEnding();
    }
  }

  /** Reads start at the times of an arrival process, if a slot is free, or as soon as one is. */
  private static final class Open implements FileLoad.Part {
    private final FileLoad load;
    private final ArrivalProcess.Arrivals arrivals;
    private final SplittableRandom random;
    private final Deque<Reader> free = new ArrayDeque<>();
    private long startNanos;
    private long nextNanos;
    private boolean armed;
    private long intended;
    private long late;
    private long maxLateNanos;
    private long neverStarted;

    Open(FileLoad load, Loop.Open open, FileCatalog catalog, long seed) {
      this.load = load;
      SplittableRandom seeds = new SplittableRandom(seed);
      this.arrivals = open.arrivals().begin(seeds.nextLong());
      this.random = seeds.split();
      for (int i = 0; i < open.maxInFlight(); i++) {
        free.add(new Reader(load, catalog));
      }
    }

    @Override
    public void begin() {
      startNanos = load.clock().nanos();
      advance();
      pump();
    }

    private void advance() {
      long relative = arrivals.nextNanos();
      nextNanos = relative == ArrivalProcess.NONE ? ArrivalProcess.NONE : startNanos + relative;
    }

    private void pump() {
      while (!load.isEnding() && nextNanos <= load.clock().nanos() && !free.isEmpty()) {
        startOne(free.remove());
      }
      if (nextNanos != ArrivalProcess.NONE && !armed && !free.isEmpty() && !load.isEnding()) {
        armed = true;
        load.later(
            nextNanos,
            () -> {
              armed = false;
              pump();
            });
      }
    }

    private void startOne(Reader reader) {
      long due = nextNanos;
      count(due, load.clock().nanos() - due);
      advance();
      reader.begin(
          random,
          due,
          succeeded -> {
            free.add(reader);
            pump();
          });
    }

    private void count(long due, long delayNanos) {
      if (load.isMeasured(due)) {
        intended++;
        late += delayNanos > Backlog.LATE_NANOS ? 1 : 0;
        maxLateNanos = Math.max(maxLateNanos, delayNanos);
      }
    }

    @Override
    public void finish() {
      for (long now = load.clock().nanos(); nextNanos < now; advance()) {
        if (load.isMeasured(nextNanos)) {
          intended++;
          neverStarted++;
        }
      }
    }

    @Override
    public boolean isOver() {
      return nextNanos == ArrivalProcess.NONE;
    }

    @Override
    public Backlog backlog() {
      return new Backlog(intended, late, maxLateNanos, neverStarted);
    }
  }
}
