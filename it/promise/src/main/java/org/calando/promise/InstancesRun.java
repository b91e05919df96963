package org.calando.promise;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.calando.promise.Cell.Role;
import org.calando.promise.Task.Form;

/** Counts what adaptive sessions of many instances of an application ask of the servers. */
final class InstancesRun {
  static final List<Integer> ALL = List.of(1, 10, 100);
  static final String HEADER = "instances,seconds,server_requests_s,own_requests_s";
  static final List<String> TABLE =
      List.of("instances", "requests/s by the servers", "of one", "by themselves", "of one");

  private static final int IN_A_PROCESS = 25;
  private static final int KEYS = 20;
  private static final double PROMISED = 0.05;
  private static final double READS = 120;
  private static final double WRITES = 80;
  private static final int SETTLE_SECONDS = 45;

  private InstancesRun() {}

  /** The name of a run. */
  static String name(int instances) {
    return instances + " instances";
  }

  private static Cell cell(int instances) {
    Keys keys = Keys.all(KEYS);
    List<Role> roles = new ArrayList<>();
    roles.add(
        new Role("writer", 1, List.of(Task.writes("writes", Form.WRITE, WRITES, false, keys, 1))));
    for (int left = instances; left > 0; left -= IN_A_PROCESS) {
      int here = Math.min(left, IN_A_PROCESS);
      Task reads = Task.reads(Cell.JUDGED, READS * here / instances, true, "", keys);
      roles.add(new Role("reader" + left, here, List.of(reads)));
    }
    return new Cell("instances_" + instances, KEYS, "ONE", PROMISED, 0, roles);
  }

  /**
   * Runs so many.
   *
   * @param books the folder that gets a folder with the books
   * @return a line of results
   */
  static String run(ProbeBed bed, int instances, Path books, int seconds, long seed)
      throws IOException, InterruptedException {
    Cell cell = cell(instances);
    Path folder = books.resolve(cell.id());
    bed.load(cell.id(), KEYS);
    try (Application application = Application.start(bed, cell, folder, seed)) {
      application.begin();
      TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
      long from = System.nanoTime();
      long servers = bed.requests(cell.id());
      long own = application.cost();
      Times.sleepUntil(from + Times.nanos(seconds));
      long to = System.nanoTime();
      servers = bed.requests(cell.id()) - servers;
      own = application.cost() - own;
      application.end();
      long asked =
          Books.writes(folder).stream().filter(write -> in(write.sent(), from, to)).count()
              + Books.reads(folder).stream().filter(read -> in(read.started(), from, to)).count();
      double length = Times.seconds(to - from);
      return String.format(
          Locale.ROOT,
          "%s,%d,%.2f,%.2f",
          name(instances),
          seconds,
          (servers - asked) / length,
          own / length);
    }
  }

  private static boolean in(long time, long from, long to) {
    return time >= from && time < to;
  }

  /** A row for readers, beside that of one instance. */
  static List<String> cells(Map<String, String> one, Map<String, String> row) {
    return List.of(
        row.getOrDefault("instances", ""),
        row.getOrDefault("server_requests_s", ""),
        ratio(one, row, "server_requests_s"),
        row.getOrDefault("own_requests_s", ""),
        ratio(one, row, "own_requests_s"));
  }

  private static String ratio(Map<String, String> one, Map<String, String> row, String column) {
    return String.format(
        Locale.ROOT,
        "%.2f",
        Double.parseDouble(row.getOrDefault(column, "NaN"))
            / Double.parseDouble(one.getOrDefault(column, "NaN")));
  }
}
