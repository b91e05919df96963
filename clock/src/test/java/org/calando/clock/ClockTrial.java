package org.calando.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.calando.clock.FakeTree.Kind;
import org.calando.clock.Restorer.Mode;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.CpuSet;

/** One machine, and leases of it by commands of two state folders, as a seed has it. */
final class ClockTrial {
  /** How a lease ended. */
  enum Ending {
    REFUSED,
    CLOSED,
    KILLED
  }

  private static final long STEP = 100_000;
  private static final Map<String, CpuSet> NODES = Map.of("m", CpuSet.of(0), "r", CpuSet.of(3));

  final List<Ending> endings = new ArrayList<>();
  int damages;

  private final Random random;
  private final FakeMachine fake;
  private final FakeKernel kernel;
  private final List<LeaseFolders> states;
  private final List<String> steps = new ArrayList<>();
  private final boolean turboOff;
  private final Map<String, String> original;
  private boolean damaged;

  ClockTrial(Path folder, long seed) {
    random = new Random(seed);
    steps.add("seed " + seed);
    fake = new FakeMachine(folder, new FakeTree(folder.resolve(FakeMachine.CPUS)));
    kernel = fake.kernel;
    states = List.of(fake.folders, fake.elsewhere("other"));
    kernel.refusesCrossing = random.nextBoolean();
    layOut();
    turboOff = chance(0.1);
    configure();
    original = kernel.asked(fake.tree);
    steps.add(original.toString());
  }

  /** Processors 0 to 3: each alone, in pairs of a policy or a core, or of two sizes. */
  private void layOut() {
    Kind kind = List.of(Kind.values()).get(random.nextInt(Kind.values().length));
    FakeTree tree = fake.tree;
    int layout = random.nextInt(4);
    steps.add(kind + " layout " + layout);
    if (layout == 0) {
      tree.policy(0, kind, "0 1").policy(2, kind, "2 3");
    } else {
      for (int cpu = 0; cpu < 4; cpu++) {
        tree.policy(cpu, kind, "" + cpu);
      }
    }
    for (int cpu = 0; cpu < 4; cpu++) {
      tree.core(cpu, layout > 1 && cpu < 2 ? "0-1" : "" + cpu);
      if (layout == 3 && !kind.listed) {
        tree.range(cpu, cpu < 2 ? 800_000 : 600_000, cpu < 2 ? 5_200_000 : 3_900_000);
      }
    }
  }

  /** What an administrator has set before. */
  private void configure() {
    for (int policy : policies()) {
      long lowest = number(policy, "cpuinfo_min_freq");
      long highest = number(policy, "cpuinfo_max_freq");
      long min = lowest + STEP * random.nextInt(4);
      // behind switched-off turbo a limit above it cannot be told from none
      long max = chance(0.5) || turboOff ? highest : min + STEP * (1 + random.nextInt(6));
      fake.tree.put(policy, "scaling_min_freq", "" + min);
      fake.tree.put(policy, "scaling_max_freq", "" + max);
      String governors = fake.tree.get(policy, "scaling_available_governors");
      if (governors.contains("userspace") && chance(0.3)) {
        fake.tree.put(policy, "scaling_governor", "userspace");
        fake.tree.put(policy, "scaling_setspeed", "" + (min + STEP));
      }
      if (turboOff) {
        kernel.ceiling.put("policy" + policy, min + 3 * STEP);
      }
    }
  }

  void run() throws IOException {
    for (int lease = 0; lease < 3; lease++) {
      lease();
      afterwards();
      if (chance(0.7)) {
        restore();
      }
    }
    restore();
  }

  private void lease() {
    fake.proc.process(pid(), ProcFs.machine().startTicks(pid()).orElseThrow());
    if (chance(0.5) && !turboOff) {
      kernel.killAfter = kernel.writes.size() + random.nextInt(25);
    }
    kernel.beforeWrite = () -> happens(0.03);
    happens(0.2);
    MachineLease lease = fake.begin(states.get(random.nextInt(2)));
    Ending ending = Ending.KILLED;
    try {
      ending = hold(lease);
    } catch (FakeKernel.Killed killed) {
      steps.add("killed");
    } finally {
      kernel.beforeWrite = () -> {};
      kernel.killAfter = Integer.MAX_VALUE;
      lease.abandon();
      fake.proc.end(pid());
    }
    endings.add(ending);
  }

  private Ending hold(MachineLease lease) {
    LeasedClocks clocks;
    try {
      clocks = lease.clocks(NODES);
    } catch (CalandoException e) {
      steps.add("refused: " + e.getMessage());
      close(lease);
      return Ending.REFUSED;
    }
    for (int i = random.nextInt(6); i > 0; i--) {
      happens(0.2);
      clocks.set(random.nextBoolean() ? "m" : "r", STEP * (6 + random.nextInt(40)));
      clocks.verify();
    }
    if (chance(0.05) && kernel.killAfter == Integer.MAX_VALUE) {
      contend();
    }
    if (chance(0.5)) {
      steps.add("abandoned");
      return Ending.KILLED;
    }
    close(lease);
    return Ending.CLOSED;
  }

  private void contend() {
    try (MachineLease second = fake.begin(states.get(random.nextInt(2)))) {
      assertThatThrownBy(() -> second.clocks(NODES))
          .as(steps.toString())
          .isInstanceOf(BadRequestException.class);
    }
  }

