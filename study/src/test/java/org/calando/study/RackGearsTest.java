package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearShift;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.store.KeyValueStore;
import org.calando.engine.ClusterControl;
import org.calando.engine.GearControl;
import org.calando.engine.GearedNodes;
import org.calando.engine.LoadBounds;
import org.calando.engine.NodeGears;
import org.calando.engine.Target;
import org.calando.knob.RunShifts;
import org.calando.report.column.GearFigures;
import org.calando.report.column.RunRecord;
import org.calando.study.event.ClusterWatch;
import org.calando.studyfile.StudySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gears of racks of a Cassandra in a study: its plan, what is refused, and the course of a run. */
class RackGearsTest {
  private static final String STUDY =
      """
      study: racks
      store: {engine: cassandra, local: {nodes: 6, racks: 3, rf: 3}, gears: {capacity: 50/s}}
      workload: {preset: ycsb-a, records: 100, warm-up: 1s}
      matrix: {consistency: [QUORUM], gear: [1, 2], rate: [100/s], duration: 4s}
      repeats: 1
      """;

  private static final Duration LONG = Duration.ofSeconds(30);

  /** One controller of levels and the gear. */
  private static final String JOINT =
      STUDY.replace("consistency: [QUORUM], gear: [1, 2]", "control: [{joint: {}}]")
          + "promise: {stale: 1%, read-p99: 100ms, copies: 2}\n";

  private static final String NODES =
      "inventory: {datacenter: dc1, nodes: [{name: n1, address: a, port: 1, rack: r1},"
          + " {name: n2, address: b, port: 1, rack: r2},"
          + " {name: n3, address: c, port: 1, rack: r3}]}, rf: 3";

  /** A cluster that outlives its study. */
  private static final String OWN = STUDY.replace("local: {nodes: 6, racks: 3, rf: 3}", NODES);

  @TempDir Path folder;

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  private TestStudy study(String yaml) {
    return TestStudy.of(folder, yaml);
  }

