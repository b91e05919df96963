package org.calando.promise;

import java.util.List;
import org.calando.promise.Cell.Role;
import org.calando.promise.Task.Form;

/**
 * A change that an application meets, and its end after a while.
 *
 * @param name of it
 * @param event what changes
 * @param cell the application
 */
record Step(String name, Event event, Cell cell) {
  /** What changes. */
  enum Event {
    /** Ten times as many writes, and as many as before. */
    WRITES,
    /** Nine requests of ten are for one key, and as before. */
    HOT,
    /** Links of 2 ms take 40, and 2 again. */
    LINKS,
    /** A node is killed, and started again. */
    KILL,
    /** A node is dead when the application starts, and is started. */
    DEAD_START
  }

  private static final int KEYS = 20;
  private static final double PROMISED = 0.05;
  private static final double READS = 100;
  private static final double WRITES = 80;

  /** Those whose writes become ten times as many begin with fewer. */
  private static final double FEW_WRITES = 30;

  static List<Step> all() {
    return List.of(
        of("writes x10: same session", Event.WRITES, true),
        of("writes x10: other process", Event.WRITES, false),
        of("hot key: same session", Event.HOT, true),
        of("hot key: other process", Event.HOT, false),
        of("links 2 to 40 ms: same session", Event.LINKS, true),
        of("links 2 to 40 ms: other process", Event.LINKS, false),
        of("kill -9: other process", Event.KILL, false),
        of("start beside a dead node: other process", Event.DEAD_START, false));
  }

  private static Step of(String name, Event event, boolean same) {
    Keys keys = Keys.all(KEYS);
    double rate = event == Event.WRITES ? FEW_WRITES : WRITES;
    Task writes = Task.writes("writes", Form.WRITE, rate, same, keys, 1);
    Task judged = Task.reads(Cell.JUDGED, READS, true, "", keys);
    // As many reads of the same application, unwrapped.
    Role beside =
        new Role(
            "static",
            1,
            List.of(
                Task.reads(Cell.ONE, READS / 2, false, "ONE", keys),
                Task.reads(Cell.QUORUM, READS / 2, false, "QUORUM", keys)));
    List<Role> roles =
        same
            ? List.of(new Role("app", 1, List.of(writes, judged)), beside)
            : List.of(
                new Role("writer", 1, List.of(writes)),
                new Role("reader", 1, List.of(judged)),
                beside);
    return new Step(name, event, new Cell(name, KEYS, "ONE", PROMISED, 0, roles));
  }
}
