package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Observed;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.buffer.FreshBufferPolicy;
import org.calando.core.policy.buffer.FreshLimits;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.policy.clock.ClockLimits;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.clock.SlackLimits;
import org.calando.core.policy.clock.SlackPolicy;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The decisions of controllers of all knobs in one file, read back and decided again. */
class DecisionReplayTest {
  private static final long SEED = Long.getLong("calando.seed", 20121001L);
  private static final long SECOND = 1_000_000_000L;
  private static final int ROUNDS = 60;
  private static final int TAMPERED = 60;

  private static final GearModel GEARS =
      new GearModel(
          List.of(1, 2, 3),
          Collections.nCopies(
              3, new NodeProfile("n", 0, 10, 40, 4, 1, PowerCurve.linear(), 0, 0, "test")),
          List.of(100.0, 200.0, 300.0),
          5,
          CatchUpModel.none(3));

  private static final Map<String, Controller<?>> CONTROLLERS =
      Map.of(
          "read-level", new PbsPolicy(AdaptiveConfig.of(0.05)),
          "gear", new LoadGearPolicy(GEARS, GearLimits.defaults().withResidency(5 * SECOND)),
          "clock", new SlackPolicy(ClockLimits.defaults(), SlackLimits.defaults()),
          "write-buffer",
              new FreshBufferPolicy(
                  new FreshPromise(100_000_000L, FreshPromise.ANY), FreshLimits.DEFAULT));

  @TempDir Path folder;

  private final Random random = new Random(SEED);

