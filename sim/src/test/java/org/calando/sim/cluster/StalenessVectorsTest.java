package org.calando.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.Outcome;
import org.calando.sim.kernel.Batches;
import org.calando.sim.kernel.Distribution;
import org.calando.sim.kernel.RandomStream;
import org.calando.sim.kernel.RandomStreams;
import org.calando.sim.kernel.Simulation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cluster, with links for its only delay, against figures worked out independently of this
 * project: exact ones within 4 standard errors of so many trials, or within the 99.9 % interval of
 * batch means; event simulations with their own standard error added.
 */
class StalenessVectorsTest {
  private static final long SEED = Long.getLong("calando.seed", 42);
  private static final double MILLI = 1e6;
  private static final int TRIALS = 20_000;

  private final Simulation simulation = new Simulation();
  private final RandomStreams streams = new RandomStreams(SEED);

  @ParameterizedTest
  @MethodSource
  void aReadMissesAWriteAsOftenAsWarsSays(Map<String, String> vector) {
    SimCluster cluster = cluster(vector);
    Trials trials = new Trials(cluster, vector);
    double share = trials.run() / (double) TRIALS;
    double expected = number(vector, "p_stale");
    double error = Math.sqrt(expected * (1 - expected) / TRIALS);
    assertThat(share).as("%s, seed %d", vector, SEED).isCloseTo(expected, within(4 * error));
  }

  static Stream<Map<String, String>> aReadMissesAWriteAsOftenAsWarsSays() {
    // No level asks for 4 of 5 replicas.
    return vectors("wars_exp").filter(vector -> count(vector, "R") != 4);
  }

  @ParameterizedTest
  @MethodSource
  void underPoissonWritesReadsAreAsStaleAsTheProcessSays(Map<String, String> vector) {
    double gap = MILLI / number(vector, "w");
    Batches stale =
        poisson(cluster(vector), vector, "R", "W", gap, Math.min(20 * MILLI, 5 * gap), 3000);
    double error = stale.halfWidth() + 4 * number(vector, "mc_se");
    assertThat(stale.mean())
        .as("%s, seed %d", vector, SEED)
        .isCloseTo(number(vector, "mc"), within(error));
    assertThat(stale.mean() - stale.halfWidth()).isLessThan(number(vector, "closed"));
  }

  static Stream<Map<String, String>> underPoissonWritesReadsAreAsStaleAsTheProcessSays() {
    return vectors("wars_poisson");
  }

  @ParameterizedTest
  @MethodSource
  void writesThatLagMakeReadsAsStaleAsTheExactModelSays(Map<String, String> vector) {
    double second = 1e9;
    double windowNanos = number(vector, "Tp") * second;
    SimCluster cluster =
        new SimCluster(
            simulation,
            beside(count(vector, "N"))
                .digests(false)
                .lag(Distribution.constant(windowNanos))
                .timeoutNanos(Long.MAX_VALUE / 4, Long.MAX_VALUE / 4)
                .seed(SEED)
                .build());
    double gap = number(vector, "lambda_w") * second;
    Batches stale = poisson(cluster, vector, "X", "W", gap, 2 * (gap + windowNanos), 2000);
    stale.assertMeanIs(number(vector, "p"), 0.3, vector + ", seed " + SEED);
  }

  static Stream<Map<String, String>> writesThatLagMakeReadsAsStaleAsTheExactModelSays() {
    return vectors("exact_model");
  }

  /** Poisson writes and reads of one key; a series of 1 for a stale read and 0 for others. */
  private Batches poisson(
      SimCluster cluster,
      Map<String, String> vector,
      String readers,
      String writers,
      double writeGapNanos,
      double readGapNanos,
      int batch) {
    int replicas = count(vector, "N");
    ConsistencyLevel readLevel = level(count(vector, readers), replicas);
    ConsistencyLevel writeLevel = level(count(vector, writers), replicas);
    Distribution writeGap = Distribution.exponential(writeGapNanos);
    Distribution readGap = Distribution.exponential(readGapNanos);
    RandomStream writing = streams.of("writes");
    RandomStream reading = streams.of("reads");
    Batches stale = new Batches(batch);
    long[] newest = {1, 1}; // issued, acknowledged
    List<Long> wanted = new ArrayList<>();
    cluster.load(0, 1, 1);
    int writer =
        cluster.register((version, outcome, unused) -> newest[1] = Math.max(newest[1], version));
    int reader =
        cluster.register((tag, outcome, version) -> stale.add(version < wanted.get(tag) ? 1 : 0));
    int[] handler = new int[1];
    handler[0] =
        simulation.register(
            (kind, payload) -> {
              long now = simulation.nowNanos();
              if (kind == 0) {
                long version = ++newest[0];
                cluster.write(writer, (int) version, 0, version, writeLevel);
                simulation.schedule(now + writeGap.sample(writing), handler[0], 0, 0);
              } else {
                wanted.add(newest[1]);
                cluster.read(reader, wanted.size() - 1, 0, readLevel);
                simulation.schedule(now + readGap.sample(reading), handler[0], 1, 0);
              }
            });
    simulation.schedule(0, handler[0], 0, 0);
    simulation.schedule(StrictMath.round(10 * writeGapNanos), handler[0], 1, 0);
    simulation.runWhile(() -> !stale.isFull());
    return stale;
  }