  private void close(MachineLease lease) {
    try {
      lease.close();
      steps.add("closed");
    } catch (CalandoException e) {
      steps.add("not closed: " + e.getMessage());
    }
  }

  /** Heat, firmware, processors that come and go, a busy kernel. */
  private void happens(double chance) {
    if (!chance(chance) || turboOff) {
      return;
    }
    int policy = policies().get(random.nextInt(policies().size()));
    String name = "policy" + policy;
    switch (random.nextInt(5)) {
      case 0 -> kernel.busy = random.nextInt(5);
      case 1 -> {
        steps.add("offline " + name);
        kernel.offline.add(name);
      }
      case 2 -> {
        steps.add("online");
        kernel.offline.clear();
      }
      case 3 -> lift();
      default -> cap(policy, name);
    }
  }

  private void cap(int policy, String name) {
    long cap = number(policy, "cpuinfo_min_freq") + STEP * random.nextInt(12);
    steps.add("cap " + cap + " of " + name);
    kernel.ceiling.put(name, cap);
    if (random.nextBoolean()) {
      fake.tree.cooling(1);
    } else {
      fake.tree.put(policy, "bios_limit", "" + cap);
    }
  }

  private void lift() {
    steps.add("no cap");
    kernel.ceiling.clear();
    fake.tree.cooling(0);
    for (int policy : policies()) {
      fake.tree.put(policy, "bios_limit", fake.tree.get(policy, "cpuinfo_max_freq"));
    }
  }

  /** What befalls files and the machine between a lease and the next. */
  private void afterwards() throws IOException {
    for (LeaseFolders state : states) {
      for (Path journal : state.all()) {
        if (chance(0.2)) {
          damages++;
          damage(random.nextInt(3) > 0 ? journal : LastWritten.beside(journal));
        }
      }
    }
    if (chance(0.05)) {
      steps.add("restarted");
      fake.proc.boot("start " + steps.size());
      kernel.offline.clear();
      kernel.forget();
      original.forEach(this::putBack);
      assertThat(kernel.asked(fake.tree)).as(steps.toString()).isEqualTo(original);
    }
  }

  private void damage(Path file) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    byte[] bytes = Files.readAllBytes(file);
    int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
    switch (random.nextInt(4)) {
      case 0 -> {
        steps.add("flipped byte " + at + " of " + file);
        damaged = true;
        if (bytes.length > 0) {
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
        Files.write(file, bytes);
      }
      case 1 -> {
        steps.add("cut " + file + " at " + at);
        damaged = true;
        Files.write(file, java.util.Arrays.copyOf(bytes, at));
      }
      case 2 -> {
        steps.add("overwrote " + file);
        damaged = true;
        Files.write(file, "\0\0\0\n".getBytes(StandardCharsets.US_ASCII));
      }
      default -> {
        steps.add("removed " + file);
        Files.delete(file);
      }
    }
  }

  /** The settings after a start of the machine are those before. */
  private void putBack(String policy, String asked) {
    String[] words = asked.split(" ", -1);
    int number = Integer.parseInt(policy.substring("policy".length()));
    fake.tree.put(number, "scaling_min_freq", words[0]);
    fake.tree.put(number, "scaling_max_freq", words[2]);
    fake.tree.put(number, "scaling_governor", words[3]);
    fake.tree.put(number, "scaling_setspeed", words.length > 4 ? words[5] : "<unsupported>");
  }

  private void restore() throws IOException {
    LeaseFolders state = states.get(random.nextInt(2));
    if (chance(0.3)) {
      kernel.killAfter = kernel.writes.size() + random.nextInt(6);
      try {
        restore(state, Mode.RESTORE);
      } catch (FakeKernel.Killed killed) {
        steps.add("killed while restoring");
      }
      kernel.killAfter = Integer.MAX_VALUE;
    }
    if (!kernel.offline.isEmpty()) {
      restore(state, Mode.RESTORE);
      kernel.offline.clear();
    }
    RestoreReport report = restore(state, Mode.RESTORE);
    assertThat(report.ok() || damaged).as("%s: %s", steps, report.lines()).isTrue();
    if (damaged) {
      states.forEach(each -> restore(each, Mode.FORCE));
      assertThat(kernel.asked(fake.tree)).as(steps.toString()).isEqualTo(original);
      states.forEach(each -> restore(each, Mode.GIVE_UP));
    }
    assertThat(kernel.asked(fake.tree)).as(steps.toString()).isEqualTo(original);
    // what is void since the machine restarted is told to its own state folder only
    states.forEach(each -> restore(each, Mode.RESTORE));
    for (LeaseFolders each : states) {
      assertThat(restore(each, Mode.RESTORE).lines())
          .as(steps.toString())
          .containsExactly("nothing to restore");
      assertThat(each.all()).as(steps.toString()).isEmpty();
    }
    damaged = false;
  }

  private RestoreReport restore(LeaseFolders state, Mode mode) {
    RestoreReport report = new Restorer(fake.machine(), state, mode, false).restoreAll();
    steps.add(mode + " " + report.lines());
    return report;
  }

  private List<Integer> policies() {
    try {
      return fake.tree.policies().stream()
          .map(path -> Integer.valueOf(path.getFileName().toString().substring("policy".length())))
          .toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private long number(int policy, String attribute) {
    return Long.parseLong(fake.tree.get(policy, attribute));
  }

  private boolean chance(double chance) {
    return random.nextDouble() < chance;
  }

  private static int pid() {
    return (int) ProcessHandle.current().pid();
  }
}
