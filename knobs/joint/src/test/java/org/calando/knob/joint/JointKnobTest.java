package org.calando.knob.joint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.control.DecisionFile;
import org.calando.control.DecisionLog;
import org.calando.control.DecisionRow;
import org.calando.control.ManualScheduler;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.observe.Promise;
import org.calando.core.observe.Promised;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Observation;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.Capable;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Workload;
import org.calando.engine.BlockLayout;
import org.calando.engine.EngineSettings;
import org.calando.engine.GearedNodes;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSpec;
import org.calando.knob.Configuration;
import org.calando.knob.KnobRun;
import org.calando.knob.ManagedClocks;
import org.calando.knob.MonitorSpec;
import org.calando.knob.NodeWork;
import org.calando.knob.Point;
import org.calando.knob.RunLevels;
import org.calando.knob.RunShifts;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.RunRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A joint controller on a real cluster of six nodes, of which two are off in gear 1. */
class JointKnobTest {
  private static final long SECOND = 1_000_000_000L;
  private static final NodeProfile PROFILE =
      new NodeProfile("test", 8, 75, 150, 4, 1, PowerCurve.linear(), 0, 75, "a test");

  private final JointKnob knob = new JointKnob();
  private final ManualScheduler scheduler = new ManualScheduler();
  private final Rack rack = new Rack();

  @TempDir Path folder;

  private RunLevels part;
  private DecisionLog log;
  private double perSecond = 100;
  private double busyShare = 0.1;
  private boolean isBusyKnown = true;
  private int live = 3;
  private long p99Nanos = 8_000_000;

  private static Configuration configuration() {
    StoreSpec store =
        new StoreSpec(
            "toy",
            Optional.empty(),
            Optional.empty(),
            List.of(new Geared()),
            Replicas.of(3),
            "calando",
            Optional.empty(),
            Optional.empty(),
            SECOND);
    return new Configuration(
        Point.NONE.with(
            JointKnob.AXIS, new JointChoice(ConsistencyLevel.QUORUM, 20 * SECOND, false)),
        store,
        PROFILE,
        ManagedClocks.SIMULATED,
        new MonitorSpec(false, SECOND, 5 * SECOND, 5),
        1,
        Promise.NONE
            .with(Promised.STALE, 0.01)
            .with(Promised.READ_P99, 0.05)
            .with(Promised.COPIES, 2));
  }

  @BeforeEach
  void begin() {
    log = DecisionLog.open(decisions());
    TableTelemetry.Source table = (settings, model, inUse) -> new Telemetry();
    NodeWork nodes = this::nodes;
    RunShifts.Source shifts = () -> rack;
    part =
        (RunLevels)
            knob.begin(
                    new KnobRun(
                        "r1",
                        configuration(),
                        7,
                        Workload.builder().table("orders").build(),
                        offering(table, nodes, shifts),
                        () -> log,
                        (name, header) -> row -> {},
                        name -> scheduler,
                        end -> {},
                        () -> {}))
                .orElseThrow();
  }

  @AfterEach
  void end() {
    part.close();
    log.close();
  }

  private Path decisions() {
    return folder.resolve("decisions.csv");
  }

  private static Capable offering(Object... capabilities) {
    return new Capable() {
      @Override
      public <C> Optional<C> find(Class<C> kind) {
        return Stream.of(capabilities).filter(kind::isInstance).map(kind::cast).findFirst();
      }
    };
  }

