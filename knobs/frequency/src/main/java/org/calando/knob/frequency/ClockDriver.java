package org.calando.knob.frequency;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.calando.control.ClockedNodes;
import org.calando.control.DecisionLog;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.clock.ClockPolicy;
import org.calando.core.replication.NodeView;
import org.calando.knob.KnobRun;
import org.calando.knob.LagRecord;
import org.calando.knob.ManagedClocks;
import org.calando.knob.RunPart;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.report.Csv;
import org.calando.report.column.RunRecord;
import org.jspecify.annotations.Nullable;

/*
 *   clocks settle | idle baseline | warm-up | measured | drain
 *                                           ^          ^ the account begins and ends here
 *
 * A simulated cluster has no idle baseline: its clocks settle in the warm-up.
 */
/**
 * Has a policy set the clocks in a run, and keeps account of it: {@code clocks.csv}, lags, joules
 * and CPU time. Thread safe, as nodes are looked at by a thread of their own.
 */
final class ClockDriver implements RunPart, ClockedNodes.Listener {
  /** How long the policy may take beyond what it waits for. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final long LOOK_NANOS = 20_000_000L;
  private static final long NANOS = 1_000_000_000L;

  private final KnobRun run;
  private final ManagedClocks spec;
  private final ClockPolicy policy;
  private final Consumer<String> rows;
  private final DecisionLog log;
  private final ClockedNodes.Managing nodes;
  private final Map<String, Double> rowSeconds = new HashMap<>();
  private LagRecord lag = new LagRecord();
  private boolean measuring;
  private long beganNanos;
  private long endedNanos = Long.MAX_VALUE;
  private String atBegin = "";
  private ClockedNodes.@Nullable Totals totals;

  /** Begins to set them. */
  ClockDriver(KnobRun run, ClockedNodes cluster, ClockPolicy policy) {
    this.run = run;
    this.spec = run.configuration().clocks();
    this.policy = policy;
    this.rows = run.files().apply("clocks.csv", "second,node,role,khz,cpu_s,lag_bytes,lag_ms");
    this.log = run.decisions().get();
    ClockedNodes.Settings settings =
        new ClockedNodes.Settings(
            run.workload().meanWriteBytes(), spec.times().pollNanos(), spec.times().decideNanos());
    this.nodes = cluster.manage(run.schedulers().apply("calando-lags"), settings, policy, this);
  }

  /**
   * Waits until clocks are as the policy wants them of nodes without load, and set.
   *
   * @throws FailedWorkException if they are not after a while; nothing is set any more then
   */
  void awaitSettled() {
    boolean settled = false;
    try {
      long patience = PATIENCE.toNanos() + 2 * spec.limits().caughtUpNanos();
      long deadline = System.nanoTime() + patience;
      List<String> reasons = nodes.unsettled();
      while (!reasons.isEmpty()) {
        run.stop().run();
        if (System.nanoTime() > deadline) {
          throw new FailedWorkException(
              "clocks were not settled after %d s: %s"
                  .formatted(patience / NANOS, String.join("; ", reasons)),
              "policy of clocks " + policy.name(),
              "see that all nodes are up and linked, and ./calando clocks for what can be set");
        }
        LockSupport.parkNanos(LOOK_NANOS);
        reasons = nodes.unsettled();
      }
      settled = true;
    } finally {
      if (!settled) {
        close();
      }
    }
  }

  @Override
  public synchronized void looked(List<NodeView> views) {
    if (measuring) {
      lag.look(views);
    }
  }

  @Override
  public void decided(Decision<?> decision) {
    log.decided(decision);
  }

  @Override
  public synchronized void interval(Interval interval) {
    boolean over = endedNanos - beganNanos <= interval.second() * NANOS;
    if (interval.phase() == Phase.MEASURED && !over) {
      for (ClockedNodes.Node node : nodes.nodes()) {
        rows.accept(row(interval.second(), node, used(node)));
      }
    }
  }

  /** CPU time since the row before; NaN if it is not known. */
  private double used(ClockedNodes.Node node) {
    double before = rowSeconds.getOrDefault(node.view().node(), 0.0);
    if (!Double.isNaN(node.cpuSeconds())) {
      rowSeconds.put(node.view().node(), node.cpuSeconds());
    }
    return node.cpuSeconds() - before;
  }

  private static String row(long second, ClockedNodes.Node node, double cpuSeconds) {
    NodeView view = node.view();
    return String.join(
        ",",
        Long.toString(second),
        Csv.quote(view.node()),
        view.role().name().toLowerCase(Locale.ROOT),
        node.kiloHertz() > 0 ? Long.toString(node.kiloHertz()) : "",
        figure(cpuSeconds),
        view.lagBytes().isPresent() ? Long.toString(view.lagBytes().getAsLong()) : "",
        view.lagNanos().isPresent() ? figure(view.lagNanos().getAsLong() / 1e6) : "");
  }

  private static String figure(double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, "%.4f", value) : "";
  }

  @Override
  public synchronized void measurementBegan(long nanos) {
    atBegin = nodes.unsettled().stream().findFirst().orElse("");
    nodes.beginAccount();
    nodes.nodes().forEach(this::used);
    beganNanos = nanos;
    lag = new LagRecord();
    measuring = true;
  }

  /** Of simulated nodes, on the simulation's thread; others do not look. */
  @Override
  public void mayHaveEnded(long nanos) {
    nodes.mayEndAccount();
  }

  @Override
  public synchronized void measurementEnded(long nanos) {
    measuring = false;
    endedNanos = nanos;
    totals = nodes.endAccount(nanos);
  }

  @Override
  public synchronized void record(RunRecord found) {
    found.note(notes());
    ClockedNodes.Totals all = totals;
    if (all != null) {
      found.add(spec.figures(all, lag));
    }
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(nodes.notes());
    if (!atBegin.isEmpty()) {
      notes.add(
          "clocks were not settled when the measured window began (%s); give it a longer warm-up"
              .formatted(atBegin));
    }
    if (lag.unknown() > 0) {
      notes.add("clocks: the lag of a replica was not known in " + lag.unknown() + " looks");
    }
    return notes;
  }

  /** Decides no more. */
  @Override
  public void close() {
    nodes.close();
  }
}
