package org.calando.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.concerto.trials.FakeClocks;
import org.calando.core.energy.PStates;
import org.calando.slowcores.Calibration;
import org.calando.slowcores.ProbedServer;
import org.calando.slowcores.SlowCores;
import org.calando.slowcores.SlowServers;

/*
 * The study knows nothing of slow cores: it is told a server's program and a folder of processors. What
 * makes the servers slow runs here, beside it, as a fan or a heat sink would.
 */
/**
 * Four policies of clocks on a real master with one and with two replicas, whose cores are slowed
 * by what is written into a fake tree of clocks: two studies, and what they come to.
 */
public final class ClockBench {
  private static final int CORES = 3;
  private static final int MOST_REPLICAS = CORES - 1;
  private static final int TURNS = 5;
  private static final int OPERATIONS = 1_000;
  private static final Path STUDY = Path.of("studies", "concerto.yaml");

  private final Path server;
  private final Path out;
  private final List<String> command;

  private ClockBench(Path server, Path out, List<String> command) {
    this.server = server;
    this.out = out;
    this.command = List.copyOf(command);
  }

  /** {@code ClockBench BLOCKS SEED OUT COMMAND [OPTION ...]}: options are the study's. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> given = List.of(arguments);
    int blocks = Integer.parseInt(given.get(0));
    long seed = Long.parseLong(given.get(1));
    Path out = Path.of(given.get(2)).toAbsolutePath();
    ClockBench bench = new ClockBench(Path.of("/usr/bin/redis-server"), out, List.of(given.get(3)));
    bench.run(blocks, seed, given.subList(4, given.size()));
  }

  private void run(int blocks, long seed, List<String> options)
      throws IOException, InterruptedException {
    Files.createDirectories(out);
    FakeClocks clocks = new FakeClocks(out.resolve("cpu"), CORES);
    int failed = 0;
    try (SlowCores cores = SlowCores.start(out.resolve("slow"), clocks.cpufreq())) {
      calibrate(cores);
      try (SlowServers servers = SlowServers.follow(cores, ClockBench::trouble)) {
        for (int replicas = 1; replicas <= MOST_REPLICAS; replicas++) {
          failed += study(cores, clocks, replicas, blocks, seed, options);
        }
        System.out.println(servers.placed().size() + " servers were slowed");
      }
      if (!cores.trouble().isEmpty()) {
        System.out.println("Trouble with the fake clocks: " + cores.trouble());
      }
    }
    tell();
    if (failed > 0) {
      System.exit(1);
    }
  }

  /** How exactly a server is slowed at each of the paper's clocks. */
  private void calibrate(SlowCores cores) throws IOException {
    MarkdownTable table =
        new MarkdownTable(
            "clock", "asked", "by the kernel's count", "error", "by the server's count");
    PStates states = PStates.xeonSilver4114();
    try (ProbedServer probed = ProbedServer.start(cores, server, out.resolve("probed"))) {
      for (PStates.State state : states.states()) {
        double slowdown = states.fastestGhz() / state.ghz();
        Calibration one =
            Calibration.of(cores, probed.pid(), slowdown, TURNS, OPERATIONS, probed::get);
        table.add(
            state.ghz() + " GHz",
            number("%.2f", slowdown),
            number("%.2f", one.reached()),
            number("%+.1f %%", 100 * one.error()),
            number("%.3f", one.counted()));
      }
    }
    System.out.println(table);
    Files.writeString(out.resolve("calibration.md"), table.toString());
  }

  /** Runs what is left of a study; 1 if runs of it failed. */
  private int study(
      SlowCores cores, FakeClocks clocks, int replicas, int blocks, long seed, List<String> options)
      throws IOException, InterruptedException {
    Path folder = out.resolve(replicas + "-replicas-" + blocks + "-blocks-" + seed);
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("study", STUDY.toString(), "--out", folder.toString()));
    if (Files.exists(folder)) {
      words.add("--resume");
    }
    List<String> settings =
        List.of(
            "store.local.nodes=" + (replicas + 1),
            "store.local.binary=" + cores.slowable(server),
            "clocks.cpus=" + cpus(replicas + 1),
            "clocks.sysfs=" + clocks.root(),
            "repeats=" + blocks,
            "seed=" + seed);
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    words.addAll(options);
    System.out.println(String.join(" ", words));
    int exit = new ProcessBuilder(words).inheritIO().start().waitFor();
    if (exit > 1) {
      throw new IOException("the study ended with exit code " + exit);
    }
    return exit;
  }

  private static String cpus(int nodes) {
    List<String> cpus = new ArrayList<>();
    for (int node = 1; node <= nodes; node++) {
      cpus.add("n" + node + ": " + (node - 1));
    }
    return "{" + String.join(", ", cpus) + "}";
  }

  /** Puts together what all studies of the folder found, those of other seeds too. */
  private void tell() throws IOException {
    List<ClockRun> runs = new ArrayList<>();
    for (int replicas = 1; replicas <= MOST_REPLICAS; replicas++) {
      try (var folders = Files.newDirectoryStream(out, replicas + "-replicas-*")) {
        for (Path folder : folders) {
          runs.addAll(ClockRun.of(folder, replicas));
        }
      } catch (UncheckedIOException e) {
        throw new IOException("the studies cannot be found in " + out, e);
      }
    }
    ClockTables tables = new ClockTables(new ClockRuns(runs));
    String text =
        String.join(
            "\n",
            tables.summary() + "\n",
            tables.masters().toString(),
            tables.energy().toString(),
            tables.lag().toString(),
            Files.readString(out.resolve("calibration.md")));
    Files.writeString(out.resolve("results.md"), text);
    Files.writeString(out.resolve("masters.csv"), tables.masters().csv());
    Files.writeString(out.resolve("energy.csv"), tables.energy().csv());
    Files.writeString(out.resolve("lag.csv"), tables.lag().csv());
    System.out.println(text);
    System.out.println("Written to " + out.resolve("results.md"));
  }

  private static void trouble(String what) {
    System.out.println("Trouble: " + what);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }
}
