package org.calando.promise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.local.relay.LinkDelays;
import org.calando.promise.Step.Event;

/** Runs a step on a bed of its own and judges the books. */
final class StepRun {
  private static final int BEFORE_SECONDS = 45;
  private static final int CHANGED_SECONDS = 60;
  private static final int BACK_SECONDS = 60;
  private static final int VICTIM = ProbeBed.FACTOR;
  private static final double HOT = 0.9;
  private static final int LONGEST_START_SECONDS = 120;

  private final ProbeBed bed;
  private final Step step;

  private StepRun(ProbeBed bed, Step step) {
    this.bed = bed;
    this.step = step;
  }

  /** The delays of links that a step begins with. */
  static LinkDelays delays(Event event) {
    return event == Event.LINKS ? uniform(2) : ProbeBed.apart();
  }

  private static LinkDelays uniform(int millis) {
    return LinkDelays.uniform(ProbeBed.FACTOR, Duration.ofMillis(millis));
  }

  /**
   * Runs it.
   *
   * @param books the folder that gets a folder with the books
   * @return a line of results
   */
  static String run(ProbeBed bed, Step step, Path books, long seed)
      throws IOException, InterruptedException {
    Path folder = books.resolve(step.cell().id());
    bed.load(step.cell().id(), step.cell().keys());
    return new StepRun(bed, step).run(folder, seed);
  }

  private String run(Path folder, long seed) throws IOException, InterruptedException {
    boolean dead = step.event() == Event.DEAD_START;
    if (dead) {
      bed.cluster().kill(VICTIM);
    }
    try (Application application = Application.start(bed, step.cell(), folder, seed)) {
      long begun = System.nanoTime();
      int change = 0;
      if (dead) {
        application.begin(role -> true);
      } else {
        begun = application.begin();
        change = BEFORE_SECONDS;
        Times.sleepUntil(begun + Times.nanos(change));
        change(application);
      }
      int back = change + CHANGED_SECONDS;
      Times.sleepUntil(begun + Times.nanos(back));
      back(application);
      int settled = (int) Times.seconds(System.nanoTime() - begun);
      int end = settled + BACK_SECONDS;
      Times.sleepUntil(begun + Times.nanos(end));
      application.end();
      return line(folder, begun, new int[] {change, back, settled, end});
    }
  }

  private void change(Application application) {
    switch (step.event()) {
      case WRITES -> application.rates(task -> task.form().isWrite(), 10);
      case HOT -> application.hot(HOT);
      case LINKS -> bed.cluster().linkDelays(uniform(40));
      case KILL, DEAD_START -> bed.cluster().kill(VICTIM);
    }
  }

  private void back(Application application) throws InterruptedException {
    switch (step.event()) {
      case WRITES -> application.rates(task -> task.form().isWrite(), 1);
      case HOT -> application.hot(0);
      case LINKS -> bed.cluster().linkDelays(uniform(2));
      case KILL, DEAD_START -> {
        bed.cluster().launch(VICTIM);
        long deadline = System.nanoTime() + Times.nanos(LONGEST_START_SECONDS);
        while (!bed.cluster().isUp(VICTIM) && System.nanoTime() - deadline < 0) {
          TimeUnit.MILLISECONDS.sleep(200);
        }
      }
    }
  }

  private String line(Path folder, long begun, int[] times) throws IOException {
    Judge judge = new Judge(Books.writes(folder));
    List<ReadEntry> reads = Books.reads(folder);
    List<String> tasks = List.of(Cell.JUDGED, Cell.ONE, Cell.QUORUM);
    List<Seconds> seconds =
        tasks.stream()
            .map(task -> new Seconds(judge, reads, task::equals, begun, times[3]))
            .toList();
    StringBuilder bySecond = new StringBuilder("task,second,reads,stale,replicas,failed\n");
    for (int i = 0; i < tasks.size(); i++) {
      bySecond.append(seconds.get(i).csv(tasks.get(i)));
    }
    Files.writeString(folder.resolve("seconds.csv"), bySecond);
    StepRow row =
        new StepRow(
            step.name(),
            step.cell().promised(),
            times[0],
            times[1],
            times[2],
            times[3],
            seconds.get(0),
            seconds.get(1),
            seconds.get(2));
    return row.line(
        first(reads, tasks.get(0), begun),
        first(reads, tasks.get(1), begun),
        first(reads, tasks.get(2), begun));
  }

  /** Seconds from the beginning until the first answer. */
  private static double first(List<ReadEntry> reads, String task, long begun) {
    return reads.stream()
        .filter(read -> read.task().equals(task) && !read.failed())
        .filter(read -> read.ended() - begun > 0)
        .mapToLong(read -> read.ended() - begun)
        .min()
        .stream()
        .mapToDouble(Times::seconds)
        .findFirst()
        .orElse(Double.NaN);
  }
}
