package org.calando.promise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.calando.promise.Cell.Role;

/** The processes of a cell, while they run. Not thread safe. */
final class Application implements AutoCloseable {
  private static final int CONNECT_SECONDS = 180;
  private static final int END_SECONDS = 60;
  private static final int ALONE_SECONDS = 3;

  private final Map<Role, ProbeProcess> processes = new LinkedHashMap<>();

  /**
   * Starts them, and waits until they are connected. The rows are there.
   *
   * @param folder that gets the books
   */
  static Application start(ProbeBed bed, Cell cell, Path folder, long seed) throws IOException {
    Files.createDirectories(folder);
    SplittableRandom seeds = new SplittableRandom(seed + cell.name().hashCode());
    Application application = new Application();
    try {
      long started = System.nanoTime();
      for (Role role : cell.roles()) {
        ProbeSpec spec =
            new ProbeSpec(
                role.name(),
                bed.contacts(),
                cell.id(),
                cell.writeLevel(),
                cell.promised(),
                role.instances(),
                seeds.nextLong(),
                role.tasks());
        application.processes.put(role, ProbeProcess.start(spec, folder));
      }
      for (ProbeProcess process : application.processes.values()) {
        process.awaitConnected(started, CONNECT_SECONDS);
      }
      return application;
    } catch (RuntimeException | IOException e) {
      application.close();
      throw e;
    }
  }

  /** Begins, those with adaptive sessions last: they find an application that is at work. */
  long begin() throws InterruptedException {
    begin(role -> !role.isAdaptive());
    TimeUnit.SECONDS.sleep(ALONE_SECONDS);
    return begin(Role::isAdaptive);
  }

  /** Begins some at once, and returns when the last of them did so. */
  long begin(Predicate<Role> which) {
    long last = System.nanoTime();
    List<ProbeProcess> all = new ArrayList<>();
    processes.forEach(
        (role, process) -> {
          if (which.test(role)) {
            process.send("go");
            all.add(process);
          }
        });
    for (ProbeProcess process : all) {
      last = Math.max(last, process.awaitBegun(CONNECT_SECONDS));
    }
    return last;
  }

  /** Another rate for some tasks, as a multiple of their own. */
  void rates(Predicate<Task> which, double times) {
    processes.forEach(
        (role, process) ->
            role.tasks().stream()
                .filter(which)
                .forEach(task -> process.send("rate " + task.name() + " " + task.rate() * times)));
  }

  /** So large a share of all reads and writes is of the hottest key. */
  void hot(double share) {
    processes.values().forEach(process -> process.send("hot " + share));
  }

  /** Requests that adaptive sessions have sent of their own so far. */
  long cost() {
    return processes.values().stream().mapToLong(ProbeProcess::cost).sum();
  }

  /** Ends them, readers first, so that all that they can have read is in the books. */
  void end() {
    List<Map.Entry<Role, ProbeProcess>> all = new ArrayList<>(processes.entrySet());
    all.sort(Comparator.comparing(each -> each.getKey().writes()));
    for (var each : all) {
      each.getValue().end(END_SECONDS);
    }
  }

  @Override
  public void close() {
    processes.values().forEach(ProbeProcess::close);
  }
}
