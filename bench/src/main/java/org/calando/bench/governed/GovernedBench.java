package org.calando.bench.governed;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.calando.bench.governed.PushTimes.Result;
import org.calando.session.AdaptiveSession;
import org.jspecify.annotations.Nullable;

/*
 *   cost    requests that the nodes did of all connections, less the load's own: no session of ours, one alone, many that are governed
 *   push    links become slower and faster, so that levels change: from each decision to when it is in force for the last session
 *   again   the governor is killed and started again at a light load: how long it takes until all sessions go by it
 *   kill    at 80 % of what the sessions do in a burst the governor is killed: reads before and behind it, and how long one
 *           that is started again takes until all sessions go by it
 *
 * The sessions share one driver, and so few connections: what is counted is Calando's.
 *
 * Each part that is through is kept in the folder, by the number of sessions and seconds, so that a run that was ended goes on
 * with the next one.
 */
/**
 * What governed sessions cost, how fast a level reaches them, and what they do when the governor is
 * killed and started again, on a real local cluster of three nodes.
 *
 * <p>{@code GovernedBench FOLDER [SESSIONS [SECONDS]]}: in the project's folder; default 100 and
 * 60.
 */
public final class GovernedBench {
  private static final double LIGHT = 100;
  private static final int FAR_MILLIS = 400;
  private static final int PLAIN_SECONDS = 15;

  private final Path folder;
  private final int count;
  private final int seconds;
  private final GovernedWorld world;
  private final PushTimes pushes;
  private final List<String> lines = new ArrayList<>();
  private final Governing governing = new Governing();
  private double plain;
  private double alone;
  private double aloneOwn;

  /** What one part does with sessions that are governed. */
  private interface Part {
    void run(List<AdaptiveSession> sessions) throws IOException, InterruptedException;
  }

  /** The governor's process. */
  private final class Governing {
    private @Nullable Process process;

    void start() throws IOException {
      process = world.govern();
    }

    void kill() throws InterruptedException {
      Process started = process;
      if (started != null) {
        GovernedWorld.kill(started);
      }
    }
  }

  private GovernedBench(Path folder, int count, int seconds, GovernedWorld world) {
    this.folder = folder;
    this.count = count;
    this.seconds = seconds;
    this.world = world;
    this.pushes = new PushTimes(count);
  }

  /** Runs and prints. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path folder = Path.of(arguments[0]).toAbsolutePath();
    int count = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100;
    int seconds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 60;
    Files.createDirectories(folder);
    List<String> left = new ArrayList<>();
    for (String part : List.of("cost", "push", "again", "kill")) {
      Path done = file(folder, part, count, seconds);
      if (Files.exists(done)) {
        System.out.print(Files.readString(done));
      } else {
        left.add(part);
      }
    }
    if (!left.isEmpty()) {
      try (GovernedWorld world = new GovernedWorld(folder)) {
        new GovernedBench(folder, count, seconds, world).run(left);
      }
    }
  }

  private static Path file(Path folder, String part, int count, int seconds) {
    return folder.resolve("%s-%d-%d.txt".formatted(part, count, seconds));
  }

  private void run(List<String> left) throws IOException, InterruptedException {
    Map<String, Part> parts =
        Map.of("cost", this::cost, "push", this::push, "again", this::again, "kill", this::kill);
    if (left.contains("cost")) {
      measureUngoverned();
    }
    governing.start();
    try {
      List<AdaptiveSession> sessions = world.governed(count, pushes::of);
      try (GovernedLoad light = load(sessions, LIGHT)) {
        light.start();
        var unused = world.awaitGoverned(sessions);
        Thread.sleep(10_000);
      }
      for (String part : left) {
        lines.clear();
        Objects.requireNonNull(parts.get(part)).run(sessions);
        Path aside = Files.write(folder.resolve("part.new"), lines);
        Files.move(aside, file(folder, part, count, seconds), REPLACE_EXISTING);
      }
    } finally {
      governing.kill();
    }
  }

  private static GovernedLoad load(List<? extends CqlSession> sessions, double perSecond) {
    return new GovernedLoad(sessions, GovernedWorld.TABLE.toString(), perSecond);
  }

  /** Before there is a governor, which asks the cluster for itself too. */
  private void measureUngoverned() throws InterruptedException {
    try (GovernedLoad light = load(List.of(world.driver()), LIGHT)) {
      light.start();
      Thread.sleep(2_000);
      plain = beside(light, PLAIN_SECONDS);
    }
    try (AdaptiveSession one = world.alone();
        GovernedLoad light = load(List.of(one), LIGHT)) {
      light.start();
      Thread.sleep(20_000);
      long before = one.cost().requests();
      alone = beside(light, seconds);
      aloneOwn = (one.cost().requests() - before) / (double) seconds;
    }
  }

  private void cost(List<AdaptiveSession> sessions) throws InterruptedException {
    try (GovernedLoad light = load(sessions, LIGHT)) {
      light.start();
      Thread.sleep(5_000);
      long before = own(sessions);
      double governed = beside(light, seconds);
      double own = (own(sessions) - before) / (double) seconds;
      print(
          "requests a second beside the load's own: %.1f without a session of ours; %.1f of one"
              + " session (%.1f by its own account); %.1f of %d governed sessions and their"
              + " governor (%.1f of them the sessions', by their own account); ratio %.2f; %d governed at"
              + " the end",
          plain,
          alone,
          aloneOwn,
          governed,
          count,
          own,
          governed / alone,
          sessions.stream().filter(GovernedWorld::isGoverned).count());
    }
  }

