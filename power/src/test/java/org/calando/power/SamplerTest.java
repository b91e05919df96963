package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplerTest {
  private static final long SEED = Long.getLong("calando.seed", 20131101L);
  private static final long SECOND = 1_000_000_000L;
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  private final FakeTicker ticker = new FakeTicker();
  private final FakeUsage usage = new FakeUsage(2, ticker);
  private final List<SampleRow> rows = new CopyOnWriteArrayList<>();
  private final List<Sampler> opened = new ArrayList<>();

  @AfterEach
  void closeSamplers() {
    opened.forEach(Sampler::close);
  }

  @Test
  void phaseHoldsTheEnergyOfExactlyItsTime() throws Exception {
    Sampler sampler = sampler();
    sampler.start("warmup");
    ticker.advance(0.7);
    usage.use(0, 2.8);
    usage.use(1, 2.8);
    sampler.mark("measured");
    ticker.advance(1.6);
    usage.use(0, 1.6);
    List<PhaseEnergy> phases = sampler.stop();
    PhaseEnergy warmup = phases.get(0);
    PhaseEnergy measured = phases.get(1);

    assertThat(warmup.phase()).isEqualTo("warmup");
    assertThat(warmup.endNanos() - warmup.startNanos()).isEqualTo(700_000_000L);
    assertThat(warmup.energy().grossJoules()).isCloseTo(2 * 150 * 0.7, within(1e-6));
    assertThat(warmup.energy().cpuPercent().mean()).isCloseTo(100, within(1e-6));
    assertThat(measured.phase()).isEqualTo("measured");
    assertThat(measured.startNanos()).isEqualTo(warmup.endNanos());
    NodeEnergy first = measured.energy().nodes().get(0);
    // One of four cores for 1.6 s.
    assertThat(first.grossJoules()).isCloseTo((75 + 75.0 / 4) * 1.6, within(1e-6));
    assertThat(first.cpuSeconds()).isCloseTo(1.6, within(1e-9));
    assertThat(first.cpuPercent()).isCloseTo(25, within(1e-6));
    assertThat(measured.energy().nodes().get(1).meanWatts()).isCloseTo(75, within(1e-6));
    assertThat(measured.energy().coverage()).isEqualTo(1);
    assertThat(measured.problems()).isEmpty();
    assertThat(measured.samplerCpuSeconds()).isBetween(0.0, 10.0);
  }

  @Test
  void netEnergyIsAboveTheMeasuredBaseline() throws Exception {
    Sampler sampler = sampler();
    sampler.start("idle");
    ticker.advance(10);
    usage.use(0, 2);
    sampler.mark("measured");
    ticker.advance(4);
    usage.use(0, 4);
    List<PhaseEnergy> phases = sampler.stop();
    PhaseEnergy idle = phases.get(0);
    assertThat(idle.energy().netJoules()).isNaN();
    Baseline baseline = Baseline.of(idle);
    assertThat(baseline.watts(0)).isCloseTo(78.75, within(1e-6));
    assertThat(baseline.watts(1)).isCloseTo(75, within(1e-6));
    EnergySummary energy = phases.get(1).above(baseline).energy();
    assertThat(energy.nodes().get(0).netJoules()).isCloseTo(4 * (93.75 - 78.75), within(1e-6));
    assertThat(energy.nodes().get(1).netJoules()).isCloseTo(0, within(1e-6));
    assertThat(energy.idleJoules() + energy.netJoules())
        .isCloseTo(energy.grossJoules(), within(1e-9));
  }

  @Test
  void threadReadsEveryNodeOncePerInterval() throws Exception {
    ticker.wakeThreads();
    Sampler sampler = sampler();
    sampler.start("measured");
    for (int second = 0; second < 3; second++) {
      int before = rows.size();
      await().until(ticker::someoneWaits);
      ticker.advance(1);
      await().until(() -> rows.size() == before + 2);
    }
    assertThat(rows).extracting(SampleRow::second).containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
    assertThat(rows).extracting(SampleRow::node).startsWith("n1", "n2", "n1");
    assertThat(rows).allSatisfy(row -> assertThat(row.watts()).isEqualTo(75));
    sampler.stop();
    int afterStop = rows.size();
    ticker.advance(5);
    assertThatThrownBy(() -> sampler.mark("more")).isInstanceOf(IllegalStateException.class);
    assertThat(rows).hasSize(afterStop);
  }

  @Test
  void tickRightAfterAnEdgeIsLeftOut() throws Exception {
    Sampler sampler = sampler();
    sampler.start("warmup");
    ticker.advance(0.9);
    sampler.mark("measured");
    int before = rows.size();
    ticker.advance(0.1);
    sampler.tick();
    assertThat(rows).hasSize(before);
    sampler.stop();
    assertThat(rows.get(before).second()).isZero();
    assertThat(rows.get(before).phase()).isEqualTo("measured");
    assertThat(rows.get(before).joules()).isCloseTo(7.5, within(1e-6));
  }

  @Test
  void deadNodeIsAGapAndAProblemNotZeroWatts() throws Exception {
    Sampler sampler = sampler();
    sampler.start("measured");
    step(sampler, 1);
    usage.kill(1);
    step(sampler, 1);
    step(sampler, 1);
    usage.restart(1);
    step(sampler, 1);
    step(sampler, 1);
    PhaseEnergy phase = sampler.stop().get(0);

    List<SampleRow> dead = rows.stream().filter(row -> row.node().equals("n2")).toList();
    assertThat(dead.get(1).gap()).isTrue();
    assertThat(dead.get(1).watts()).isNaN();
    assertThat(dead.get(1).cpuSeconds()).isNaN();
    assertThat(dead.get(1).rssBytes()).isEqualTo(-1);
    assertThat(dead.get(3).gap()).isTrue();
    assertThat(dead.get(4).gap()).isFalse();
    NodeEnergy node = phase.energy().nodes().get(1);
    assertThat(node.coveredNanos()).isEqualTo(2 * SECOND);
    assertThat(node.grossJoules()).isCloseTo(150, within(1e-6));
    assertThat(node.gaps()).isEqualTo(1);
    assertThat(phase.energy().coverage()).isCloseTo(0.4, within(1e-9));
    assertThat(phase.energy().nodes().get(0).coverage()).isEqualTo(1);
    assertThat(phase.problems()).containsExactly("node 1: process has ended (2 readings)");
  }

  @Test
  void baselineOfAMostlyUnreadNodeIsUnknown() throws Exception {
    Sampler sampler = sampler();
    sampler.start("idle");
    step(sampler, 1);
    usage.kill(1);
    step(sampler, 2);
    Baseline baseline = Baseline.of(sampler.stop().get(0));
    assertThat(baseline.watts(0)).isCloseTo(75, within(1e-6));
    assertThat(baseline.watts(1)).isNaN();
  }

  @Test
  void failureOfTheListenerIsThrownAtTheEndOfThePhase() throws Exception {
    Sampler sampler =
        sampler(
            row -> {
              throw new IllegalStateException("no space left");
            });
    sampler.start("measured");
    step(sampler, 1);
    assertThatThrownBy(sampler::stop)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no space left");
  }

  @Test
  void rowsAndPhasesAddUpToTheWhole() throws Exception {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 30; trial++) {
      rows.clear();
      Sampler sampler = sampler();
      double truth = 0;
      double phases = 0;
      double cpu = 0;
      sampler.start("p0");
      for (int i = 1; i <= 40; i++) {
        double seconds = 0.3 + random.nextDouble();
        double used = 4 * seconds * random.nextDouble();
        ticker.advance(seconds);
        usage.use(0, used);
        sampler.tick();
        truth += seconds * (75 + 75 * used / (4 * seconds)) + 75 * seconds;
        cpu += used;
        if (random.nextInt(5) == 0) {
          sampler.mark("p" + i);
        }
      }
      for (PhaseEnergy phase : sampler.stop()) {
        phases += phase.energy().grossJoules();
      }
      assertThat(phases).as("seed %d, trial %d", SEED, trial).isCloseTo(truth, within(1e-3));
      assertThat(rows.stream().mapToDouble(SampleRow::joules).sum())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(truth, within(1e-3));
      assertThat(rows.stream().mapToDouble(SampleRow::cpuSeconds).sum())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(cpu, within(1e-6));
    }
  }

  /** A governor's goes on for months. */
  @Test
  void rowsAloneNeedNoMemoryOfPhases() throws Exception {
    List<MeteredNode> nodes = List.of(new MeteredNode("n1", NODE), new MeteredNode("n2", NODE));
    Meter meter =
        new ModelMeter(usage, nodes.stream().map(MeteredNode::profile).toList(), 10_000_000L);
    Sampler sampler =
        Sampler.ofRows(meter, usage, nodes, rows::add, ticker, Sampler.DEFAULT_INTERVAL_NANOS);
    opened.add(sampler);
    sampler.start("all");
    step(sampler, 1);
    step(sampler, 1);
    assertThat(rows).hasSize(4).allMatch(row -> row.joules() > 0 && row.phase().equals("all"));
    assertThatThrownBy(sampler::stop)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no phases");
  }

  /** Moves time and samples, as the thread would. */
  private void step(Sampler sampler, double seconds) throws InterruptedException {
    ticker.advance(seconds);
    sampler.tick();
  }

  private Sampler sampler() throws MeterException {
    return sampler(rows::add);
  }

  private Sampler sampler(SampleListener listener) throws MeterException {
    List<MeteredNode> nodes = List.of(new MeteredNode("n1", NODE), new MeteredNode("n2", NODE));
    Meter meter =
        new ModelMeter(usage, nodes.stream().map(MeteredNode::profile).toList(), 10_000_000L);
    Sampler sampler =
        new Sampler(meter, usage, nodes, listener, ticker, Sampler.DEFAULT_INTERVAL_NANOS);
    opened.add(sampler);
    return sampler;
  }
}
