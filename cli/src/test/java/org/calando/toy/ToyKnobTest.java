package org.calando.toy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.calando.clock.KnobLease;
import org.calando.clock.LeaseFolders;
import org.calando.clock.Machine;
import org.calando.clock.Restorer;
import org.calando.control.order.KnobOrders;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.engine.Finding;
import org.calando.governor.KnobGovernor;
import org.calando.governor.ServiceDoctor;
import org.calando.knob.KnobAxis;
import org.calando.knob.KnobTypes;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.calando.sim.kernel.SimScheduler;
import org.calando.sim.kernel.Simulation;
import org.calando.study.DecisionReplay;
import org.calando.study.KnobHolder;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.calando.study.StudyDoctor;
import org.calando.study.StudyRunner;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A knob that is one class and one line: nothing else of the project knows it. */
@Timeout(120)
class ToyKnobTest {
  private static final String STUDY =
      """
      study: dials
      store: {engine: sim, sim: {nodes: 3, rf: 3}}
      workload: {preset: heavy-update, records: 100}
      matrix: {%s, threads: [2], duration: 8s}
      repeats: 1
      """;

  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;
  private Path dial;

  @BeforeEach
  void aDialAtOne() throws IOException {
    dial = folder.resolve("dial");
    Files.writeString(dial, "1\n");
    System.setProperty(ToyDial.FILE, dial.toString());
  }

  @AfterEach
  void noDial() {
    System.clearProperty(ToyDial.FILE);
  }

  private StudySpec study(String matrix) {
    return StudyFile.parse(STUDY.formatted(matrix), "study.yaml", folder, List.of());
  }

  private LeaseFolders folders() {
    return LeaseFolders.in(folder.resolve("state"));
  }

  private Path run(StudySpec study) throws InterruptedException {
    Path out = folder.resolve("out");
    StudyRunner.Request request =
        new StudyRunner.Request(
            study,
            study.canonicalText(),
            folder,
            out,
            false,
            false,
            "./calando study dials.yaml",
            OptionalInt.empty(),
            Optional.of(folders()));
    assertThat(new StudyRunner(request, Progress.silent(), new StopSignal()).run().failed())
        .isEmpty();
    return out;
  }

  @Test
  void aStudyComparesValuesAndPoliciesAndLeavesTheKnobAsItWas() throws Exception {
    Path out = run(study("consistency: [ONE], dial: [7, {climb: {most: 5}}]"));
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
    List<RunRow> rows = RunRows.read(out);
    assertThat(rows)
        .extracting(row -> row.text("knob_dial"))
        .containsExactlyInAnyOrder("7", "climb to 5");
    assertThat(rows)
        .filteredOn(row -> row.text("knob_dial").equals("climb to 5"))
        .allMatch(row -> row.number("dial_highest") == 5);
    assertThat(rows).extracting(RunRow::id).contains("dial-7-one-2t-r1");
    assertThat(Files.readString(out.resolve("report.html"))).contains("dial climb to 5");
    assertThat(DecisionReplay.of(out))
        .singleElement()
        .matches(each -> each.knobs().equals("dial") && each.decisions() > 5)
        .matches(each -> each.differences().isEmpty());
    assertThat(
            new Restorer(Machine.real(), folders().ofClusters(), Restorer.Mode.RESTORE, false)
                .restoreAll()
                .items())
        .isEmpty();
  }