  private static long own(List<AdaptiveSession> sessions) {
    return sessions.stream().mapToLong(each -> each.cost().requests()).sum();
  }

  /** Requests a second that the nodes do and the load does not send. */
  private double beside(GovernedLoad load, int forSeconds) throws InterruptedException {
    ClusterRequests requests = new ClusterRequests(world.driver());
    long own = load.operations();
    long done = requests.count();
    long begun = System.nanoTime();
    Thread.sleep(1000L * forSeconds);
    long more = requests.count() - done - (load.operations() - own);
    return more / ((System.nanoTime() - begun) / 1e9);
  }

  private void push(List<AdaptiveSession> sessions) throws InterruptedException {
    try (GovernedLoad hot =
        new GovernedLoad(sessions, GovernedWorld.TABLE.toString(), LIGHT, GovernedLoad.HOT_KEYS)) {
      hot.start();
      long before = pushes.newest();
      for (int step = 0; step < 4; step++) {
        // Canaries have to see it first.
        world.linksOf(step % 2 == 0 ? FAR_MILLIS : 1);
        Thread.sleep(1000L * seconds / 2);
      }
      Result result = pushes.since(before);
      print(
          "%d levels pushed; in force for all %d sessions after %.0f ms (median), %.0f ms (the"
              + " slowest level); for one session after %.0f ms (median), %.0f ms (99 %%);"
              + " %d not in force for all at the end",
          result.slowest().size(),
          count,
          Result.percentile(result.slowest(), 50),
          Result.percentile(result.slowest(), 100),
          Result.percentile(result.each(), 50),
          Result.percentile(result.each(), 99),
          result.unfinished());
    } finally {
      world.linksOf(1);
    }
  }

  private void kill(List<AdaptiveSession> sessions) throws IOException, InterruptedException {
    Thread.sleep(5_000);
    double most = capacity(sessions);
    try (GovernedLoad load = load(sessions, 0.8 * most)) {
      load.start();
      Thread.sleep(10_000);
      load.take();
      Thread.sleep(1000L * seconds);
      report("before", load.take(), sessions);
      governing.kill();
      for (int i = 1; i <= 4; i++) {
        Thread.sleep(1000L * seconds / 2);
        report("killed, part " + i, load.take(), sessions);
      }
      governAgain(load, sessions);
    }
  }

  private void again(List<AdaptiveSession> sessions) throws IOException, InterruptedException {
    try (GovernedLoad light = load(sessions, LIGHT)) {
      light.start();
      Thread.sleep(10_000);
      governing.kill();
      Thread.sleep(1000L * seconds / 2);
      light.take();
      governAgain(light, sessions);
    }
  }

  /** Starts the governor that was killed, beside a load. */
  private void governAgain(GovernedLoad load, List<AdaptiveSession> sessions)
      throws IOException, InterruptedException {
    governing.start();
    try {
      GovernedWorld.Taken taken = world.awaitGoverned(sessions);
      print(
          "governor started again: listens after %.1f s, decides for the first session %.1f s"
              + " later, for all %.1f s later",
          taken.listensSeconds(),
          taken.firstSeconds() - taken.listensSeconds(),
          taken.allSeconds() - taken.listensSeconds());
      report("until then", load.take(), sessions);
      Thread.sleep(1000L * seconds / 2);
      report("governed again", load.take(), sessions);
    } catch (IllegalStateException e) {
      print("%s", String.valueOf(e.getMessage()));
    }
  }

  /** The rate from which on reads take several times as long as at a light load. */
  private double capacity(List<AdaptiveSession> sessions) throws InterruptedException {
    double light = p99(sessions, LIGHT);
    double rate = 2 * LIGHT;
    while (rate < 100_000 && p99(sessions, rate) < Math.max(50, 4 * light)) {
      rate *= 1.25;
    }
    print("p99 grows from %.1f ms beyond %.0f operations a second", light, rate / 1.25);
    Thread.sleep(20_000);
    return rate / 1.25;
  }

  private static double p99(List<AdaptiveSession> sessions, double rate)
      throws InterruptedException {
    try (GovernedLoad load = load(sessions, rate)) {
      load.start();
      Thread.sleep(2_000);
      load.take();
      Thread.sleep(4_000);
      return load.take().p99Millis();
    }
  }

  private void report(String when, GovernedLoad.Result result, List<AdaptiveSession> sessions) {
    double replicas =
        sessions.stream()
            .mapToDouble(each -> GovernedWorld.inUse(each).choice().mean())
            .average()
            .orElse(0);
    long governed = sessions.stream().filter(GovernedWorld::isGoverned).count();
    print(
        "%s: %d reads, failed %s, %d operations not sent, p50 %.1f ms, p99 %.1f ms, stale %.2f %% of %.0f %% tolerated,"
            + " %.2f replicas a read, %d governed",
        when,
        result.reads(),
        result.failed(),
        result.unsent(),
        result.p50Millis(),
        result.p99Millis(),
        100.0 * result.stale() / Math.max(1, result.reads()),
        100 * GovernedWorld.TOLERATED,
        replicas,
        governed);
  }

  private void print(String format, Object... values) {
    String line = String.format(Locale.ROOT, format, values);
    System.out.println(line);
    lines.add(line);
  }
}
