package org.calando.sim.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.SharedCores;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Times in a pool against theory, each within the 99.9 % interval of 32 batch means, which is at
 * most a twentieth of theory's value wide on each side; the seed is printed.
 */
class StagedCoresTest {
  private static final double SERVICE = 1e6;
  private static final double NARROW = 0.05;

  @ParameterizedTest
  @CsvSource({"0.3, 0.5", "0.6, 1.5", "0.8, 1"})
  void oneThreadIsAQueueAsPollaczekAndKhinchineSay(double load, double variation) {
    PoolModel pool =
        pool(StagedCores.MUTATION, 1, 4, load, Distribution.lognormal(SERVICE, variation), 60_000);
    double theory = SERVICE * (1 + load / (1 - load) * (1 + variation * variation) / 2);
    check(pool, theory, "M/G/1 at %s with variation %s".formatted(load, variation));
  }

  @ParameterizedTest
  @CsvSource({"2, 0.7", "8, 0.85"})
  void severalThreadsWithACoreEachAreErlangs(int threads, double load) {
    PoolModel pool =
        pool(StagedCores.READ, threads, threads, load, Distribution.exponential(SERVICE), 40_000);
    double wait = erlangC(threads, load) * SERVICE / (threads * (1 - load));
    check(pool, SERVICE + wait, "M/M/%d at %s".formatted(threads, load));
  }

  @ParameterizedTest
  @CsvSource({"0.5, 0.3", "0.7, 2"})
  void threadsThatShareACoreTakeAsLongWhateverTheVariation(double load, double variation) {
    PoolModel pool =
        pool(StagedCores.UNBOUNDED, 1, 1, load, Distribution.lognormal(SERVICE, variation), 60_000);
    check(pool, SERVICE / (1 - load), "M/G/1-PS at %s".formatted(load));
    // Events are at whole nanoseconds: an end may be one late.
    assertThat((double) pool.cores.busyNanos(0))
        .isCloseTo((double) pool.worked, withinPercentage(1e-3));
    assertThat((double) pool.cores.busyNanos(0) / pool.simulation.nowNanos())
        .isCloseTo(load, within(0.02));
  }

  @Test
  void threadsShareCoresFairly() {
    Simulation simulation = new Simulation();
    List<String> ends = new ArrayList<>();
    SharedCores cores =
        new SharedCores(
            simulation, 2, 2, job -> ends.add(job + " at " + simulation.nowNanos() / 1000));
    // Five threads on two cores get 2/5 each until the first two end, then 2/3, then a core each.
    cores.start(1, 0, 400_000);
    cores.start(2, 0, 400_000);
    cores.start(3, 0, 1_000_000);
    cores.start(4, 1, 1_000_000);
    cores.start(5, 1, 1_600_000);
    simulation.runUntil(10_000_000);
    assertThat(ends)
        .containsExactlyInAnyOrder("1 at 1000", "2 at 1000", "3 at 1900", "4 at 1900", "5 at 2500");
    assertThat(cores.busyNanos(0)).isCloseTo(1_800_000, within(10L));
    assertThat(cores.busyNanos(1)).isCloseTo(2_600_000, within(10L));
  }

  @Test
  void aThreadThatComesLaterSlowsOthersDownFromThenOn() {
    Simulation simulation = new Simulation();
    List<Long> ends = new ArrayList<>();
    SharedCores cores =
        new SharedCores(simulation, 1, 1, job -> ends.add(simulation.nowNanos() / 1000));
    cores.start(1, 0, 1_000_000);
    simulation.runUntil(600_000);
    cores.start(2, 0, 100_000);
    simulation.runUntil(10_000_000);
    assertThat(ends).containsExactly(800L, 1100L);
  }

  @Test
  void whatIsTakenAwayLeavesItsShareToOthers() {
    Simulation simulation = new Simulation();
    List<Long> ends = new ArrayList<>();
    SharedCores cores =
        new SharedCores(simulation, 1, 2, job -> ends.add(simulation.nowNanos() / 1000));
    for (int i = 0; i < 10; i++) {
      cores.start(i, i % 2, 1_000_000 + 1000 * i);
    }
    simulation.runUntil(5_000_000);
    assertThat(cores.remove(1)).containsExactlyInAnyOrder(1, 3, 5, 7, 9);
    simulation.runUntil(20_000_000);
    // Half of each was done; the others have the core to themselves.
    assertThat(ends.get(0)).isBetween(7_499L, 7_501L);
    assertThat(ends).hasSize(5);
    assertThat(cores.busyNanos(1)).isCloseTo(2_500_000, within(10L));
  }

  @Test
  void aThreadOfNativeTransportIsKeptUntilItsOperationEnds() {
    Simulation simulation = new Simulation();
    List<String> seen = new ArrayList<>();
    StagedCores cores =
        new StagedCores(
            simulation,
            new NodeStages(1, 1, 1, 1, 1, Distribution.NONE),
            new int[] {0},
            new int[] {1},
            10,
            new StagedCores.Jobs() {
              @Override
              public long begins(int job) {
                return 1000;
              }

              @Override
              public void done(int job) {
                seen.add("done " + job);
              }

              @Override
              public void lost(int job) {
                seen.add("lost " + job);
              }
            });
    cores.submit(1, 0, StagedCores.NATIVE);
    cores.submit(2, 0, StagedCores.NATIVE);
    simulation.runUntil(10_000);
    assertThat(seen).containsExactly("done 1");
    cores.release(0);
    simulation.runUntil(20_000);
    assertThat(seen).containsExactly("done 1", "done 2");
    cores.submit(3, 0, StagedCores.NATIVE);
    cores.submit(4, 0, StagedCores.MUTATION);
    cores.stop(0);
    assertThat(seen).containsExactly("done 1", "done 2", "lost 3", "lost 4");
    assertThat(cores.jobs(0)).isZero();
  }

  private static PoolModel pool(
      int pool, int threads, int machine, double load, Distribution service, int batch) {
    NodeStages stages = new NodeStages(threads, 1, threads, threads, threads, Distribution.NONE);
    int servers = pool == StagedCores.UNBOUNDED ? machine : threads;
    return new PoolModel(pool, stages, machine, SERVICE / (load * servers), service, batch).run();
  }

  private static void check(PoolModel pool, double theory, String what) {
    System.out.printf(
        Locale.ROOT,
        "%s, seed %d: %.4f ms of theory's %.4f%n",
        what,
        PoolModel.SEED,
        pool.times.mean() / 1e6,
        theory / 1e6);
    pool.times.assertMeanIs(theory, NARROW, what + ", seed " + PoolModel.SEED);
  }

  /** The probability to wait. */
  private static double erlangC(int servers, double load) {
    double offered = servers * load;
    double term = 1;
    double sum = 0;
    for (int i = 0; i < servers; i++) {
      sum += term;
      term *= offered / (i + 1);
    }
    double waiting = term / (1 - load);
    return waiting / (sum + waiting);
  }
}