  private void assertRefused(String yaml, String message) {
    assertThatThrownBy(() -> study(yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  @Test
  void eachGearIsARunAndItsModelHasTheNodesOfTheRacksThatAreOn() {
    StudySpec spec = study(STUDY).spec();
    assertThat(RunPlan.of(spec)).extracting(run -> run.gear().orElseThrow().gear()).contains(1, 2);
    GearModel model = gears(STUDY);
    assertThat(model.highest()).isEqualTo(2);
    assertThat(model.nodesOn(1)).isEqualTo(4);
    assertThat(model.capacity(1)).isEqualTo(200);
    GearModel five = gears(STUDY.replace("nodes: 6, racks: 3, rf: 3", "nodes: 5, racks: 5, rf: 5"));
    assertThat(five.highest()).isEqualTo(3);
    assertThat(five.nodesOn(1)).isEqualTo(3);
  }

  private GearModel gears(String yaml) {
    StudySpec spec = study(yaml).spec();
    return GearedNodes.model(spec.store(), spec.power().profile(), Optional.empty()).orElseThrow();
  }

  @Test
  void whatNoGearCanKeepIsRefused() {
    assertRefused(STUDY.replace("rf: 3", "rf: 1"), "rf 1 spares no copy at QUORUM");
    assertRefused(STUDY.replace("racks: 3", "racks: 1"), "there are 1 racks and rf 3");
    assertRefused(STUDY.replace("[QUORUM]", "[ALL]"), "gear 1 has 2 of the 3 replicas that ALL");
    assertRefused(STUDY.replace("[1, 2]", "[3]"), "there is no gear 3");
    assertRefused(
        STUDY.replace("[1, 2]", "[{load: {}}]").replace(", gears: {capacity: 50/s}", ""),
        "the capacity of a node is not known");
    assertRefused(
        STUDY.replace("[1, 2]", "[{load: {}}]").replace("rate: [100/s]", "threads: [2]"),
        "a closed loop asks for no more");
    assertRefused(
        STUDY.replace("repeats", "staleness: dual-read\nrepeats"), "a second read at ALL");
    assertRefused(OWN.replace(", rack: r3", ""), "needs the racks");
    assertThat(study(OWN).spec().runs()).isEqualTo(2);
  }

  @Test
  void aFixedGearIsShiftedToAndBack() throws Exception {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(new StopSignal()), box);
    gear.begin();
    assertThat(box.gear).isEqualTo(1);
    RunRecord found = new RunRecord();
    gear.restore(found);
    gear.close();
    assertThat(box.did).containsExactly("shift 1", "shift 2");
    GearFigures figures = found.find(GearFigures.class).orElseThrow();
    assertThat(figures.shifts()).isEqualTo(2);
    assertThat(figures.shiftSeconds()).isEqualTo(6);
    assertThat(figures.movedBytes()).as("bytes of hints, which nobody counts").isNaN();
  }

  @Test
  void whateverEndsARunAllNodesAreOnAgain() throws Exception {
    StopSignal stop = new StopSignal();
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(stop), box);
    gear.begin();
    box.open = true;
    RunRecord open = new RunRecord();
    gear.restore(open);
    assertThat(open.text("message")).contains("a shift of its gear was begun and not ended");
    Thread.currentThread().interrupt();
    gear.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(box.did).containsExactly("shift 1", "settle", "shift 2");
    box.gear = 1;
    stop.request();
    gear.close();
    assertThat(box.gear).as("a cluster that ends with the study").isEqualTo(1);
  }

  @Test
  void aShiftUpOfAClusterThatStaysIsWaitedForAfterAStop() throws Exception {
    StopSignal stop = new StopSignal();
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(OWN, stop), box);
    gear.begin();
    assertThat(stop.isFinishing()).as("nodes are off").isTrue();
    box.shifting = () -> assertThat(stop.isFinishing()).isTrue();
    stop.request();
    assertThatThrownBy(gear::begin).isInstanceOf(StopSignal.StoppedException.class);
    gear.close();
    assertThat(stop.isFinishing()).isFalse();
    assertThat(box.did).containsExactly("shift 1", "shift 2");
    assertThat(said()).containsOnlyOnce("a second Ctrl-C ends it now").doesNotContain("left off");
  }

  @Test
  void aStopInTheMidstOfAShiftSaysSoAtOnce() throws Exception {
    StopSignal stop = new StopSignal();
    PaperBox box = new PaperBox();
    box.shifting =
        () -> {
          stop.request();
          assertThat(said()).contains("a second Ctrl-C ends it now");
        };
    new RunGear(task(OWN, stop), box).begin();
    assertThat(box.gear).isEqualTo(1);
  }

