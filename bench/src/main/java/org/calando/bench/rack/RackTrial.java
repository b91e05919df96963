package org.calando.bench.rack;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.calando.bench.rack.RackFault.Cell;
import org.calando.control.OffSetting;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.gears.rack.RackMeans;
import org.calando.gears.rack.RackShifter;
import org.calando.gears.rack.RackStatus;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.process.Tethered;
import org.calando.local.relay.LinkDelays;
import org.jspecify.annotations.Nullable;

/*
 *   client, a process --> QUORUM reads and writes --> six nodes in three racks <-- tool, a process: down, up, resume, undo
 *                                                             ^                        ^
 *                                                      this: faults in a step of the journal, and what an operator does
 */
/** One shift of a real cluster's rack down and up, while something goes wrong. For one call. */
final class RackTrial {
  private static final int MOST_TRIES = 8;
  private static final long LONGEST_DELAY_MILLIS = 1500;
  private static final Set<String> LONG = Set.of("on", "deliver", "prove");
  private static final long TOOL_SECONDS = 400;
  private static final Duration SLOW = Duration.ofMillis(200);
  private static final List<String> RACK = List.of("n3", "n6");
  private static final List<String> OTHERS = List.of("n1", "n2", "n4", "n5");

  private final Path state;
  private final long seed;
  private final SplittableRandom random;
  private final Cell cell;
  private boolean hit;
  private int resumed;
  private String dead = "";
  private boolean full;
  private Seen seen = new Seen(0, 0, 0);
  private int lost = -1;

  /** Acknowledged writes, requests that failed, and reads that were stale. */
  record Seen(long acknowledged, long failed, long stale) {}

  /**
   * What a trial came to.
   *
   * @param seen by the client
   * @param lost keys that are older than acknowledged
   * @param hit whether the fault came in its step
   * @param resumed commands after the first of each shift
   * @param repaired whether the rack was repaired
   * @param trouble what is not as it has to be in the end
   */
  record Result(
      Cell cell,
      Seen seen,
      int lost,
      boolean hit,
      int resumed,
      boolean repaired,
      String trouble,
      double seconds) {
    boolean isGood() {
      boolean clean = cell.fault() != RackFault.NONE || seen.failed() == 0;
      return lost == 0 && seen.stale() == 0 && trouble.isEmpty() && clean;
    }
  }

  RackTrial(Path state, long seed) {
    this.state = state;
    this.seed = seed;
    this.random = new SplittableRandom(seed);
    this.cell = RackFault.of(seed);
  }

  private LocalCassandra cluster() {
    return LocalCassandra.attach(state);
  }

  private RackMeans means() {
    return RackTool.means(cluster(), RackTool.NOBODY);
  }

  private OffSetting setting() {
    return new RackShifter(means(), "a trial").current();
  }

