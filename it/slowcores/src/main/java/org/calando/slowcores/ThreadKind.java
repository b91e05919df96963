package org.calando.slowcores;

/** Kinds of threads of a Redis or Valkey server, which may run on cores of different speed. */
public enum ThreadKind {
  /** Carries out commands. */
  MAIN(0),
  /** Named {@code io_thd_...}: reads requests and sends answers, where configured. */
  IO(1),
  /** Named {@code bio_...}: frees memory, syncs files. */
  BIO(2),
  /** Any other. */
  OTHER(3);

  private final int place;

  ThreadKind(int place) {
    this.place = place;
  }

  /** Its place in the shared page, that of dilate.c. */
  int place() {
    return place;
  }
}
