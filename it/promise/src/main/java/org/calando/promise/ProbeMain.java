package org.calando.promise;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.calando.session.AdaptiveSession;
import org.calando.session.TableName;

/**
 * A process of an application: connects, and on {@code go} wraps and begins. Further commands come
 * as lines too, see {@link #obey}; the end of the input ends it at once.
 */
public final class ProbeMain {
  private static final long LAST_ANSWERS_SECONDS = 15;
  private static final long LOOK_MILLIS = 200;
  private static final int MOST_TRIES = 30;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final ProbeSpec spec;
  private final Books books;
  private final Outstanding outstanding = new Outstanding();
  private final List<CqlSession> plain = new ArrayList<>();
  private final List<CqlSession> toWrap = new ArrayList<>();
  private final List<AdaptiveSession> adaptive = new ArrayList<>();
  private final List<Paced> paces = new ArrayList<>();
  private volatile double hottest;

  private record Paced(Task task, Pace pace) {}

  private ProbeMain(ProbeSpec spec, Books books) {
    this.spec = spec;
    this.books = books;
  }

  /** {@code ProbeMain SPEC_FILE}. */
  public static void main(String[] arguments) {
    int exitCode = 0;
    try {
      run(Path.of(arguments[0]).toAbsolutePath());
      say("ended");
    } catch (IOException | InterruptedException | RuntimeException e) {
      e.printStackTrace();
      exitCode = 1;
    }
    // The driver's threads are no business of anybody any more.
    Runtime.getRuntime().halt(exitCode);
  }

  private static void run(Path file) throws IOException, InterruptedException {
    ProbeSpec spec = ProbeSpec.read(file);
    Path folder = file.resolveSibling("");
    try (Books books = Books.open(folder, spec.name())) {
      ProbeMain probe = new ProbeMain(spec, books);
      probe.connect();
      say("connected " + System.nanoTime());
      BufferedReader commands =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      String line = commands.readLine();
      while (line != null && !line.equals("stop")) {
        probe.obey(line.split(" ", -1));
        line = commands.readLine();
      }
      if (line != null) {
        probe.end();
      }
    }
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void connect() {
    if (spec.tasks().stream().anyMatch(task -> !task.adaptive())) {
      plain.add(driver());
    }
    if (spec.tasks().stream().anyMatch(Task::adaptive)) {
      for (int i = 0; i < spec.instances(); i++) {
        toWrap.add(driver());
      }
    }
  }

  private CqlSession driver() {
    ProgrammaticDriverConfigLoaderBuilder config = DriverConfigLoader.programmaticBuilder();
    // Statements are prepared while nodes of a busy machine have just started.
    config.withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE);
    if (!spec.sessionLevel().isEmpty()) {
      config.withString(DefaultDriverOption.REQUEST_CONSISTENCY, spec.sessionLevel());
    }
    if (spec.instances() > 1) {
      // Many in one process: a thread each for input and administration, not eight.
      config.withInt(DefaultDriverOption.NETTY_IO_SIZE, 1);
      config.withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1);
    }
    var builder = CqlSession.builder().withLocalDatacenter("dc1").withConfigLoader(config.build());
    for (String contact : spec.contacts()) {
      int colon = contact.indexOf(':');
      builder.addContactPoint(
          new InetSocketAddress(
              contact.substring(0, colon), Integer.parseInt(contact.substring(colon + 1))));
    }
    return builder.build();
  }

  /**
   * {@code go}; {@code rate TASK PER_SECOND}; {@code hot SHARE} of keys that are the hottest;
   * {@code cost}, answered with the requests that adaptive sessions have sent of their own.
   */
  private void obey(String[] words) throws IOException, InterruptedException {
    switch (words[0]) {
      case "go" -> begin();
      case "rate" -> {
        for (Paced each : paces) {
          if (each.task.name().equals(words[1])) {
            each.pace.rate(Double.parseDouble(words[2]));
          }
        }
      }
      case "hot" -> hottest = Double.parseDouble(words[1]);
      case "cost" ->
          say("cost " + adaptive.stream().mapToLong(each -> each.cost().requests()).sum());
      default -> throw new IOException("'" + words[0] + "' is no command");
    }
  }

  /** One of many instances begins while others are a burden to the servers, and tries again. */
  private AdaptiveSession wrap(CqlSession driver) throws InterruptedException {
    for (int left = spec.instances() > 1 ? MOST_TRIES : 1; ; left--) {
      try {
        return AdaptiveSession.wrap(driver).tolerate(spec.table(), spec.tolerated()).build();
      } catch (FailedWorkException e) {
        if (left == 1) {
          throw e;
        }
        System.err.println("cannot begin yet: " + e.getMessage());
        TimeUnit.SECONDS.sleep(1);
      }
    }
  }

  private void begin() throws InterruptedException {
    for (CqlSession driver : toWrap) {
      adaptive.add(wrap(driver));
    }
    SplittableRandom seeds = new SplittableRandom(spec.seed());
    for (Task task : spec.tasks()) {
      List<CqlSession> sessions = task.adaptive() ? List.copyOf(adaptive) : plain;
      Runnable action = action(task, sessions, seeds.nextLong());
      paces.add(new Paced(task, new Pace(task.name(), task.rate(), seeds.nextLong(), action)));
    }
    if (!adaptive.isEmpty()) {
      var unused = DaemonThread.start("levels", this::look);
    }
    say("begun " + System.nanoTime());
    paces.forEach(each -> each.pace.begin());
  }

  private Runnable action(Task task, List<CqlSession> sessions, long seed) {
    if (task.form().isWrite()) {
      Writer writer = new Writer(task, spec, sessions.get(0), books, outstanding, seed);
      return () -> writer.write(hottest);
    }
    Reader reader = new Reader(task, spec, sessions, books, outstanding, seed);
    return () -> reader.read(hottest);
  }

  /** Notes what the first session says of its level. */
  private void look() {
    TableName table = TableName.parse(spec.table());
    AdaptiveSession first = adaptive.get(0);
    while (true) {
      first
          .inUse(table)
          .ifPresent(
              use ->
                  books.add(
                      new LevelEntry(
                          spec.name(),
                          System.nanoTime(),
                          use.choice().mean(),
                          use.level().name(),
                          use.safe(),
                          String.join("; ", use.reasons()))));
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void end() throws InterruptedException {
    for (Paced each : paces) {
      each.pace.end();
    }
    if (!outstanding.await(LAST_ANSWERS_SECONDS)) {
      throw new IllegalStateException("requests are still under way");
    }
    for (var closed : adaptive.stream().map(AdaptiveSession::closeAsync).toList()) {
      closed.toCompletableFuture().join();
    }
  }
}
