package org.calando.knob.frequency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.control.ClockedNodes;
import org.calando.control.DecisionLog;
import org.calando.control.ManualScheduler;
import org.calando.core.energy.CoreSeconds;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.Promise;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.store.Capable;
import org.calando.core.time.Scheduler;
import org.calando.core.workload.Workload;
import org.calando.engine.Replicas;
import org.calando.engine.StoreSpec;
import org.calando.knob.Configuration;
import org.calando.knob.KnobRun;
import org.calando.knob.ManagedClocks;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.MonitorSpec;
import org.calando.knob.Point;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.column.ClockFigures;
import org.calando.report.column.RunRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is driven is a cluster that offers clocks; others have tests of their own. */
class ClockDriverTest {
  private static final long SECOND = 1_000_000_000L;

  private final Nodes nodes = new Nodes();
  private final List<String> rows = new ArrayList<>();

  @TempDir Path folder;

  private RunPart begin(DecisionLog log) {
    StoreSpec store =
        new StoreSpec(
            "toy",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Replicas.of(1),
            "calando",
            Optional.empty(),
            Optional.empty(),
            SECOND);
    KnobRun run =
        new KnobRun(
            "r1",
            new Configuration(
                Point.NONE.with(ManagedClocksSchema.AXIS, "concerto"),
                store,
                Profiles.byName(Profiles.DEFAULT).orElseThrow(),
                ManagedClocks.SIMULATED,
                new MonitorSpec(false, SECOND, SECOND, 1),
                1,
                Promise.NONE),
            7,
            Workload.builder().table("orders").build(),
            nodes,
            () -> log,
            (name, header) -> {
              rows.add(header);
              return rows::add;
            },
            name -> new ManualScheduler(),
            end -> {},
            () -> {
              throw new IllegalStateException("stopped");
            });
    return new ClockKnob().begin(run).orElseThrow();
  }

  @Test
  void rowsAndFiguresAreThoseOfTheMeasuredWindow() {
    RunRecord found = new RunRecord();
    try (DecisionLog log = DecisionLog.open(folder.resolve("decisions.csv"));
        RunPart part = begin(log)) {
      second(part, Phase.WARMUP, 0);
      nodes.cpuSeconds = 5;
      part.measurementBegan(10 * SECOND);
      nodes.cpuSeconds = 5.25;
      second(part, Phase.MEASURED, 0);
      nodes.cpuSeconds = Double.NaN;
      second(part, Phase.MEASURED, 1);
      nodes.listener.looked(nodes.views());
      part.measurementEnded(12 * SECOND);
      second(part, Phase.MEASURED, 2);
      part.record(found);
    }
    assertThat(rows)
        .containsExactly(
            "second,node,role,khz,cpu_s,lag_bytes,lag_ms",
            "0,n1,master,2200000,0.2500,,",
            "0,n2,replica,,0.2500,2500000,2.5000",
            "1,n1,master,2200000,,,",
            "1,n2,replica,,,2500000,2.5000");
    ClockFigures figures = found.find(ClockFigures.class).orElseThrow();
    assertThat(figures.busyOnly()).isEqualTo(new ClockFigures.Energy(8.5, 0.5));
    assertThat(figures.idleCharged()).isEqualTo(new ClockFigures.Energy(17, 0.5));
    assertThat(figures.managerJoules()).isEqualTo(4.25);
    assertThat(figures.lag().maxBytes()).isEqualTo(2_500_000);
    assertThat(figures.changes()).isEqualTo(3);
    assertThat(found.notes()).containsExactly("n2 is slow");
    assertThat(nodes.closed).isEqualTo(1);
  }

  @Test
  void aStudyThatEndsWhileClocksSettleSetsNoneAnyMore() {
    nodes.unsettled = List.of("n2 lags");
    try (DecisionLog log = DecisionLog.open(folder.resolve("decisions.csv"))) {
      assertThatThrownBy(() -> begin(log)).hasMessage("stopped");
    }
    assertThat(nodes.closed).isEqualTo(1);
  }

  private static void second(RunPart part, Phase phase, long second) {
    part.interval(new Interval(phase, second, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0));
  }

  private static final class Nodes implements ClockedNodes, ClockedNodes.Managing, Capable {
    private Listener listener = Listener.SILENT;
    private List<String> unsettled = List.of();
    private double cpuSeconds = 1;
    private int closed;

    List<NodeView> views() {
      return List.of(
          view("n1", Role.MASTER, OptionalLong.empty()),
          view("n2", Role.REPLICA, OptionalLong.of(2_500_000)));
    }

    private static NodeView view(String name, Role role, OptionalLong lag) {
      NodeRole word = new NodeRole(name, 1, "", role, "", true, 0, 0, 0);
      return new NodeView(word, role == Role.MASTER, false, false, lag, lag);
    }

    @Override
    public Managing manage(
        Scheduler scheduler, Settings settings, ClockPolicy policy, Listener heard) {
      assertThat(policy.name()).isEqualTo("concerto");
      listener = heard;
      return this;
    }

    @Override
    public List<Node> nodes() {
      return List.of(
          new Node(views().get(0), 2_200_000, cpuSeconds), new Node(views().get(1), 0, cpuSeconds));
    }

    @Override
    public List<String> unsettled() {
      return unsettled;
    }

    @Override
    public void beginAccount() {}

    @Override
    public Totals endAccount(long nanos) {
      return new Totals(new CoreSeconds(4, 1, 1), new CoreSeconds(4, 2, 2), 1, Double.NaN, 0.5, 3);
    }

    @Override
    public List<String> notes() {
      return List.of("n2 is slow");
    }

    @Override
    public void close() {
      closed++;
    }
  }
}
