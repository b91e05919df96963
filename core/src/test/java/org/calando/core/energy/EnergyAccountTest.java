package org.calando.core.energy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EnergyAccountTest {
  private static final long SEED = Long.getLong("calando.seed", 20130327L);
  private static final long SECOND = 1_000_000_000L;
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  @Test
  void energyIsSplitAtTheBaseline() {
    EnergyAccount account = account();
    account.read(10 * SECOND, 1000, 0);
    account.read(11 * SECOND, 1090, 0);
    account.read(12 * SECOND, 1200, 0);
    account.cpu(10 * SECOND, 3, 0, 0);
    account.cpu(11 * SECOND, 4.5, 0, 0);
    account.cpu(12 * SECOND, 5, 0, 0);
    NodeEnergy node = account.between(10 * SECOND, 12 * SECOND, 80);
    assertThat(node.grossJoules()).isEqualTo(200);
    assertThat(node.idleJoules()).isEqualTo(160);
    assertThat(node.netJoules()).isEqualTo(40);
    assertThat(node.meanWatts()).isEqualTo(100);
    assertThat(node.coverage()).isEqualTo(1);
    assertThat(node.gaps()).isZero();
    assertThat(node.cpuSeconds()).isEqualTo(2);
    assertThat(node.cpuPercent()).isCloseTo(25, within(1e-9));
  }

  @Test
  void gapIsMarkedAndNotFilled() {
    EnergyAccount account = account();
    account.read(0, 0, 0);
    account.read(2 * SECOND, 200, 0);
    // Of these 5 seconds the joules cover one.
    account.read(7 * SECOND, 300, 4 * SECOND);
    account.read(8 * SECOND, 400, 0);
    NodeEnergy node = account.between(0, 8 * SECOND, 50);
    assertThat(node.grossJoules()).isEqualTo(400);
    assertThat(node.coveredNanos()).isEqualTo(4 * SECOND);
    assertThat(node.coverage()).isEqualTo(0.5);
    assertThat(node.gaps()).isEqualTo(1);
    assertThat(node.meanWatts()).isEqualTo(100);
    assertThat(node.netJoules()).isEqualTo(200);
  }

  @Test
  void edgesWithoutAReadingAreGaps() {
    EnergyAccount account = account();
    account.read(SECOND, 500, 0);
    account.read(3 * SECOND, 700, 0);
    NodeEnergy node = account.between(0, 4 * SECOND, Double.NaN);
    assertThat(node.grossJoules()).isEqualTo(200);
    assertThat(node.coverage()).isEqualTo(0.5);
    assertThat(node.gaps()).isEqualTo(2);
    assertThat(node.netJoules()).isNaN();
  }

  @Test
  void nodeThatWasNeverReadIsUnknownNotZeroWatts() {
    NodeEnergy node = account().between(0, SECOND, 75);
    assertThat(node.meanWatts()).isNaN();
    assertThat(node.cpuPercent()).isNaN();
    assertThat(node.coverage()).isZero();
    assertThat(EnergySummary.of(List.of(node)).watts().mean()).isNaN();
  }

  @Test
  void counterThatFallsIsAGap() {
    EnergyAccount account = account();
    account.read(0, 900, 0);
    account.read(SECOND, 1000, 0);
    account.read(2 * SECOND, 10, 0);
    account.read(3 * SECOND, 110, 0);
    NodeEnergy node = account.between(0, 3 * SECOND, 0);
    assertThat(node.grossJoules()).isEqualTo(200);
    assertThat(node.coveredNanos()).isEqualTo(2 * SECOND);
    assertThat(node.gaps()).isEqualTo(1);
  }

  @Test
  void readingWithoutNewerFiguresChangesNothing() {
    EnergyAccount account = account();
    account.read(0, 0, 0);
    account.read(SECOND, 100, 0);
    account.read(SECOND, 100, 0);
    assertThat(account.between(0, SECOND, 0).grossJoules()).isEqualTo(100);
  }

  @Test
  void idleAndNetAddUpToGrossAndNodesToTheTotal() {
    Random random = new Random(SEED);
    for (int trial = 0; trial < 200; trial++) {
      List<NodeEnergy> nodes = new ArrayList<>();
      double truth = 0;
      int count = 1 + random.nextInt(40);
      for (int n = 0; n < count; n++) {
        EnergyAccount account = new EnergyAccount("n" + n, NODE, 2 * SECOND);
        long at = 0;
        double joules = 1e6 * random.nextDouble();
        double first = joules;
        account.read(at, joules, 0);
        for (int i = 0; i < 20; i++) {
          at += 1 + (long) (2 * SECOND * random.nextDouble());
          joules += 300 * random.nextDouble();
          account.read(at, joules, random.nextInt(5) == 0 ? random.nextInt(1_000_000) : 0);
        }
        truth += joules - first;
        NodeEnergy node = account.between(0, at + random.nextInt(1000), 200 * random.nextDouble());
        nodes.add(node);
        assertThat(node.idleJoules() + node.netJoules())
            .as("seed %d, trial %d, node %d", SEED, trial, n)
            .isCloseTo(node.grossJoules(), within(1e-6));
        assertThat(node.coveredNanos()).isBetween(0L, node.windowNanos());
      }
      EnergySummary summary = EnergySummary.of(nodes);
      assertThat(summary.grossJoules())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(truth, within(1e-5));
      assertThat(summary.idleJoules() + summary.netJoules())
          .as("seed %d, trial %d", SEED, trial)
          .isCloseTo(summary.grossJoules(), within(1e-5));
    }
  }

  @Test
  void cuttingAWindowAnywhereLosesNothing() {
    Random random = new Random(SEED + 1);
    for (int trial = 0; trial < 100; trial++) {
      EnergyAccount account = account();
      double joules = 0;
      long at = 0;
      account.read(0, 0, 0);
      for (int i = 1; i <= 30; i++) {
        joules += 100 * random.nextDouble();
        at += 1 + (long) (1.9 * SECOND * random.nextDouble());
        account.read(at, joules, 0);
      }
      double parts = 0;
      long covered = 0;
      long from = 0;
      while (from < at) {
        long to = Math.min(at, from + 1 + (long) (3 * SECOND * random.nextDouble()));
        NodeEnergy part = account.between(from, to, 0);
        parts += part.grossJoules();
        covered += part.coveredNanos();
        from = to;
      }
      assertThat(parts).as("seed %d, trial %d", SEED, trial).isCloseTo(joules, within(1e-6));
      assertThat(covered).as("seed %d, trial %d", SEED, trial).isEqualTo(at);
    }
  }

  @Test
  void edgeBetweenReadingsDividesTheStepInProportionToTime() {
    EnergyAccount account = account();
    account.read(0, 0, 0);
    account.read(SECOND, 100, 0);
    account.read(2 * SECOND, 300, 0);
    account.read(3 * SECOND, 400, 0);
    NodeEnergy node = account.between(SECOND / 4, 9 * SECOND / 4, 0);
    assertThat(node.grossJoules()).isCloseTo(75 + 200 + 25, within(1e-9));
    assertThat(node.coverage()).isEqualTo(1);
    assertThat(node.gaps()).isZero();
  }

  @Test
  void stepTooLongIsNotDividedButCountsWhole() {
    EnergyAccount account = account();
    account.read(0, 0, 0);
    account.read(SECOND, 100, 0);
    account.read(11 * SECOND, 1100, 0);
    account.read(12 * SECOND, 1200, 0);
    assertThat(account.between(0, 12 * SECOND, 0).grossJoules()).isEqualTo(1200);
    assertThat(account.between(0, 12 * SECOND, 0).coverage()).isEqualTo(1);
    NodeEnergy divided = account.between(0, 6 * SECOND, 0);
    assertThat(divided.grossJoules()).isEqualTo(100);
    assertThat(divided.coveredNanos()).isEqualTo(SECOND);
    assertThat(divided.gaps()).isEqualTo(1);
  }

  @Test
  void cpuOfTheNodeItselfIsAShareOfItsOwnCores() {
    EnergyAccount account = account();
    account.cpu(0, 0, 0, 16);
    account.cpu(2 * SECOND, 8, 0, 16);
    assertThat(account.between(0, 2 * SECOND, 0).cpuPercent()).isCloseTo(25, within(1e-9));
  }

  private static EnergyAccount account() {
    return new EnergyAccount("n1", NODE, 2 * SECOND);
  }

  @Test
  void summaryShowsTheBiasBetweenNodes() {
    List<NodeEnergy> nodes =
        List.of(
            new NodeEnergy("a", SECOND, SECOND, 0, 90, 80, 1, 20),
            new NodeEnergy("b", SECOND, SECOND, 0, 100, 80, 2, 40),
            new NodeEnergy("c", SECOND, SECOND / 2, 1, 55, 80, 3, 60));
    EnergySummary summary = EnergySummary.of(nodes);
    assertThat(summary.grossJoules()).isEqualTo(245);
    assertThat(summary.idleJoules()).isEqualTo(200);
    assertThat(summary.netJoules()).isEqualTo(45);
    // Averages 90, 100, 110 W: deviations 10, 0, 10.
    assertThat(summary.watts().mean()).isEqualTo(100);
    assertThat(summary.watts().cv()).isCloseTo(Math.sqrt(200.0 / 3) / 100, within(1e-12));
    assertThat(summary.watts().maxMin()).isEqualTo(20);
    assertThat(summary.cpuPercent().cv()).isCloseTo(Math.sqrt(800.0 / 3) / 40, within(1e-12));
    assertThat(summary.cpuPercent().maxMin()).isEqualTo(40);
    assertThat(summary.cpuSeconds()).isEqualTo(6);
    assertThat(summary.coverage()).isEqualTo(0.5);
  }

  @Test
  void spreadOfNothingOrOfZeroesIsUnknown() {
    assertThat(Spread.of().mean()).isNaN();
    assertThat(Spread.of(0, 0).cv()).isNaN();
    assertThat(Spread.of(0, 0).maxMin()).isZero();
    assertThat(Spread.of(7).cv()).isZero();
    assertThat(Spread.of(1, Double.NaN).maxMin()).isNaN();
  }
}
