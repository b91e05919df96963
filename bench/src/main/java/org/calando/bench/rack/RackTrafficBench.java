package org.calando.bench.rack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.calando.bench.MarkdownTable;
import org.calando.control.JournalEntry;
import org.calando.core.time.RealTimeScheduler;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.local.cassandra.LocalCassandra;

/**
 * An unmodified YCSB while a rack of a real Cassandra goes off and comes back, by the shifts of
 * gears or by a plain drain, stop and start: errors, latencies, and how fast hints are delivered.
 */
public final class RackTrafficBench {
  private static final List<String> RACK = List.of("n3", "n6");
  private static final List<String> STAYING = List.of("n1", "n2", "n4", "n5");
  private static final long LONGEST_SECONDS = 900;
  private static final String NORMAL = "normal";
  private static final String DOWN = "down";
  private static final String OFF = "off";
  private static final String UP = "up";
  private static final String DELIVER = "up, hints arrive";

  private final LocalCassandra cluster;
  private final RackMeans means;
  private final int target;
  private final int offSeconds;
  private final MarkdownTable phases =
      new MarkdownTable(
          "throttle",
          "shift",
          "driver",
          "phase",
          "s",
          "operations",
          "failed",
          "read p99, median of seconds, ms",
          "beside normal",
          "longest, ms");
  private final MarkdownTable hints =
      new MarkdownTable(
          "throttle", "shift", "driver", "written while off, MB", "hints, MB", "s", "MB/s");

  private record Phase(String name, long from, long to) {}

  private RackTrafficBench(LocalCassandra cluster, int target, int offSeconds) {
    this.cluster = cluster;
    this.means = RackTool.means(cluster, RackTool.NOBODY);
    this.target = target;
    this.offSeconds = offSeconds;
  }

  /** {@code RackTrafficBench [SECONDS_OFF=60 [OPERATIONS_A_SECOND=300]]}. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int off = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 60;
    int target = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 300;
    for (String throttle : List.of("1024KiB", "0KiB")) {
      try (LocalCassandra cluster =
          RackTrialBench.start(each -> each.yaml("hinted_handoff_throttle", throttle))) {
        YcsbTraffic.load(cluster);
        RackTrafficBench bench = new RackTrafficBench(cluster, target, off);
        bench.leg(throttle, true, false);
        bench.leg(throttle, true, true);
        bench.leg(throttle, false, false);
        System.out.println(bench.phases);
        System.out.println(bench.hints);
      }
    }
  }

  private void leg(String throttle, boolean gears, boolean idempotent)
      throws IOException, InterruptedException {
    List<Phase> course = new ArrayList<>();
    RackShifter shifter = new RackShifter(means, "a benchmark");
    try (YcsbTraffic traffic = YcsbTraffic.start(cluster, idempotent, target)) {
      TimeUnit.SECONDS.sleep(15); // its compiler
      phase(course, NORMAL, () -> TimeUnit.SECONDS.sleep(30));
      phase(course, DOWN, () -> down(gears, shifter));
      phase(course, OFF, () -> TimeUnit.SECONDS.sleep(offSeconds));
      long bytes = hintBytes();
      phase(course, UP, () -> up(gears, shifter, course));
      TimeUnit.SECONDS.sleep(2); // for its last report
      String driver = idempotent ? "all idempotent" : "default";
      String shift = gears ? "gear" : "plain";
      report(List.of(throttle, shift, driver), course, traffic.seconds());
      delivered(List.of(throttle, shift, driver), course, traffic.seconds(), bytes);
      traffic.errors().forEach(each -> System.out.println(shift + ", " + driver + ": " + each));
    }
    awaitWell(shifter);
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void phase(List<Phase> course, String name, Work work)
      throws IOException, InterruptedException {
    long from = System.nanoTime();
    work.run();
    course.add(new Phase(name, from, System.nanoTime()));
  }

  private void down(boolean gears, RackShifter shifter) throws InterruptedException {
    if (gears) {
      shifter.shift(shifter.gears().offIn(1));
      return;
    }
    for (String node : RACK) {
      means.servers().drain(node);
    }
    means.board().off(RACK);
  }

  private void up(boolean gears, RackShifter shifter, List<Phase> course)
      throws IOException, InterruptedException {
    // Hints arrive from the moment in which others hold the nodes to be up.
    AtomicBoolean ended = new AtomicBoolean();
    long[] times = new long[2];
    CountDownLatch arrived = new CountDownLatch(1);
    RealTimeScheduler watch = new RealTimeScheduler("watch");
    watch.at(
        watch.clock().nanos(),
        () -> {
          watch(times, ended, gears);
          arrived.countDown();
        });
    boolean came;
    try {
      if (gears) {
        shifter.shift(Set.of());
      } else {
        means.board().on(RACK);
      }
      came = arrived.await(LONGEST_SECONDS, TimeUnit.SECONDS);
    } finally {
      ended.set(true);
      watch.close();
    }
    if (!came) {
      throw new IOException("hints are not delivered after " + LONGEST_SECONDS + " s");
    }
    course.add(new Phase(DELIVER, times[0], times[1]));
  }

  private void watch(long[] times, AtomicBoolean ended, boolean gears) {
    try {
      while (!ended.get() && !isBack(gears)) {
        TimeUnit.MILLISECONDS.sleep(200);
      }
      times[0] = System.nanoTime();
      while (!ended.get() && hintBytes() > 0) {
        TimeUnit.MILLISECONDS.sleep(100);
      }
      times[1] = System.nanoTime();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nodes that come back by gears keep clients off until they are proved. */
  private boolean isBack(boolean gears) {
    if (gears) {
      return RackShifter.unfinished(means.path())
          .map(JournalEntry::step)
          .filter(Predicate.isEqual("deliver"))
          .isPresent();
    }
    return RACK.stream().allMatch(cluster::isUp);
  }

