package org.calando.promise;

/**
 * What one thread of a process does all the time.
 *
 * @param name of the task, on all its lines in the books
 * @param form of its statements
 * @param rate statements a second, at random times
 * @param adaptive whether it uses the adaptive session, and not a plain one of its own
 * @param level of its statements; empty: none, the session's own holds
 * @param keys that it draws
 * @param rows of a batch, keys of an IN; else 1
 */
record Task(
    String name, Form form, double rate, boolean adaptive, String level, Keys keys, int rows) {
  /** What statements look like. */
  enum Form {
    /** Reads a row by its key, prepared. */
    READ(false),
    /** The same as text. */
    READ_TEXT(false),
    /** Reads several rows by their keys at once, which is nobody's business to change. */
    READ_IN(false),
    /** Updates a row, prepared. */
    WRITE(true),
    /** The same as text. */
    WRITE_TEXT(true),
    /** Updates rows in a logged batch. */
    WRITE_LOGGED(true),
    /** Updates rows in an unlogged batch. */
    WRITE_UNLOGGED(true),
    /** Updates a row if it is there, one at a time for each key. */
    WRITE_LWT(true),
    /** Updates a row, every second time with a life of two seconds. */
    WRITE_TTL(true),
    /** Updates a row, or deletes it every fifth time. */
    WRITE_DELETE(true);

    private final boolean write;

    Form(boolean write) {
      this.write = write;
    }

    boolean isWrite() {
      return write;
    }
  }

  static Task reads(String name, double rate, boolean adaptive, String level, Keys keys) {
    return new Task(name, Form.READ, rate, adaptive, level, keys, 1);
  }

  static Task writes(String name, Form form, double rate, boolean adaptive, Keys keys, int rows) {
    return new Task(name, form, rate, adaptive, "", keys, rows);
  }
}