  @Test
  void aShiftUpThatIsCutOffSaysWhatHasTheNodesOn() throws Exception {
    StopSignal stop = new StopSignal();
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(OWN, stop), box);
    gear.begin();
    stop.request();
    box.shifting = stop::cutOff;
    box.open = true;
    gear.close();
    assertThat(Thread.interrupted()).as("what is closed next is not cut off").isFalse();
    assertThat(box.did).containsExactly("shift 1", "settle");
    assertThat(said()).contains("nodes are left off\n  then: ./calando gear up");
    assertThatThrownBy(gear::close).isInstanceOf(StopSignal.StoppedException.class);
    assertThat(box.did).as("nothing is begun any more").containsExactly("shift 1", "settle");
  }

  @Test
  void aShiftUpThatFailsAfterAStopIsReported() throws Exception {
    StopSignal stop = new StopSignal();
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(OWN, stop), box);
    gear.begin();
    stop.request();
    box.shifting =
        () -> {
          box.open = true;
          throw new FailedWorkException("does not boot", "node n3", "start it");
        };
    assertThatThrownBy(gear::close).isInstanceOf(FailedWorkException.class);
    assertThat(said())
        .contains("nodes are left off: node n3: does not boot\n  remedy: start it")
        .contains("\n  then: ./calando gear up --resume");
  }

  /** Whatever fails, and even where the file that tells the remedy is damaged. */
  @Test
  void nodesThatAreLeftOffAreToldInAnyCase() throws Exception {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(OWN, new StopSignal()), box);
    gear.begin();
    IllegalStateException first = new IllegalStateException("switching");
    box.shifting =
        () -> {
          box.isDamaged = true;
          throw first;
        };
    assertThatThrownBy(gear::close).isSameAs(first);
    assertThat(first.getSuppressed()).hasSize(1);
    assertThat(said())
        .contains("nodes are left off: java.lang.IllegalStateException: switching")
        .contains("then: ./calando paper status");
  }

  @Test
  void whatShiftsReportIsShown() throws Exception {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(OWN, new StopSignal()), box);
    box.say("repairing n3, as n1 has started again");
    gear.close();
    assertThat(said()).contains("repairing n3, as n1 has started again");
  }

  /** As one would that is resumed beside the run, or that has all nodes on in its record only. */
  @Test
  void aRunBeginsWithoutAnOpenPlanWhateverItsGear() throws Exception {
    for (RunConfig run : List.of(run(STUDY, 2), policy().run())) {
      PaperBox box = new PaperBox();
      box.open = true;
      RunTask task = task(study(STUDY).spec(), run, new StopSignal());
      RunGear gear = new RunGear(task, box);
      gear.begin();
      assertThat(box.did).containsExactly("settle");
      assertThat(box.unfinished()).isEmpty();
      RunRecord found = new RunRecord();
      gear.restore(found);
      assertThat(found.find(GearFigures.class).orElseThrow().shifts()).isZero();
    }
  }

  @Test
  void anOpenPlanThatCannotBeEndedFailsTheRunAtItsBegin() {
    PaperBox box = new PaperBox();
    box.open = true;
    box.shifting =
        () -> {
          throw new FailedWorkException("does not boot", "node n3", "start it");
        };
    RunGear gear = new RunGear(task(new StopSignal()), box);
    assertThatThrownBy(gear::begin)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("does not boot");
  }

  @Test
  void aNodeThatDoesNotServeFailsTheRun() throws Exception {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(task(new StopSignal()), box);
    box.failed = 1;
    assertThatThrownBy(gear::begin)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("1 node that is to be on does not serve in gear 1")
        .hasMessageContaining("./calando paper status");
    box.failed = 2;
    RunRecord found = new RunRecord();
    gear.restore(found);
    assertThat(found.text("message")).contains("2 nodes that are to be on do not serve in gear 1");
    assertThat(box.gear).as("nor does it keep the others off").isEqualTo(2);
  }

  @Test
  void aClusterOfWhichNodesAreOffIsRefusedAndClosed() {
    PaperBox low = new PaperBox();
    low.gear = 0;
    assertThatThrownBy(
            () ->
                RunGear.require(study(STUDY).spec(), List.of(run(STUDY, 1)), new PaperTarget(low)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("nodes of it are off: n1 off")
        .hasMessageContaining(
            "see ./calando paper status, then ./calando gear up, and begin this again");
    assertThat(low.isClosed).isTrue();
    PaperBox damaged = new PaperBox();
    damaged.open = true;
    damaged.isDamaged = true;
    assertThatThrownBy(
            () ->
                RunGear.require(
                    study(STUDY).spec(), List.of(run(STUDY, 1)), new PaperTarget(damaged)))
        .isInstanceOf(FailedWorkException.class);
    assertThat(damaged.isClosed).isTrue();
  }

  private String said() {
    return said.toString(StandardCharsets.UTF_8);
  }

  /** The load is of after the observation began: asking nodes takes its time. */
  @Test
  void aPolicyShiftsWhileTheRunGoes() {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(policy(), box);
    try (RunParts parts = new RunParts()) {
      pilot(gear, parts);
      await().atMost(Duration.ofSeconds(30)).until(() -> box.gear == 1);
    }
    gear.close();
    assertThat(box.did).containsExactly("shift 1", "shift 2");
  }

  private static void pilot(RunGear gear, RunParts parts) {
    gear.pilot(parts, () -> Optional.of(new GearObservation.Load(System.nanoTime(), 20, 0)));
  }

  /** Nobody would wait for it, nor count it. */
  @Test
  void aPlanThatAnotherHasOpenFailsTheRun() {
    PaperBox box = new PaperBox();
    RunTask task = policy();
    RunGear gear = new RunGear(task, box);
    box.open = true;
    try (RunParts parts = new RunParts()) {
      pilot(gear, parts);
      await().atMost(Duration.ofSeconds(30)).until(() -> task.cluster().failure().isPresent());
    }
    assertThat(task.cluster().failure().orElseThrow()).contains("that is not of this run");
    assertThat(box.did).isEmpty();
  }

  @Test
  void aBadRequestWithAnOpenPlanFailsTheRun() {
    PaperBox box = new PaperBox();
    RunTask task = policy();
    RunGear gear = new RunGear(task, box);
    box.refusal = Optional.of(new BadRequestException("is no master", "paper", "name another"));
    try (RunParts parts = new RunParts()) {
      pilot(gear, parts);
      await().atMost(Duration.ofSeconds(30)).until(() -> task.cluster().failure().isPresent());
    }
    assertThat(task.cluster().failure().orElseThrow())
        .contains("the shift to gear 1 failed: paper: is no master");
  }

  /** Whoever decides on more than the gear has to hear of a shift that failed, and goes on. */
  @Test
  void aControllerOfMoreThanTheGearIsToldOfAShiftThatFailedAndGoesOn() {
    PaperBox box = new PaperBox();
    RunTask task = joint();
    RunGear gear = new RunGear(task, box);
    RunRecord found = new RunRecord();
    try (RunParts parts = new RunParts()) {
      RunShifts shared = gear.share(parts, Optional::empty);
      await().until(() -> shared.look().filter(seen -> seen.gear() == 2).isPresent());
      parts.measurementBegan(0);
      shared.shift(1).toCompletableFuture().join();
      assertThat(shared.look().orElseThrow().gear()).isEqualTo(1);
      assertThat(shared.isShifting()).isFalse();
      box.refusal = Optional.of(new FailedWorkException("does not boot", "node n3", "start it"));
      assertThat(shared.shift(2).toCompletableFuture()).failsWithin(LONG);
      assertThat(shared.isShifting()).isTrue();
      await().until(() -> shared.look().orElseThrow().failedNodes() == 1);
      box.refusal = Optional.empty();
      shared.resume().toCompletableFuture().join();
      await().until(() -> shared.look().orElseThrow().failedNodes() == 0);
      parts.record(found);
    }
    assertThat(box.did).containsExactly("shift 1", "settle");
    assertThat(task.cluster().failure()).isEmpty();
    assertThat(found.find(GearFigures.class).orElseThrow().shifts()).isEqualTo(1);
    assertThat(found.notes()).anyMatch(note -> note.contains("the shift to gear 2 failed"));
    gear.close();
    assertThat(box.gear).isEqualTo(2);
  }

  /** A rack that is off for nearly as long as hints are kept is to come back. */
  @Test
  void aControllerOfMoreThanTheGearHasNodesTendedBetweenShiftsAndIsToldWhatIsAmiss() {
    PaperBox box = new PaperBox();
    RunGear gear = new RunGear(joint(), box);
    RunRecord found = new RunRecord();
    try (RunParts parts = new RunParts()) {
      RunShifts shared = gear.share(parts, Optional::empty);
      await().until(() -> shared.look().isPresent());
      assertThat(box.tended.get()).as("all nodes are on").isZero();
      shared.shift(1).toCompletableFuture().join();
      await().until(() -> shared.look().isPresent() && box.tended.get() > 1);
      assertThat(shared.look().orElseThrow().failedNodes()).isZero();
      box.troubles = List.of("a rack is off for nearly as long as hints are kept");
      await().until(() -> shared.look().orElseThrow().failedNodes() == 1);
      shared.shift(2).toCompletableFuture().join();
      await().until(() -> shared.look().orElseThrow().failedNodes() == 0);
      box.troubles = List.of();
      box.refusal = Optional.of(new FailedWorkException("does not boot", "node n3", "start it"));
      assertThat(shared.shift(1).toCompletableFuture()).failsWithin(LONG);
      int tended = box.tended.get();
      await().until(() -> shared.look().isPresent() && box.tended.get() > tended);
      box.refusal = Optional.empty();
      shared.resume().toCompletableFuture().join();
      parts.record(found);
    }
    assertThat(found.notes()).anyMatch(note -> note.contains("as long as hints are kept"));
    gear.close();
  }

  /** The gear is the one that it is shifted to, and nodes that go have not failed. */
  @Test
  void aControllerOfMoreThanTheGearSeesWhereAShiftGoes() throws Exception {
    PaperBox box = new PaperBox();
    CountDownLatch under = new CountDownLatch(1);
    CountDownLatch on = new CountDownLatch(1);
    box.shifting =
        () -> {
          under.countDown();
          await().atMost(LONG).until(() -> on.getCount() == 0);
        };
    RunGear gear = new RunGear(joint(), box);
    try (RunParts parts = new RunParts()) {
      RunShifts shared = gear.share(parts, Optional::empty);
      await().until(() -> shared.look().isPresent());
      CompletionStage<?> shift = shared.shift(1);
      under.await();
      box.failed = 2;
      assertThat(shared.isShifting()).isTrue();
      await().until(() -> shared.look().orElseThrow().atNanos() > 0);
      assertThat(shared.look().orElseThrow().gear()).isEqualTo(1);
      assertThat(shared.look().orElseThrow().failedNodes()).isZero();
      box.failed = 0;
      on.countDown();
      shift.toCompletableFuture().join();
      parts.end();
      assertThat(shared.shift(2).toCompletableFuture()).as("after the window").failsWithin(LONG);
      assertThat(shared.isRefusal(new FailedWorkException("a", "b", "c"))).isTrue();
    }
    box.shifting = () -> {};
    gear.close();
    assertThat(box.did).containsExactly("shift 1", "shift 2");
  }

  private RunTask joint() {
    StudySpec spec = study(JOINT).spec();
    return task(spec, RunPlan.of(spec).get(0), new StopSignal());
  }

  @Test
  void aJointControllerOfRacksHasTheGearOfTheRunWhereTheStoreSaysWhatNodesServe() {
    StudySpec spec = study(JOINT).spec();
    assertThat(RunPlan.of(spec)).allMatch(run -> RunGear.isShifted(spec, run));
    StudySpec none = study(JOINT.replace(", gears: {capacity: 50/s}", "")).spec();
    assertThat(RunPlan.of(none)).noneMatch(run -> RunGear.isShifted(none, run));
    assertRefused(
        JOINT.replace("promise", "events: [{at: 1s, kill-node: n1}]\npromise"),
        "gears switch nodes, too");
    assertRefused(
        JOINT.replace("promise: {", "promise: {fresh: 1s, "),
        "promise.fresh: is supported only by");
    assertRefused(JOINT.replace("repeats: 1", "repeats: 1\npower: {interval: 5s}"), "write 2s");
    assertRefused(
        JOINT.replace("local: {nodes: 6, racks: 3, rf: 3}", NODES),
        "nothing reports it for node n1; add its metrics to the inventory");
  }

  /** A run by a timetable that has gear 1 on always. */
  private RunTask policy() {
    StudySpec spec =
        study(
                STUDY
                        .replace("[1, 2]", "[{schedule: [{at: \"00:00\", gear: 1}]}]")
                        .replace("100/s", "20/s")
                    + "monitor: {period: 100ms}\n")
            .spec();
    return task(spec, RunPlan.of(spec).get(0), new StopSignal());
  }

  private RunTask task(StopSignal stop) {
    return task(STUDY, stop);
  }

  private RunTask task(String yaml, StopSignal stop) {
    StudySpec spec = study(yaml).spec();
    return task(spec, run(yaml, 1), stop);
  }

  private RunConfig run(String yaml, int gear) {
    return RunPlan.of(study(yaml).spec()).stream()
        .filter(run -> run.gear().orElseThrow().gear() == gear)
        .findFirst()
        .orElseThrow();
  }

  private RunTask task(StudySpec spec, RunConfig first, StopSignal stop) {
    Progress progress =
        new Progress(new PrintStream(said, true, StandardCharsets.UTF_8), false, 80);
    return new RunTask(spec, first, RunFiles.open(folder), new ClusterWatch(), stop, progress, "");
  }

  /** A cluster of which nothing is asked but its gears. */
  private record PaperTarget(NodeGears gears) implements Target, GearControl.Source {
    @Override
    public List<Node> nodes() {
      return List.of();
    }

    @Override
    public KeyValueStore connect(LoadBounds bounds) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<String> heal() {
      return List.of();
    }

    @Override
    public void onProcessEnd(Consumer<String> listener) {}

    @Override
    public Optional<ClusterControl> control() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  private static final class PaperBox extends NodeGears {
    private final List<String> did = new CopyOnWriteArrayList<>();
    private volatile int gear = 2;
    private volatile boolean open;
    private boolean isDamaged;
    private Runnable shifting = () -> {};
    private volatile int failed;
    private volatile Optional<CalandoException> refusal = Optional.empty();
    private boolean isClosed;
    private final AtomicInteger tended = new AtomicInteger();
    private volatile boolean shiftsNow;
    private volatile List<String> troubles = List.of();

    PaperBox() {
      super(User.study(Profiles.byName(Profiles.DEFAULT).orElseThrow(), Map::of));
    }

    @Override
    public String target() {
      return "paper";
    }

    @Override
    public int gear() {
      return gear;
    }

    @Override
    public String words() {
      return gear == 2 ? "all on" : "n1 off";
    }

    @Override
    public int highest() {
      return 2;
    }

    @Override
    public int nodesOn(int each) {
      return each;
    }

    @Override
    public GearModel model() {
      return model(1);
    }

    @Override
    public int failed() {
      return failed;
    }

    @Override
    public String status() {
      return "./calando paper status";
    }

    @Override
    public void close() {
      isClosed = true;
    }

    @Override
    protected Sight look() {
      return new Sight(failed, Optional.empty());
    }

    @Override
    protected void tend() {
      assertThat(shiftsNow).as("a shift is under way").isFalse();
      tended.incrementAndGet();
    }

    @Override
    public List<String> troubles() {
      return troubles;
    }

    @Override
    protected void begin() {}

    void say(String line) {
      report(line);
    }

    private void step() throws InterruptedException {
      shiftsNow = true;
      try {
        shifting.run();
      } finally {
        shiftsNow = false;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }

    @Override
    protected void move(int to) throws InterruptedException {
      step();
      if (refusal.isPresent()) {
        open = true;
        throw refusal.get();
      }
      did.add("shift " + to);
      gear = to;
    }

    @Override
    protected GearShift counted(GearShift shift) {
      return new GearShift(shift.from(), shift.to(), 3, 0, GearShift.UNKNOWN, GearShift.UNKNOWN, 5);
    }

    @Override
    public String remedy() {
      if (isDamaged) {
        throw new FailedWorkException("is no state of racks", "racks.json", "restore it");
      }
      return super.remedy();
    }

    @Override
    public Optional<String> unfinished() {
      return open ? Optional.of(" to gear 1") : Optional.empty();
    }

    @Override
    public void settle() throws InterruptedException {
      if (!open) {
        return;
      }
      did.add("settle");
      step();
      open = false;
    }
  }
}
