package org.calando.core;

/**
 * The fields of one {@code /proc/PID/stat} that matter here (see proc(5)). Immutable and thread
 * safe.
 *
 * @param state one letter: Z and X are processes that have ended
 * @param userTicks field 14
 * @param systemTicks field 15
 * @param threads field 20
 * @param startTicks field 22: since the machine did, which with the process's number tells it from
 *     any other
 * @param rssPages field 24
 */
public record ProcStat(
    char state, long userTicks, long systemTicks, long threads, long startTicks, long rssPages) {
  private static final int STATE = 3;
  private static final int LAST_FIELD = 24;

  /**
   * Parses the file's one line.
   *
   * @throws IllegalArgumentException if it is not such a line
   */
  public static ProcStat parse(String line) {
    // The second field is the command in parentheses and may hold spaces, parentheses and line
    // ends; no later field can, so the last parenthesis ends it.
    int commandEnd = line.lastIndexOf(')');
    if (commandEnd < 0) {
      throw new IllegalArgumentException("no command in '" + line.strip() + "'");
    }
    String[] fields = line.substring(commandEnd + 1).strip().split(" ", -1);
    if (fields.length <= LAST_FIELD - STATE || fields[0].length() != 1) {
      throw new IllegalArgumentException("too few fields in '" + line.strip() + "'");
    }
    return new ProcStat(
        fields[0].charAt(0),
        field(fields, 14),
        field(fields, 15),
        field(fields, 20),
        field(fields, 22),
        field(fields, LAST_FIELD));
  }

  /** True if the process has ended and only its entry is left. */
  public boolean ended() {
    return state == 'Z' || state == 'X' || state == 'x';
  }

  private static long field(String[] fields, int number) {
    return Long.parseLong(fields[number - STATE]);
  }
}