  private Map<String, List<Observed>> observed() {
    List<Observed> gears = new ArrayList<>();
    List<Observed> clocks = new ArrayList<>();
    List<Observed> buffers = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      gears.add(gear(i * SECOND));
      clocks.add(clock(i * SECOND));
      buffers.add(buffer(i * SECOND));
    }
    List<Observed> reads = new ArrayList<>(WildObservations.of(SEED, ROUNDS));
    return Map.of("read-level", reads, "gear", gears, "clock", clocks, "write-buffer", buffers);
  }

  private GearObservation gear(long now) {
    Optional<GearObservation.Load> load =
        random.nextInt(8) == 0
            ? Optional.empty()
            : Optional.of(new GearObservation.Load(now, random.nextDouble(250), 1e6 / 3));
    return new GearObservation(now, now / SECOND, "c", 1 + random.nextInt(3), 0, load);
  }

  private ClockObservation clock(long now) {
    List<ClockObservation.Node> nodes = new ArrayList<>();
    for (int node = 1; node <= 2; node++) {
      Role role = node == 1 ? Role.MASTER : Role.REPLICA;
      NodeRole word = new NodeRole("n" + node, node, "i", role, "", true, 1, 1, now);
      OptionalLong lag = random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(1000);
      NodeView view = new NodeView(word, node == 1, false, true, lag, lag);
      Optional<ClockObservation.Work> work =
          Optional.of(
              new ClockObservation.Work(now, 2_000_000, random.nextDouble(), 1e3, 1e5, 10, 1e4));
      nodes.add(new ClockObservation.Node(view, List.of(2_000_000L, 1_000_000L), work));
    }
    return new ClockObservation(now, nodes);
  }

  private BufferObservation buffer(long now) {
    return new BufferObservation(
        now,
        "t",
        Optional.of(new BufferObservation.Writes(now, random.nextDouble(5000), 1000)),
        Optional.of(new BufferObservation.Requests(now, 3, 4e6 * random.nextDouble(), 1e6)),
        Optional.of(new BufferObservation.Tail(now, 400, 8e6, 2e6)),
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(new BufferObservation.Freshness(now, 100, Double.NaN)),
        17);
  }

  private Path written() {
    Path file = folder.resolve("decisions.csv");
    Map<String, List<Observed>> observed = observed();
    try (DecisionLog log = DecisionLog.open(file)) {
      Map<String, PolicyLoop<?>> loops =
          CONTROLLERS.entrySet().stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey,
                      each -> loop(each.getValue(), observed.get(each.getKey()))));
      for (int i = 0; i < ROUNDS; i++) {
        for (String knob : loops.keySet()) {
          log.decided(loops.get(knob).decide(observed.get(knob).get(i)), "");
        }
      }
    }
    return file;
  }

  private static PolicyLoop<?> loop(Controller<?> controller, List<Observed> observed) {
    return new PolicyLoop<>(controller, observed.get(0).signals().target());
  }

  private static List<String> differences(Path file) {
    return DecisionFile.read(file).parts().stream()
        .flatMap(part -> differences(part).stream())
        .toList();
  }

  private static List<String> differences(DecisionFile part) {
    Controller<?> controller = CONTROLLERS.get(part.rows().get(0).knobs());
    return controller == null ? List.of("no knob") : part.differences(controller);
  }

  @Test
  void decisionsOfAllKnobsInOneFileAreDecidedAlikeAgain() {
    Path file = written();
    List<DecisionFile> parts = DecisionFile.read(file).parts();
    assertThat(parts)
        .extracting(part -> part.rows().get(0).knobs())
        .containsExactlyInAnyOrderElementsOf(CONTROLLERS.keySet());
    assertThat(parts).allMatch(part -> part.rows().size() == ROUNDS);
    assertThat(differences(file)).as("seed %d", SEED).isEmpty();
    assertThat(DecisionFile.read(file).rows())
        .as("seed %d: decisions that change nothing show little", SEED)
        .anyMatch(row -> row.cell("settings").equals("gear c=1"))
        .anyMatch(row -> row.cell("settings").equals("gear c=3"));
  }

  @Test
  void anyDigitThatWasChangedIsFoundInItsRow() throws IOException {
    Path file = written();
    byte[] bytes = Files.readAllBytes(file);
    List<Integer> digits = new ArrayList<>();
    int header = new String(bytes, StandardCharsets.UTF_8).indexOf('\n') + 1;
    for (int at = header; at < bytes.length; at++) {
      if (bytes[at] >= '0' && bytes[at] <= '9') {
        digits.add(at);
      }
    }
    for (int i = 0; i < TAMPERED; i++) {
      int at = digits.get(random.nextInt(digits.size()));
      byte[] changed = bytes.clone();
      changed[at] = (byte) (bytes[at] == '9' ? '0' : bytes[at] + 1);
      Files.write(file, changed);
      long line =
          1
              + new String(bytes, 0, at, StandardCharsets.UTF_8)
                  .chars()
                  .filter(c -> c == '\n')
                  .count();
      assertThat(told(file)).as("byte %d, seed %d", at, SEED).contains("line " + line + ":");
    }
  }

  private static String told(Path file) {
    try {
      return String.join("\n", differences(file));
    } catch (FailedWorkException e) {
      return e.getMessage()
          .replace("decisions.csv, line ", "line ")
          .replaceAll("(line \\d+)", "$1:");
    }
  }

  @Test
  void aSignalOrAsettingThatWasChangedWithItsChecksumIsFoundToo() throws IOException {
    Path file = written();
    List<String> lines = Files.readAllLines(file);
    for (String knob : List.of("gear", "write-buffer", "clock")) {
      int at = changing(lines, knob);
      for (Change change : Objects.requireNonNull(CHANGES.get(knob))) {
        List<String> forged = new ArrayList<>(lines);
        String row = lines.get(at).replaceAll(change.pattern(), change.by());
        assertThat(row).as(knob).isNotEqualTo(lines.get(at));
        forged.set(at, signed(row));
        Files.write(file, forged);
        assertThat(differences(file))
            .as("%s, %s", knob, change.by())
            .anyMatch(what -> what.startsWith("line " + (at + 1) + ": "));
      }
    }
  }

  /** Of a row: what a pattern finds is replaced. */
  private record Change(String pattern, String by) {}

  private static final Map<String, List<Change>> CHANGES =
      Map.of(
          "gear",
          List.of(
              new Change("(gear c=)\\d", "$19"),
              new Change("(\"\"perSecond\"\":)[\\d.]+", "$1290")),
          "write-buffer",
          List.of(new Change("(\"\"perSecond\"\":)[\\d.]+", "$11.5")),
          "clock",
          List.of(new Change("clock n1=2000000", "clock n1=1000000")));

  /** A row whose settings follow from its signals alone: one in the midst, with a load. */
  private static int changing(List<String> lines, String knob) {
    for (int i = lines.size() / 2; i < lines.size(); i++) {
      if (lines.get(i).contains("," + knob + ",")
          && (knob.equals("clock") || lines.get(i).contains("perSecond"))) {
        return i;
      }
    }
    throw new AssertionError("no row of " + knob);
  }

  private static String signed(String row) {
    List<String> cells = new ArrayList<>(new CsvText(row + "\n").next().orElseThrow());
    cells.remove(cells.size() - 1);
    cells.add(DecisionFile.checksum(cells));
    return CsvText.line(cells).stripTrailing();
  }
}
