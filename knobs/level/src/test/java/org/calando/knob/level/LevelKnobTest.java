package org.calando.knob.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.calando.control.DecisionFile;
import org.calando.control.DecisionLog;
import org.calando.control.HeldLevel;
import org.calando.control.LevelledReads;
import org.calando.control.LoopListener;
import org.calando.control.ManualScheduler;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.Promise;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.AdaptivePolicy;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Policy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.policy.StaticPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.staleness.PopularitySketch;
import org.calando.core.store.Capable;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.Session;
import org.calando.core.store.SessionRequest;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.Workload;
import org.calando.engine.BlockLayout;
import org.calando.engine.EngineSettings;
import org.calando.engine.GearControl;
import org.calando.engine.GearedNodes;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSpec;
import org.calando.knob.Configuration;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.KnobRun;
import org.calando.knob.ManagedClocks;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Point;
import org.calando.knob.RunLevels;
import org.calando.load.Levels;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LevelFigures;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;
import org.calando.schema.Documents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LevelKnobTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String PBS = "{read: {pbs: {tolerate: 5%}}, write: ONE}";

  private final LevelKnob knob = new LevelKnob();
  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<String> schedulers = new ArrayList<>();
  private final List<Runnable> ends = new ArrayList<>();

  @TempDir Path folder;

  private static Point point(String levels) {
    return Point.NONE.with(
        LevelKnob.AXIS,
        Documents.read(LevelSchema.LEVELS, levels, "levels", Path.of(""), List.of()).value());
  }

  private static Configuration configuration(String levels, boolean observesAll) {
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
        point(levels),
        store,
        Profiles.byName(Profiles.DEFAULT).orElseThrow(),
        ManagedClocks.SIMULATED,
        new MonitorSpec(observesAll, SECOND, 5 * SECOND, 5),
        1,
        Promise.NONE);
  }

  private RunLevels begin(Configuration configuration, Capable cluster, DecisionLog log) {
    KnobRun run =
        new KnobRun(
            "r1",
            configuration,
            7,
            Workload.builder().table("orders").build(),
            cluster,
            () -> log,
            (name, header) -> row -> {},
            name -> {
              schedulers.add(name);
              return scheduler;
            },
            ends::add,
            () -> {});
    return (RunLevels) knob.begin(run).orElseThrow();
  }

  @Test
  void itIsFoundAsAservice() {
    assertThat(DrivenKnobs.of(point("ONE"))).hasOnlyElementsOfType(LevelKnob.class);
  }

  @Test
  void fixedLevelsAreTheLoadsWithoutAnybodyToDecide() {
    DecisionLog none = DecisionLog.open(folder.resolve("none.csv"));
    Configuration fixed = configuration("{read: QUORUM, write: ALL}", false);
    RunRecord found = new RunRecord();
    try (RunLevels part = begin(fixed, new Capable() {}, none)) {
      assertThat(part.levels().get())
          .isEqualTo(new Levels(ConsistencyLevel.QUORUM, ConsistencyLevel.ALL));
      part.record(found);
    }
    none.close();
    assertThat(found.text(LevelColumns.MEAN_REPLICAS.name())).isEqualTo("2");
    assertThat(schedulers).isEmpty();
    assertThat(knob.controller(fixed)).isEmpty();
    assertThat(fixed.noticeNanos()).isZero();
    assertThat(fixed.warmUpNanos()).isZero();
  }

  @Test
  void policiesHaveTimeBeforeNodesLeaveAndBeforeTheWindow() {
    Configuration adaptive = configuration(PBS, false);
    assertThat(knob.controller(adaptive)).containsInstanceOf(AdaptivePolicy.class);
    assertThat(adaptive.noticeNanos()).isEqualTo(2 * SECOND);
    assertThat(adaptive.warmUpNanos()).isEqualTo(16 * SECOND);
  }

  @Test
  void fixedLevelsAreObservedWhereTheMonitorSaysSo() {
    Configuration observed = configuration("{read: QUORUM, write: ONE}", true);
    assertThat(knob.controller(observed))
        .hasValueSatisfying(
            policy -> assertThat(policy).isEqualTo(new StaticPolicy(ReadChoice.of(2))));
    assertThat(observed.noticeNanos()).isZero();
  }

  @Test
  void resultsTellLevelsAndPolicy() {
    assertThat(told(point(PBS))).containsExactly("pbs(5%)/ONE", "pbs(5%)", "ONE", "pbs", "0.05");
    assertThat(told(point("ONE"))).containsExactly("ONE", "ONE", "ONE", "", "");
    assertThat(told(Point.NONE)).containsExactly("", "", "", "", "");
  }

  private List<String> told(Point point) {
    RunRecord record = new RunRecord();
    knob.identify(point, record);
    return List.of(
            RunColumns.CONSISTENCY,
            RunColumns.READ_LEVEL,
            RunColumns.WRITE_LEVEL,
            LevelColumns.POLICY,
            LevelColumns.TOLERATED)
        .stream()
        .map(column -> record.text(column.name()))
        .toList();
  }

  @Test
  void aSessionReadsFromTheNodesThatAreNamed() {
    SessionRequest request = SessionRequest.of(1);
    assertThat(knob.session(request, point("{read: replica, write: ONE}")).readFrom())
        .isEqualTo(ReadFrom.REPLICA);
    assertThat(knob.session(request, point("ONE")).readFrom()).isEqualTo(ReadFrom.ANY);
  }

  @Test
  void aClusterOfItsOwnTimeDecidesByItself() {
    Deciding deciding = new Deciding();
    LevelledReads cluster = deciding::begin;
    RunRecord found = new RunRecord();
    DecisionLog log = DecisionLog.open(folder.resolve("decisions.csv"));
    try (RunLevels part = begin(configuration(PBS, false), offering(cluster), log)) {
      assertThat(deciding.settings)
          .hasValueSatisfying(
              settings -> {
                assertThat(settings.table().table()).isEqualTo("orders");
                assertThat(settings.seed()).isEqualTo(7);
                assertThat(settings.windowNanos()).isEqualTo(5 * SECOND);
              });
      assertThat(part.levels().get())
          .isEqualTo(new Levels(ConsistencyLevel.QUORUM, ConsistencyLevel.ONE));
      deciding.requests = 9;
      part.observing(only(Session.class, Map.of()));
      part.measurementBegan(0);
      deciding.requests = 30;
      part.measurementEnded(SECOND);
      part.record(found);
    }
    log.close();
    assertThat(found.find(LevelFigures.class).orElseThrow().monitorRequests()).isEqualTo(21);
    assertThat(found.find(LevelFigures.class).orElseThrow().meanReplicas())
        .isEqualTo(OptionalDouble.empty());
    assertThat(found.notes())
        .containsExactly(
            "3 observations came late, failed or could not be decided on", "a canary died");
    assertThat(deciding.closed).isTrue();
  }

  @Test
  void aRealClusterIsObservedAndIsToldWhatIsOffByOrder() {
    Telemetry telemetry = new Telemetry();
    TableTelemetry.Source source = (settings, model, inUse) -> telemetry;
    GearControl gears = only(GearControl.class, Map.of("highest", 3, "gear", 2));
    Path decisions = folder.resolve("decisions.csv");
    DecisionLog log = DecisionLog.open(decisions);
    try (RunLevels part = begin(configuration(PBS, false), offering(source, gears), log)) {
      scheduler.advance(2 * SECOND);
      assertThat(part.levels().get().write()).isEqualTo(ConsistencyLevel.ONE);
      assertThat(telemetry.decided).isPositive();
    }
    log.close();
    assertThat(schedulers).containsExactly("calando-levels");
    assertThat(telemetry.closed).as("by the run, when nothing decides any more").isFalse();
    ends.forEach(Runnable::run);
    assertThat(telemetry.closed).isTrue();
    assertThat(DecisionFile.read(decisions).rows())
        .isNotEmpty()
        .allMatch(row -> row.signals().get(Observation.READS).offReplicas() == 1);
  }

  private static Capable offering(Object... capabilities) {
    return new Capable() {
      @Override
      public <C> Optional<C> find(Class<C> kind) {
        return Stream.of(capabilities).filter(kind::isInstance).map(kind::cast).findFirst();
      }
    };
  }

  private final class Telemetry implements TableTelemetry {
    private int decided;
    private boolean closed;

    /** One of three replicas does not answer. */
    @Override
    public CompletionStage<Observation> observe(Optional<Observation.Popularity> popularity) {
      return CompletableFuture.completedFuture(
          new Observation(
              scheduler.now(),
              "ks.orders",
              3,
              1,
              2,
              0,
              Optional.empty(),
              Optional.empty(),
              popularity,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              false));
    }

    @Override
    public void decided() {
      decided++;
    }

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
    public void close() {
      closed = true;
    }
  }

  /** A cluster of three gears: each has a replica more on. */
  private record Geared() implements EngineSettings, GearedNodes {
    @Override
    public String engine() {
      return "toy";
    }

    @Override
    public OptionalInt highest() {
      return OptionalInt.of(3);
    }

    @Override
    public Optional<GearModel> gearModel(NodeProfile profile, Optional<BlockLayout> layout) {
      return Optional.empty();
    }
  }

  /** Answers what is given, whatever else it is asked for. */
  private static <T> T only(Class<T> kind, Map<String, Object> answers) {
    return kind.cast(
        Proxy.newProxyInstance(
            kind.getClassLoader(),
            new Class<?>[] {kind},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }

  private static final class Deciding implements LevelledReads.Deciding {
    private Optional<LevelledReads.Settings> settings = Optional.empty();
    private long requests;
    private boolean closed;

    LevelledReads.Deciding begin(
        Scheduler scheduler,
        LevelledReads.Settings how,
        Policy<?> policy,
        List<LoopListener> listeners) {
      settings = Optional.of(how);
      return this;
    }

    @Override
    public PopularitySketch sketch() {
      return new PopularitySketch(PopularitySketch.Config.of(1));
    }

    @Override
    public ConsistencyLevel next() {
      return ConsistencyLevel.QUORUM;
    }

    @Override
    public HeldLevel.State state() {
      return new HeldLevel.State(ReadChoice.of(2), true, "so", 5, 3);
    }

    @Override
    public Optional<String> failures() {
      return Optional.of("a canary died");
    }

    @Override
    public LevelledReads.Spent spent() {
      return new LevelledReads.Spent(requests, Double.NaN);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