  private long hintBytes() throws IOException {
    long bytes = 0;
    for (String node : STAYING) {
      try (Stream<Path> files = Files.list(cluster.folder().resolve(node).resolve("hints"))) {
        for (Path file :
            (Iterable<Path>) files.filter(each -> each.toString().endsWith(".hints"))::iterator) {
          bytes += Files.size(file);
        }
      } catch (NoSuchFileException e) {
        // It was delivered just now.
      }
    }
    return bytes;
  }

  private void report(List<String> which, List<Phase> course, List<YcsbTraffic.Second> seconds) {
    double normal = 0;
    for (Phase phase : course) {
      List<YcsbTraffic.Second> in = in(seconds, phase);
      double p99 = median(of(in, "READ").mapToDouble(YcsbTraffic.Second::p99Millis).toArray());
      if (phase.name().equals(NORMAL)) {
        normal = p99;
      }
      List<String> cells = new ArrayList<>(which);
      cells.add(phase.name());
      cells.add(text((phase.to() - phase.from()) / 1e9));
      cells.add(Long.toString(count(in, "READ") + count(in, "UPDATE")));
      cells.add(Long.toString(count(in, "READ-FAILED") + count(in, "UPDATE-FAILED")));
      cells.add(text(p99));
      cells.add(String.format(Locale.ROOT, "%.2f", p99 / normal));
      cells.add(
          text(in.stream().mapToDouble(YcsbTraffic.Second::maxMillis).max().orElse(Double.NaN)));
      phases.add(cells.toArray(String[]::new));
    }
  }

  private void delivered(
      List<String> which, List<Phase> course, List<YcsbTraffic.Second> seconds, long bytes) {
    long written = 0;
    double took = Double.NaN;
    for (Phase phase : course) {
      if (phase.name().equals(OFF)) {
        written = count(in(seconds, phase), "UPDATE") * YcsbTraffic.UPDATE_BYTES;
      }
      if (phase.name().equals(DELIVER)) {
        took = (phase.to() - phase.from()) / 1e9;
      }
    }
    List<String> cells = new ArrayList<>(which);
    cells.add(text(written / 1e6));
    cells.add(text(bytes / 1e6));
    cells.add(text(took));
    cells.add(String.format(Locale.ROOT, "%.2f", bytes / 1e6 / took));
    hints.add(cells.toArray(String[]::new));
  }

  private static List<YcsbTraffic.Second> in(List<YcsbTraffic.Second> seconds, Phase phase) {
    return seconds.stream()
        .filter(each -> each.nanos() > phase.from() && each.nanos() <= phase.to())
        .toList();
  }

  private static Stream<YcsbTraffic.Second> of(List<YcsbTraffic.Second> seconds, String kind) {
    return seconds.stream().filter(each -> each.kind().equals(kind) && each.count() > 0);
  }

  private static long count(List<YcsbTraffic.Second> seconds, String kind) {
    return of(seconds, kind).mapToLong(YcsbTraffic.Second::count).sum();
  }

  private static double median(double[] of) {
    Arrays.sort(of);
    return of.length == 0 ? Double.NaN : of[of.length / 2];
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static void awaitWell(RackShifter shifter) throws InterruptedException {
    for (int i = 0; i < 60 && !shifter.problems().isEmpty(); i++) {
      TimeUnit.SECONDS.sleep(2);
    }
  }
}
