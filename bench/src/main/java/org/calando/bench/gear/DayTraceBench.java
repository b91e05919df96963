package org.calando.bench.gear;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.calando.load.LoadDays;
import org.calando.sim.gear.GearWeeks;

/**
 * Spends weeks of simulated load with every policy of gears, for several off powers, boot times and
 * boot powers, and appends what they came to to a file; then prints tables. Goes on where an
 * earlier run stopped. The same arguments print the same tables.
 *
 * <p>{@code DayTraceBench FILE [SEEDS [WEEKS [GEARS [THREADS [SECONDS]]]]]}: default 5 seeds of 4
 * weeks, gears 3,7, all cores, no limit of time.
 */
public final class DayTraceBench {
  private static final int LEARNING_WEEKS = 2;

  private final Path file;
  private final long endNanos;
  private final ConcurrentLinkedQueue<Task> tasks = new ConcurrentLinkedQueue<>();
  private int done;

  private DayTraceBench(Path file, long seconds) {
    this.file = file;
    this.endNanos = System.nanoTime() + seconds * 1_000_000_000L;
  }

  private record Task(String name, GearWeeks weeks) {}

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path file = Path.of(arguments[0]);
    int seeds = argument(arguments, 1, 5);
    int weeks = argument(arguments, 2, 4);
    String gears = arguments.length > 3 ? arguments[3] : "3,7";
    int threads = argument(arguments, 4, Runtime.getRuntime().availableProcessors());
    DayTraceBench bench = new DayTraceBench(file, argument(arguments, 5, 1_000_000));
    List<Task> all = tasks(seeds, weeks, gears);
    bench.run(all, threads);
    Set<String> names = new HashSet<>(all.stream().map(Task::name).toList());
    List<DayTraceRow> rows = DayTraceRow.read(file);
    rows.removeIf(row -> !names.contains(row.weeks()));
    System.out.print(new DayTraceTables(rows).text());
  }

  private static int argument(String[] arguments, int index, int otherwise) {
    return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
  }

  private static List<Task> tasks(int seeds, int weeks, String gears) {
    List<Integer> nodes = Arrays.stream(gears.split(",", -1)).map(Integer::valueOf).toList();
    List<Task> tasks = new ArrayList<>();
    for (long seed = 1; seed <= seeds; seed++) {
      for (LoadDays.Shape shape : LoadDays.Shape.values()) {
        for (double off : new double[] {0, 0.1, 0.3}) {
          for (double boot : new double[] {10, 60, 300}) {
            for (double bootShare : new double[] {1, 2}) {
              tasks.add(
                  new Task(
                      DayTraceRow.name(shape, gears, off, boot, bootShare, seed, weeks),
                      new GearWeeks(
                          shape, nodes, off, boot, bootShare, LEARNING_WEEKS, weeks, seed)));
            }
          }
        }
      }
    }
    return tasks;
  }

  private void run(List<Task> all, int threads) throws IOException, InterruptedException {
    if (!Files.exists(file)) {
      Files.writeString(file, DayTraceRow.HEADER + "\n");
    }
    Set<String> known = new HashSet<>();
    DayTraceRow.read(file).forEach(row -> known.add(row.weeks()));
    all.stream().filter(task -> !known.contains(task.name())).forEach(tasks::add);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread worker = new Thread(this::work, "weeks-" + i);
      worker.start();
      workers.add(worker);
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private void work() {
    while (System.nanoTime() - endNanos < 0) {
      Task task = tasks.poll();
      if (task == null) {
        return;
      }
      append(task.name(), task.weeks().run());
    }
  }

  /** All policies at once, so that weeks are there whole or not at all. */
  private synchronized void append(String name, List<GearWeeks.Week> weeks) {
    StringBuilder text = new StringBuilder();
    weeks.forEach(week -> text.append(DayTraceRow.of(name, week).text()).append('\n'));
    try {
      Files.write(
          file, text.toString().getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (++done % 20 == 0) {
      System.err.println(done + " done, " + tasks.size() + " to do");
    }
  }
}