  private SimCluster cluster(Map<String, String> vector) {
    Links links =
        Links.builder()
            .kind(LinkKind.WRITE, exponential(vector, "a"))
            .kind(LinkKind.ACKNOWLEDGEMENT, exponential(vector, "al"))
            .kind(LinkKind.READ, exponential(vector, "be"))
            .kind(LinkKind.RESPONSE, exponential(vector, "sg"))
            .build();
    return new SimCluster(
        simulation,
        beside(count(vector, "N"))
            .links(links)
            .digests(false)
            .asksAll("all".equals(vector.get("mode")))
            .seed(SEED)
            .build());
  }

  /** Replicas 0 .. n - 1 of every key, and one node beside them that coordinates. */
  private static ClusterConfig.Builder beside(int replicas) {
    List<Topology.Node> nodes = new ArrayList<>();
    int[] all = new int[replicas];
    for (int i = 0; i < replicas; i++) {
      all[i] = i;
      nodes.add(new Topology.Node("n" + i, "r", "replicas"));
    }
    nodes.add(new Topology.Node("c", "r", "coordinator"));
    Placement placement =
        new Placement() {
          @Override
          public int[] replicas(long token) {
            return all;
          }

          @Override
          public int replicationFactor() {
            return replicas;
          }
        };
    return ClusterConfig.builder(Topology.of(nodes), placement)
        .services(NoWork.services())
        .links(Links.builder().build())
        .clients("coordinator");
  }

  /** Writes of different keys, each read once a time after it was acknowledged. */
  private final class Trials {
    private final ConsistencyLevel readLevel;
    private final long laterNanos;
    private final int handler;
    private final int reader;
    private long ended;
    private long stale;

    Trials(SimCluster cluster, Map<String, String> vector) {
      int replicas = count(vector, "N");
      readLevel = level(count(vector, "R"), replicas);
      laterNanos = StrictMath.round(number(vector, "t") * MILLI);
      ConsistencyLevel writeLevel = level(count(vector, "W"), replicas);
      int writer = cluster.register(this::written);
      reader = cluster.register(this::read);
      handler =
          simulation.register(
              (kind, key) -> {
                if (kind == 0) {
                  cluster.write(writer, key, key, 1, writeLevel);
                } else {
                  cluster.read(reader, key, key, readLevel);
                }
              });
      for (int key = 0; key < TRIALS; key++) {
        simulation.schedule(StrictMath.round(key * MILLI), handler, 0, key);
      }
    }

    long run() {
      simulation.runWhile(() -> ended < TRIALS);
      return stale;
    }

    private void written(int key, Outcome outcome, long version) {
      simulation.schedule(simulation.nowNanos() + laterNanos, handler, 1, key);
    }

    private void read(int key, Outcome outcome, long version) {
      ended++;
      stale += outcome == Outcome.NOT_FOUND ? 1 : 0;
    }
  }

  private static ConsistencyLevel level(int replicas, int of) {
    return Stream.of(
            ConsistencyLevel.ONE,
            ConsistencyLevel.TWO,
            ConsistencyLevel.THREE,
            ConsistencyLevel.QUORUM,
            ConsistencyLevel.ALL)
        .filter(level -> level.replicas(of) == replicas)
        .findFirst()
        .orElseThrow();
  }

  private static Distribution exponential(Map<String, String> vector, String rate) {
    return Distribution.exponential(MILLI / number(vector, rate));
  }

  private static double number(Map<String, String> vector, String name) {
    return Double.parseDouble(Objects.requireNonNull(vector.get(name)));
  }

  private static int count(Map<String, String> vector, String name) {
    return Integer.parseInt(Objects.requireNonNull(vector.get(name)));
  }

  private static Stream<Map<String, String>> vectors(String kind) {
    try (InputStream stream = StalenessVectorsTest.class.getResourceAsStream("vectors.txt")) {
      String text =
          new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
      List<Map<String, String>> found =
          text.lines()
              .filter(line -> line.startsWith(kind + " "))
              .map(StalenessVectorsTest::values)
              .toList();
      assertThat(found).isNotEmpty();
      return found.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, String> values(String line) {
    Map<String, String> values = new HashMap<>();
    for (String word : line.split(" ", -1)) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        values.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return values;
  }
}