  private List<NodeWork.Node> nodes() {
    return IntStream.rangeClosed(1, 6)
        .mapToObj(
            i -> {
              boolean isOn = i <= 4 || live == 3;
              return new NodeWork.Node(
                  "n" + i,
                  isOn,
                  scheduler.now(),
                  isOn && isBusyKnown ? OptionalDouble.of(busyShare) : OptionalDouble.empty());
            })
        .toList();
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      long reads = Math.round(perSecond / 2);
      part.interval(
          new Interval(
              Phase.MEASURED,
              i,
              scheduler.now() - SECOND,
              scheduler.now(),
              2 * reads,
              reads,
              reads,
              0,
              0,
              p99Nanos,
              p99Nanos,
              p99Nanos,
              p99Nanos));
      scheduler.advance(SECOND);
    }
  }

  private ConsistencyLevel read() {
    return part.levels().get().read();
  }

  private List<DecisionRow> rows() {
    return DecisionFile.read(decisions(), List.of(knob.controller(configuration()).orElseThrow()))
        .parts()
        .get(0)
        .rows();
  }

  private DecisionRow last() {
    List<DecisionRow> rows = rows();
    return rows.get(rows.size() - 1);
  }

  private void shifted() {
    rack.underWay.complete(null);
    rack.gear = rack.goal;
    rack.goal = 0;
  }

  /** Down at a low load, and up at a higher one: strong reads from each order to its proof. */
  @Test
  void levelsEaseAndTheGearFollowsTheLoadWithStrongReadsWhileItIsShifted() {
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    pass(12);
    assertThat(read()).isEqualTo(ConsistencyLevel.ONE);
    assertThat(part.levels().get().write()).isEqualTo(ConsistencyLevel.QUORUM);
    pass(30);
    assertThat(rack.ordered).containsExactly(1);
    pass(40);
    assertThat(rack.ordered).as("one shift at a time").containsExactly(1);
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    live = 2;
    shifted();
    pass(15);
    assertThat(read()).isEqualTo(ConsistencyLevel.ONE);
    perSecond = 4000;
    busyShare = 0.95;
    pass(5);
    assertThat(rack.ordered).containsExactly(1, 2);
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    pass(30);
    assertThat(read())
        .as("hints are not proved to be delivered")
        .isEqualTo(ConsistencyLevel.QUORUM);
    live = 3;
    busyShare = 0.6;
    shifted();
    pass(30);
    assertThat(read()).as("a rack that is just back").isEqualTo(ConsistencyLevel.QUORUM);
    replays();
  }

  private void replays() {
    Controller<?> controller = knob.controller(configuration()).orElseThrow();
    assertThat(DecisionFile.read(decisions(), List.of(controller)).parts())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.rows()).hasSizeGreaterThan(30);
              assertThat(each.differences(controller)).isEmpty();
            });
  }

  /** Its plan is open: which nodes serve is not known. */
  @Test
  void aShiftThatFailsHasStrongReadsAndIsTakenUpAgain() {
    pass(42);
    assertThat(rack.ordered).containsExactly(1);
    rack.isOpen = true;
    rack.underWay.completeExceptionally(new FailedWorkException("no answer", "n6", "start it"));
    rack.goal = 0;
    pass(5);
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(last().cell("reasons")).contains("1 node does not serve: safe");
    assertThat(last().cell("settings")).contains("gear racks=2");
    assertThat(rack.resumed).isZero();
    pass(60);
    assertThat(rack.resumed).isEqualTo(1);
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    rack.isOpen = false;
    rack.gear = 2;
    rack.underWay.complete(null);
    RunRecord found = new RunRecord();
    part.record(found);
    assertThat(found.failed()).isFalse();
  }

  /** Nothing was begun: reads stay as they are, and it is tried again. */
  @Test
  void aShiftThatIsRefusedIsNotedAndTriedAgain() {
    rack.refuses = true;
    pass(42);
    assertThat(rack.ordered).containsExactly(1);
    assertThat(last().cell("settings")).contains("gear racks=2");
    rack.refuses = false;
    int before = rows().size();
    pass(60);
    assertThat(rack.ordered).containsExactly(1, 1);
    List<Integer> downs =
        IntStream.range(0, rows().size())
            .filter(i -> rows().get(i).cell("settings").contains("gear racks=1"))
            .boxed()
            .toList();
    assertThat(downs.get(0)).isLessThan(before);
    assertThat(downs.get(1) - downs.get(0)).as("residency").isGreaterThanOrEqualTo(20);
    RunRecord found = new RunRecord();
    part.record(found);
    assertThat(found.notes()).anyMatch(note -> note.contains("hints are not delivered yet"));
  }

  @Test
  void nothingIsEasedWhileItIsUnknownHowBusyNodesAre() {
    isBusyKnown = false;
    pass(60);
    assertThat(read()).isEqualTo(ConsistencyLevel.QUORUM);
    assertThat(rack.ordered).isEmpty();
    assertThat(last().cell("reasons")).contains("it is unknown how busy the nodes are: safe");
  }

  @Test
  void aPromiseThatIsBrokenHasAllNodesOn() {
    pass(42);
    live = 2;
    shifted();
    pass(15);
    p99Nanos = 90_000_000;
    pass(10);
    assertThat(rack.ordered).containsExactly(1, 2);
  }

  private final class Telemetry implements TableTelemetry {
    @Override
    public CompletionStage<Observation> observe(Optional<Observation.Popularity> unused) {
      long now = scheduler.now();
      double[][] lags = new double[50][];
      for (int i = 0; i < lags.length; i++) {
        lags[i] = new double[] {0, 0, live < 3 ? Double.POSITIVE_INFINITY : 0.0001};
      }
      return CompletableFuture.completedFuture(
          new Observation(
              now,
              "ks.orders",
              3,
              2,
              live,
              3 - live,
              Optional.of(new Observation.Rates(now, perSecond / 2, perSecond / 2, 100)),
              Optional.of(new Observation.Lags(now, PropagationLags.of(3, lags))),
              Optional.of(new Observation.Popularity(now, KeyPopularity.uniform(1000))),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              false));
    }

    @Override
    public void decided() {}

    @Override
    public String target() {
      return "ks.orders";
    }

    @Override
    public Cost cost() {
      return new Cost(0, 0);
    }

    @Override
    public Optional<String> failures() {
      return Optional.empty();
    }

    @Override
    public void close() {}
  }

  /** Shifts end when the test says so. */
  private final class Rack implements RunShifts {
    private final List<Integer> ordered = new ArrayList<>();
    private CompletableFuture<Void> underWay = new CompletableFuture<>();
    private int gear = 2;
    private int goal;
    private int resumed;
    private boolean isOpen;
    private boolean refuses;

    @Override
    public Optional<GearObservation> look() {
      return Optional.of(
          new GearObservation(
              scheduler.now(),
              0,
              "racks",
              goal > 0 ? goal : gear,
              isOpen && goal == 0 ? 1 : 0,
              Optional.empty()));
    }

    @Override
    public boolean isShifting() {
      return goal > 0 || isOpen;
    }

    @Override
    public int gear() {
      return gear;
    }

    @Override
    public int highest() {
      return 2;
    }

    @Override
    public CompletionStage<?> shift(int to) {
      ordered.add(to);
      underWay = new CompletableFuture<>();
      if (refuses) {
        underWay.completeExceptionally(
            new FailedWorkException("hints are not delivered yet", "n1", "wait"));
      } else {
        goal = to;
      }
      return underWay;
    }

    @Override
    public Optional<String> unfinished() {
      return isOpen ? Optional.of(": to gear 1") : Optional.empty();
    }

    @Override
    public CompletionStage<?> resume() {
      resumed++;
      underWay = new CompletableFuture<>();
      goal = 2;
      return underWay;
    }

    @Override
    public boolean isRefusal(CalandoException why) {
      return !isOpen;
    }
  }

  /** Two of three copies are on in gear 1. */
  private record Geared() implements EngineSettings, GearedNodes {
    @Override
    public String engine() {
      return "toy";
    }

    @Override
    public OptionalInt highest() {
      return OptionalInt.of(2);
    }

    @Override
    public int copies(int gear) {
      return gear + 1;
    }

    @Override
    public Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
      return Optional.of(
          GearModel.ofEqualNodes(List.of(4, 6), profile, 100, 5, CatchUpModel.none(2)));
    }
  }
}