  @Test
  void itStandsBesidePoliciesOfOtherKnobs() {
    StudySpec study = study("control: [{beside: [{pbs: {tolerate: 1%}}, {climb: {most: 3}}]}]");
    assertThat(study.canonicalText()).contains("dial:");
    assertThat(StudyFile.parse(study.canonicalText(), "again.yaml", folder, List.of()))
        .isEqualTo(study);
    assertThatThrownBy(() -> study("consistency: [ONE], dial: [10]"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.dial[0]");
  }

  @Test
  void valuesThatResultsWouldCallAlikeAreRefused() {
    String alike = "dial: [{climb: {most: 5}}, {climb: {most: 5, note: 1}}]";
    assertThatThrownBy(() -> study("consistency: [ONE], " + alike))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is called climb to 5 in results, as is another");
  }

  @Test
  void aStoreOfFilesRefusesIt() {
    String files =
        """
        study: files
        store: {engine: hdfs, local: {gears: [2, 4]}}
        workload: {files: {number: 4, size: 1MB}, duration: 5s}
        matrix: {dial: [7], rate: [10/s]}
        """;
    assertThatThrownBy(() -> StudyFile.parse(files, "files.yaml", folder, List.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.dial: is not supported by HDFS, which stores files");
  }

  @Test
  void doctorSaysWhatTheKnobIsSetToOrWhatItNeeds() {
    StudySpec study = study("consistency: [ONE], dial: [7]");
    assertThat(findings(study)).anyMatch(found -> found.ok() && found.text().contains("is 1"));
    System.clearProperty(ToyDial.FILE);
    assertThat(findings(study))
        .anyMatch(found -> !found.ok() && found.text().contains("needs a file in the system"));
    assertThatThrownBy(() -> run(study)).isInstanceOf(BadRequestException.class);
  }

  private List<Finding> findings(StudySpec study) {
    return new StudyDoctor(study, folder)
        .examine().stream().filter(found -> found.subject().equals("knob dial")).toList();
  }

  /** A cluster that is not there, and that keeps no claim of its governor. */
  private Path govern(String control) throws IOException {
    Path file = folder.resolve("govern.yaml");
    return Files.writeString(
        file,
        "clusters: [{name: shop, engine: redis, inventory: {nodes: [{name: n1, address:"
            + " 127.0.0.9}]}, period: 100ms, control: ["
            + control
            + "]}]\n");
  }

  private ServiceSpec.Cluster cluster(String control) throws IOException {
    return StudyFile.readService(govern(control), List.of(), folder::resolve).clusters().get(0);
  }

  @Test
  void aGovernorsDryRunSaysWhatItWouldSetAndSetsNothing() throws Exception {
    assertThat(dryRun(cluster("{dial: 4}")))
        .anyMatch(line -> line.equals("dial of " + dial + " is 1; 4 would set 4"))
        .anyMatch(line -> line.contains("turn " + dial + " to 4"));
    ServiceSpec.Cluster climbs = cluster("{climb: {most: 5}}");
    assertThat(dryRun(climbs))
        .anyMatch(line -> line.contains("is 1; climb to 5 would set 2"))
        .anyMatch(line -> line.contains("climb to 5 begins anew"));
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
    assertThat(
            ServiceDoctor.of(new ServiceSpec(List.of(climbs), Optional.empty(), false), folder)
                .examine())
        .allMatch(Finding::ok);
  }

  private List<String> dryRun(ServiceSpec.Cluster spec) {
    List<String> lines = new ArrayList<>();
    KnobGovernor.dryRun(spec, folder, folder.resolve("decisions"), lines::add);
    return lines;
  }

  @Test
  void aDryRunSaysWhatWouldBeRefusedAndWhy() throws Exception {
    ServiceSpec.Cluster spec = cluster("{dial: 4}");
    System.clearProperty(ToyDial.FILE);
    List<String> lines = new ArrayList<>();
    assertThatThrownBy(() -> KnobGovernor.dryRun(spec, folder, folder, lines::add))
        .isInstanceOf(BadRequestException.class);
    assertThat(lines)
        .containsExactly(
            "it would be refused: clusters.shop.control.dial: the knob dial needs a file in the"
                + " system property toy.dial");
  }

  @Test
  void aGovernorHasItsPolicySetTheKnobUntilItEnds() throws Exception {
    ServiceSpec.Cluster spec = cluster("{climb: {most: 3}}");
    CountDownLatch reached = new CountDownLatch(1);
    Path decisions = folder.resolve("decisions");
    try (KnobGovernor governor =
        KnobGovernor.begin(
            spec,
            folder,
            folders(),
            "test",
            Optional.empty(),
            decisions,
            line -> {
              if (line.contains("dial of " + dial + ": 3")) {
                reached.countDown();
              }
            },
            decision -> {},
            KnobOrders.NONE)) {
      assertThat(reached.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(governor.failure()).isEmpty();
      assertThatThrownBy(
              () ->
                  KnobGovernor.begin(
                      spec,
                      folder,
                      folders(),
                      "other",
                      Optional.empty(),
                      folder.resolve("others"),
                      line -> {},
                      decision -> {},
                      KnobOrders.NONE))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is held by another owner");
    }
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
    assertThat(Files.readString(decisions.resolve("decisions.csv"))).contains("climb to 3");
    assertThat(dryRun(spec)).anyMatch(line -> line.startsWith("climb to 3 resumes from its decis"));
  }

  @Test
  void itIsAsBeforeWhereNothingWasDecidedForAWhile() throws Exception {
    ServiceSpec.Cluster spec = cluster("{climb: {most: 9}}");
    Simulation simulation = new Simulation();
    List<String> news = new ArrayList<>();
    long second = 1_000_000_000L;
    ToyDial.LOOKS.set(3);
    try (KnobHolder held =
        KnobHolder.start(
            spec.control(),
            "control",
            new ToyStore(Duration.ZERO),
            new KnobHolder.Means(
                new SimScheduler(simulation),
                second,
                Optional.of(folders()),
                "test",
                Optional.of((decision, inForce) -> {}),
                Optional.empty(),
                news::add))) {
      simulation.runUntil(5 * second);
      assertThat(Files.readString(dial).strip()).isEqualTo("4");
      simulation.runUntil(20 * second);
      assertThat(Files.readString(dial).strip()).isEqualTo("1");
      assertThat(news).anyMatch(line -> line.contains("is as before: "));
      assertThat(held.astray()).singleElement().asString().contains(dial + " is as before: ");
      assertThat(held.failure()).isEmpty();
    } finally {
      ToyDial.LOOKS.set(Integer.MAX_VALUE);
    }
  }

  /** Orders that a test gives, and what is told of the dial. */
  private static final class Given implements KnobOrders {
    private final List<String> inForce = new ArrayList<>();
    private Order order = Order.NONE;
    private Runnable changed = () -> {};

    void give(Optional<String> paused, Optional<String> held) {
      order = new Order(paused, held, false);
      changed.run();
    }

    @Override
    public Order of(String knob) {
      return order;
    }

    @Override
    public void inForce(
        String knob, String target, Optional<String> value, Optional<String> problem) {
      inForce.add(value.orElse("as before") + problem.map(" "::concat).orElse(""));
    }

    @Override
    public Hearing onChange(Runnable whenChanged) {
      changed = whenChanged;
      return () -> changed = () -> {};
    }
  }

  private KnobHolder ordered(String control, Simulation simulation, Given given)
      throws InterruptedException, IOException {
    return KnobHolder.start(
        cluster(control).control(),
        "control",
        new ToyStore(Duration.ZERO),
        new KnobHolder.Means(
            new SimScheduler(simulation),
            SECOND,
            Optional.of(folders()),
            "test",
            Optional.of((decision, inForce) -> {}),
            Optional.empty(),
            line -> {},
            Optional.empty(),
            given));
  }

  private String dial() throws IOException {
    return Files.readString(dial).strip();
  }

  @Test
  void whatAnOperatorOrdersGoesBeforeWhatAPolicyDecides() throws Exception {
    Simulation simulation = new Simulation();
    Given given = new Given();
    try (KnobHolder held = ordered("{climb: {most: 9}}", simulation, given)) {
      simulation.runUntil(2 * SECOND);
      given.give(Optional.of("paused by ann"), Optional.empty());
      String before = dial();
      simulation.runUntil(10 * SECOND);
      assertThat(dial()).as("paused").isEqualTo(before);
      Files.writeString(dial, "2\n");
      simulation.runUntil(40 * SECOND);
      assertThat(dial()).as("what is set by hand stays").isEqualTo("2");
      given.give(Optional.of("paused by ann"), Optional.of("5"));
      simulation.runUntil(41 * SECOND);
      assertThat(dial()).as("a hold goes before a pause").isEqualTo("5");
      assertThat(given.inForce).last().isEqualTo("5");
      simulation.runUntil(60 * SECOND);
      assertThat(dial()).isEqualTo("5");
      given.give(Optional.empty(), Optional.empty());
      simulation.runUntil(62 * SECOND);
      assertThat(dial()).as("as is decided again").isNotEqualTo("5");
      assertThat(held.failure()).isEmpty();
    }
    assertThat(dial()).as("restored, whatever was ordered").isEqualTo("1");
  }

  @Test
  void whatIsHeldStaysThoughNothingIsDecidedAndGoesBackWithTheOrder() throws Exception {
    Simulation simulation = new Simulation();
    Given given = new Given();
    ToyDial.LOOKS.set(2);
    try (KnobHolder held = ordered("{climb: {most: 9}}", simulation, given)) {
      given.give(Optional.empty(), Optional.of("6"));
      simulation.runUntil(60 * SECOND);
      assertThat(dial()).isEqualTo("6");
      given.give(Optional.empty(), Optional.empty());
      simulation.runUntil(61 * SECOND);
      assertThat(dial()).as("nothing is decided of late").isEqualTo("1");
      assertThat(held.failure()).isEmpty();
    } finally {
      ToyDial.LOOKS.set(Integer.MAX_VALUE);
    }
  }

  @Test
  void aValueOfTheFileIsSetAgainAfterAnOrder() throws Exception {
    Simulation simulation = new Simulation();
    Given given = new Given();
    given.order = new KnobOrders.Order(Optional.of("paused by ann"), Optional.empty(), false);
    try (KnobHolder held = ordered("{dial: 7}", simulation, given)) {
      assertThat(dial()).as("paused before it began").isEqualTo("1");
      given.give(Optional.empty(), Optional.of("3"));
      simulation.runUntil(SECOND);
      assertThat(dial()).isEqualTo("3");
      given.give(Optional.empty(), Optional.empty());
      simulation.runUntil(2 * SECOND);
      assertThat(dial()).isEqualTo("7");
      Files.delete(dial);
      Files.createDirectory(dial);
      given.give(Optional.empty(), Optional.of("4"));
      simulation.runUntil(3 * SECOND);
      assertThat(held.astray()).anyMatch(line -> line.contains("is not as ordered"));
      assertThat(given.inForce).last().asString().startsWith("7 ");
      Files.delete(dial);
      Files.writeString(dial, "7\n");
      simulation.runUntil(6 * SECOND);
      assertThat(dial()).as("it is tried again each period").isEqualTo("4");
      simulation.runUntil(30 * SECOND);
      assertThat(held.astray()).isEmpty();
    }
  }

  @Test
  void whatOthersChangeIsReportedAndSetAgain() throws Exception {
    ServiceSpec.Cluster spec = cluster("{dial: 7}");
    Simulation simulation = new Simulation();
    List<String> news = new ArrayList<>();
    long second = 1_000_000_000L;
    try (KnobHolder held =
        KnobHolder.start(
            spec.control(),
            "control",
            new ToyStore(Duration.ZERO),
            new KnobHolder.Means(
                new SimScheduler(simulation),
                second,
                Optional.of(folders()),
                "test",
                Optional.empty(),
                Optional.empty(),
                news::add))) {
      simulation.runUntil(60 * second);
      assertThat(news).isEmpty();
      Files.writeString(dial, "3\n");
      simulation.runUntil(120 * second);
      assertThat(Files.readString(dial).strip()).isEqualTo("7");
      String line = "turn " + dial + " to 7: was changed by others, and is done again";
      assertThat(news).containsExactly(line);
      Files.delete(dial);
      simulation.runUntil(180 * second);
      assertThat(news).as("once, though it is looked at again and again").hasSize(2);
      assertThat(news.get(1)).contains("knob dial of " + dial, "NoSuchFile");
      Files.writeString(dial, "7\n");
      simulation.runUntil(240 * second);
      assertThat(held.drifts()).isEqualTo(news).hasSize(2);
    }
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
  }

  @Test
  void whatIsNotGovernedForClustersIsRefused() {
    assertThatThrownBy(() -> cluster("{harmony: {tolerate: 5%}}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("sets consistency, which is not governed for clusters yet");
    assertThatThrownBy(() -> cluster("{dial: 4}, {dial: 5}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("sets dial, as control[0] does");
  }

  @Test
  void aKilledOwnersGuardRestoresIt() throws Exception {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-D" + ToyDial.FILE + "=" + dial,
                "-cp",
                System.getProperty("java.class.path"),
                Killed.class.getName(),
                folder.resolve("state").toString())
            .redirectErrorStream(true)
            .start();
    try (var lines = owner.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("set");
      assertThat(Files.readString(dial).strip()).isEqualTo("9");
      owner.destroyForcibly();
      owner.waitFor();
    }
    // Waits for the guard, and restores itself if that is slow.
    new Restorer(Machine.real(), folders().ofClusters(), Restorer.Mode.RESTORE, false).restoreAll();
    assertThat(Files.readString(dial).strip()).isEqualTo("1");
  }

  /** Has the dial until it is killed. */
  static final class Killed {
    private Killed() {}

    public static void main(String[] args) throws InterruptedException {
      begin(KnobTypes.find("dial").orElseThrow(), LeaseFolders.in(Path.of(args[0])));
      System.out.println("set");
      new CountDownLatch(1).await(1, TimeUnit.MINUTES);
    }

    private static <V> void begin(KnobAxis<V> type, LeaseFolders folders)
        throws InterruptedException {
      KnobLease lease = KnobLease.begin(folders, "test", line -> {});
      Knob<V> knob = type.type().reach(System.getProperty(ToyDial.FILE));
      lease.own(knob);
      lease.set(type, knob, knob.current(), type.parse("9"));
    }
  }
}