  Result run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    String trouble = "";
    Process client = client();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
      require(said.readLine(), RackClient.GOING);
      if (cell.fault() == RackFault.SLOW_LINK) {
        slow(SLOW);
        hit = true;
      }
      try {
        leg(true);
        TimeUnit.SECONDS.sleep(3);
        leg(false);
        trouble = trouble();
      } catch (CalandoException e) {
        trouble = String.valueOf(e.getMessage());
      }
      if (cell.fault() == RackFault.SLOW_LINK) {
        slow(Duration.ZERO);
      }
      client.getOutputStream().write('\n');
      client.getOutputStream().flush();
      String ended = String.valueOf(said.readLine());
      String[] words = ended.substring(RackClient.ENDED.length()).split(" ", -1);
      seen = new Seen(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
      @Nullable String last = said.readLine();
      lost = last == null ? -1 : Integer.parseInt(last.substring(RackClient.LOST.length()));
    } finally {
      client.destroyForcibly();
      makeRoom();
    }
    return new Result(
        cell,
        seen,
        lost,
        hit || cell.fault() == RackFault.NONE,
        resumed,
        Files.exists(told()) && Files.readString(told()).contains("repairing"),
        trouble,
        (System.nanoTime() - begun) / 1e9);
  }

  private static void require(@Nullable String line, String wanted) {
    if (!wanted.equals(line)) {
      throw new FailedWorkException("said " + line, "client", "see its errors");
    }
  }

  private void slow(Duration delay) {
    List<List<Duration>> rows = new ArrayList<>();
    for (int from = 1; from <= 6; from++) {
      List<Duration> row = new ArrayList<>();
      for (int to = 1; to <= 6; to++) {
        row.add(from != to && (from == 3 || to == 3) ? delay : Duration.ZERO);
      }
      rows.add(row);
    }
    cluster().linkDelays(LinkDelays.matrix(rows));
  }

  /** A shift, and all that an operator does until it is through: a shift down may be taken back. */
  private void leg(boolean down) throws IOException, InterruptedException {
    boolean faulty = cell.down() == down && !cell.step().equals(RackFault.THROUGHOUT);
    String first = down ? "down" : "up";
    if (!down && setting().equals(OffSetting.ALL_ON)) {
      return; // the shift down was taken back
    }
    if (!down && full) {
      hit = true;
    }
    int exit = tool(first, faulty);
    for (int tries = 0; tries < MOST_TRIES && exit != 0; tries++) {
      resumed++;
      mend();
      boolean open = RackShifter.unfinished(means().path()).isPresent();
      boolean there = setting().equals(OffSetting.ALL_ON) != down;
      if (!open && there) {
        return;
      }
      // A shift that was refused before it began had no step for the fault to come in.
      boolean again = faulty && !hit && !open;
      exit = tool(open ? (down && tries > 2 ? "undo" : "resume") : first, again);
    }
    mend();
    if (faulty && down && cell.fault() == RackFault.HINTS_FULL && exit == 0) {
      fillHints();
    }
  }

  private int tool(String verb, boolean faulty) throws IOException, InterruptedException {
    boolean lies = faulty && cell.fault() == RackFault.LYING_SWITCH;
    boolean comes = faulty && !lies && cell.fault() != RackFault.HINTS_FULL;
    long delay = delay();
    Process process =
        java(
                Tethered.class.getName(),
                RackTool.class.getName(),
                state.toString(),
                verb,
                lies ? "n3" : RackTool.NOBODY,
                comes && delay == 0 ? cell.step() : RackTool.NOBODY)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(told().toFile()))
            .start();
    hit |= lies;
    if (comes && awaitStep(process)) {
      TimeUnit.MILLISECONDS.sleep(delay);
      strike(process);
    }
    if (!process.waitFor(TOOL_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  /** Half of the faults in a long step come at once, and all in steps that may be short. */
  private long delay() {
    return LONG.contains(cell.step()) && random.nextBoolean()
        ? random.nextLong(1, LONGEST_DELAY_MILLIS)
        : 0;
  }

  /** Whether the step was begun before the tool ended. */
  private boolean awaitStep(Process process) throws InterruptedException {
    Path path = means().path();
    while (process.isAlive()) {
      if (RackTool.isIn(path, cell.step())) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
    return false;
  }

  private void strike(Process process) {
    switch (cell.fault()) {
      case TOOL_KILLED -> {
        hit = process.isAlive();
        process.destroyForcibly();
      }
      case STAYING_NODE_KILLED -> kill(OTHERS.get(random.nextInt(OTHERS.size())));
      case COMING_NODE_KILLED -> kill(RACK.get(random.nextInt(RACK.size())));
      default -> throw new IllegalStateException(cell.words());
    }
  }

  private void kill(String node) {
    dead = node;
    if (cluster().isRunning(node)) {
      cluster().kill(node);
      hit = true;
    }
  }

  /** What an operator does before the next command: nodes that died run again, disks have room. */
  private void mend() throws IOException, InterruptedException {
    makeRoom();
    if (dead.isEmpty()) {
      return;
    }
    LocalCassandra cluster = cluster();
    // One that dies in the last step is in no plan's hands.
    boolean isOver =
        RackShifter.unfinished(means().path()).isEmpty() && setting().equals(OffSetting.ALL_ON);
    boolean mayBeOff = RACK.contains(dead) && !cluster.isRunning(dead) && !isOver;
    if (!mayBeOff && !cluster.isRunning(dead)) {
      cluster.launch(dead);
    }
    // Those of the rack are the plan's own affair, and resuming it switches them on again.
    for (int i = 0; i < 120 && !mayBeOff && !cluster.isUp(dead); i++) {
      TimeUnit.SECONDS.sleep(1);
    }
    dead = "";
  }

  private Path hints() {
    return state.resolve("n1").resolve("hints");
  }

  private void fillHints() throws IOException, InterruptedException {
    full =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", hints().toString())
                .start()
                .waitFor()
            == 0;
    if (full) {
      try (OutputStream out = Files.newOutputStream(hints().resolve("ballast"))) {
        byte[] page = new byte[4096];
        for (int i = 0; i < 1000; i++) {
          out.write(page);
        }
      } catch (IOException e) {
        // That is what it is for.
      }
      TimeUnit.SECONDS.sleep(15); // until hints are to be flushed
    }
  }

  private void makeRoom() throws IOException, InterruptedException {
    if (full) {
      var unused = new ProcessBuilder("umount", "-l", hints().toString()).start().waitFor();
      full = false;
    }
  }

  private String trouble() throws InterruptedException {
    String last = "";
    for (int i = 0; i < 30; i++) {
      RackStatus status = RackStatus.of(means());
      if (!status.setting().equals(OffSetting.ALL_ON)) {
        return "a rack is off";
      }
      if (status.isWell()) {
        return "";
      }
      RackStatus.Problem first = status.findings().get(0);
      last = first.where() + ": " + first.problem();
      TimeUnit.SECONDS.sleep(2);
    }
    return last;
  }

  private Process client() throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of(RackClient.class.getName(), Long.toString(seed)));
    cluster().nodes().forEach(node -> arguments.add(node.address() + ":" + node.cqlPort()));
    return java(arguments.toArray(String[]::new))
        .redirectError(state.resolve("client.err").toFile())
        .start();
  }

  private static ProcessBuilder java(String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dcalando.engines=" + System.getProperty("calando.engines", ""),
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  /** What the tool said. */
  Path told() {
    return state.resolve("trial-" + seed + ".log");
  }
}
