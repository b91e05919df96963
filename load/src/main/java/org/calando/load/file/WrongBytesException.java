package org.calando.load.file;

/** What was read is not what was written. */
final class WrongBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  WrongBytesException(KnownFile file, int piece) {
    super(
        "the bytes read are not those that were written: "
            + file.path()
            + " from byte "
            + (long) piece * file.pieceBytes());
  }
}
