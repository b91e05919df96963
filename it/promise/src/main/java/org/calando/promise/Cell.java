package org.calando.promise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.calando.promise.Task.Form;

/**
 * An application whose promise is looked at, by name; see {@link Cells} for all.
 *
 * @param name of it
 * @param keys that are there
 * @param writeLevel of the sessions' configuration; empty for the driver's default
 * @param promised share of stale reads
 * @param pauseSeconds for which all reads stop in the middle
 * @param roles processes of the application; those with an adaptive session begin last
 */
record Cell(
    String name, int keys, String writeLevel, double promised, int pauseSeconds, List<Role> roles) {
  /** The name of tasks whose reads are judged by the promise. */
  static final String JUDGED = "adaptive";

  /** The name of tasks whose reads are to stay as they are. */
  static final String UNTOUCHED = "untouched";

  static final String ONE = "one";
  static final String QUORUM = "quorum";

  private static final String ONE_LEVEL = "ONE";

  private static final double READS = 120;
  private static final double ROWS = 80;
  private static final double STATIC_ONE = 40;
  private static final double STATIC_QUORUM = 10;

  /**
   * A process.
   *
   * @param name of it
   * @param instances adaptive sessions in it, if it has any
   * @param tasks of it
   */
  record Role(String name, int instances, List<Task> tasks) {
    Role {
      tasks = List.copyOf(tasks);
    }

    boolean isAdaptive() {
      return tasks.stream().anyMatch(Task::adaptive);
    }

    boolean writes() {
      return tasks.stream().anyMatch(task -> task.form().isWrite());
    }
  }

  /** Copies the list. */
  Cell {
    roles = List.copyOf(roles);
  }

  static Builder of(String what, int keys, String writeLevel, double promised) {
    return new Builder(what, keys, writeLevel, promised);
  }

  /** A name for keyspaces and folders. */
  String id() {
    return name.replace("%", "").toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
  }

  /** The level of statements without one. */
  String defaultLevel() {
    return writeLevel.isEmpty() ? "LOCAL_ONE" : writeLevel;
  }

  /** Puts a cell together; not thread safe. */
  static final class Builder {
    private final String what;
    private final int count;
    private final Keys keys;
    private final String level;
    private final double promised;
    private final List<Role> roles = new ArrayList<>();
    private int pause;

    private Builder(String what, int count, String level, double promised) {
      this.what = what;
      this.count = count;
      this.keys = Keys.all(count);
      this.level = level;
      this.promised = promised;
    }

    /** One adaptive session writes and reads. */
    Builder sameSession() {
      return process("app", writer(Form.WRITE, 1, true), reader(Form.READ));
    }

    /** Two sessions of one process. */
    Builder otherSession() {
      return process("app", writer(Form.WRITE, 1, false), reader(Form.READ));
    }

    /** A process writes in one form, and another reads. */
    Builder otherProcess(Form form, int rows) {
      return process("writer", writer(form, rows, false)).process("reader", reader(Form.READ));
    }

    /** Two roles with statements of text. */
    Builder text() {
      return process("writer", writer(Form.WRITE_TEXT, 1, false))
          .process("reader", reader(Form.READ_TEXT));
    }

    /** Two instances, each of which writes half of the keys and reads the other half. */
    Builder unlikeKeys() {
      for (int part = 0; part < 2; part++) {
        process(
            "app" + part,
            Task.writes("writes", Form.WRITE, ROWS / 2, true, Keys.every(2, part, count / 2), 1),
            Task.reads(JUDGED, READS / 2, true, "", Keys.every(2, 1 - part, count / 2)));
      }
      return this;
    }

    /** Another process reads at a level, too. */
    Builder foreignReader(double rate, String level) {
      return process("foreign", Task.reads("foreign", rate, false, level, keys));
    }

    /** The reader also reads several rows at once. */
    Builder inReads(double rate) {
      return process("writer", writer(Form.WRITE, 1, false))
          .process(
              "reader",
              reader(Form.READ),
              new Task(UNTOUCHED, Form.READ_IN, rate, true, "", keys, 2));
    }

    Builder pause(int seconds) {
      pause = seconds;
      return this;
    }

    Cell build() {
      process("static", beside());
      String name =
          String.format(
              Locale.ROOT,
              "%s zipf%d %s %d%%",
              what,
              count,
              level.isEmpty() ? "default" : level,
              Math.round(100 * promised));
      return new Cell(name, count, level, promised, pause, roles);
    }

    /** The same reads at fixed levels, unwrapped. */
    private Task[] beside() {
      List<Keys> read =
          roles.stream()
              .flatMap(process -> process.tasks.stream())
              .filter(task -> task.name().equals(JUDGED))
              .map(Task::keys)
              .toList();
      return read.stream()
          .flatMap(
              each ->
                  Stream.of(
                      Task.reads(ONE, STATIC_ONE / read.size(), false, ONE_LEVEL, each),
                      Task.reads(QUORUM, STATIC_QUORUM / read.size(), false, "QUORUM", each)))
          .toArray(Task[]::new);
    }

    private Task writer(Form form, int rows, boolean adaptive) {
      return Task.writes("writes", form, ROWS / rows, adaptive, keys, rows);
    }

    private Task reader(Form form) {
      return new Task(JUDGED, form, READS, true, "", keys, 1);
    }

    private Builder process(String name, Task... tasks) {
      roles.add(new Role(name, 1, List.of(tasks)));
      return this;
    }
  }
}
