package org.calando.core.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.LagModel;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

/** Canaries on a store whose every delay is known. */
class CanariesTest {
  private static final long SEED = Long.getLong("calando.seed", 5L);
  private static final long MILLI = 1_000_000L;
  private static final long ACK_NANOS = 30 * MILLI;
  private static final double[] LAG_SECONDS = {0, 0.02, 0.2};
  private static final List<Integer> NODES = List.of(0, 1, 2);
  private static final Canaries.Settings SETTINGS = Canaries.Settings.usual(false);

  /**
   * Acknowledges after {@link #ACK_NANOS}, and has writes at nodes so much later. Reads are quick.
   */
  private static final class Store implements CanaryAccess<Integer> {
    private record Event(long at, long number, Runnable work) {}

    private final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparing(Event::number));
    private final Map<Long, Long> ackedAt = new HashMap<>();
    private final SplittableRandom random = new SplittableRandom(SEED);
    final List<ConsistencyLevel> read = new ArrayList<>();
    int off = -1;
    boolean strained;
    private long now = 7;
    private long count;

    void run() {
      while (!events.isEmpty()) {
        Event next = events.remove();
        now = next.at();
        next.work().run();
      }
    }

    @Override
    public long nowNanos() {
      return now;
    }

    @Override
    public void later(long delayNanos, Runnable work) {
      events.add(new Event(now + delayNanos, count++, work));
    }

    @Override
    public void write(
        long key, long version, ConsistencyLevel level, Consumer<Optional<String>> acknowledged) {
      ackedAt.put(key, now + ACK_NANOS);
      later(ACK_NANOS, () -> acknowledged.accept(Optional.empty()));
    }

    @Override
    public void read(long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
      read.add(level);
      readCopy(random.nextInt(3), key, found);
    }

    @Override
    public Integer drawCoordinator(List<Integer> replicas) {
      return replicas.get(1);
    }

    @Override
    public boolean asksTheSame() {
      return true;
    }

    @Override
    public void readThrough(
        Integer node, long key, ConsistencyLevel level, Consumer<OptionalLong> found) {
      readCopy(node, key, found);
    }

    @Override
    public void readCopy(Integer node, long key, Consumer<OptionalLong> found) {
      if (strained) {
        later(
            (long) (SETTINGS.requestTimeoutSeconds() * 1e9),
            () -> found.accept(OptionalLong.empty()));
        return;
      }
      double age = (now - ackedAt.getOrDefault(key, now)) / 1e9;
      long version = age >= LAG_SECONDS[node] ? key : 0;
      later(MILLI / 10, () -> found.accept(OptionalLong.of(version)));
    }

    @Override
    public boolean mayAnswer(Integer node) {
      return true;
    }

    @Override
    public boolean isOff(Integer node) {
      return node == off;
    }

    @Override
    public Object id(Integer node) {
      return node;
    }

    @Override
    public double random() {
      return random.nextDouble();
    }
  }

  private final Store store = new Store();

  private Canaries<Integer> sent(ReadChoice choice) {
    Canaries<Integer> canaries =
        new Canaries<>(store, SETTINGS, () -> ConsistencyLevel.ONE, () -> choice, Optional.empty());
    for (long key = 1; key <= 200; key++) {
      canaries.send(key, key, NODES, () -> {});
      store.run();
    }
    return canaries;
  }

  @Test
  void aSampleTellsHowLongItsAcknowledgementTookAndHowLateReplicasWere() {
    PropagationLags lags = sent(ReadChoice.of(1)).lags().orElseThrow().sample();
    assertThat(lags.knowsAcknowledgements()).isTrue();
    for (int sample = 100; sample < lags.samples(); sample++) {
      assertThat(lags.ackSeconds(sample)).isCloseTo(ACK_NANOS / 1e9, within(1e-12));
      assertThat(lags.lagSeconds(sample, 1)).isZero();
      assertThat(lags.lagSeconds(sample, 2)).isCloseTo(0.02, within(0.003));
      assertThat(lags.lagSeconds(sample, 3)).isCloseTo(0.2, within(0.03));
    }
  }

  @Test
  void aStoreThatAnswersNothingIsStrainedAndItsNodesAreNotAway() {
    Canaries<Integer> canaries = sent(ReadChoice.of(1));
    assertThat(canaries.isStrained()).isFalse();
    long reads = canaries.truth(LagModel.MEASURED).orElseThrow().reads();
    int samples = canaries.lags().orElseThrow().sample().samples();
    store.strained = true;
    for (long key = 201; key <= 210; key++) {
      canaries.send(key, key, NODES, () -> {});
      store.run();
    }
    assertThat(canaries.isStrained()).isTrue();
    assertThat(NODES).allMatch(canaries::isLive);
    assertThat(canaries.lags().orElseThrow().sample().samples()).isLessThanOrEqualTo(samples);
    assertThat(canaries.truth(LagModel.MEASURED).orElseThrow().reads()).isLessThanOrEqualTo(reads);
  }

  @Test
  void aNodeThatIsOffByOrderIsAsLateAsTheLastOfTheOthers() {
    store.off = 2;
    PropagationLags lags = sent(ReadChoice.of(1)).lags().orElseThrow().sample();
    assertThat(lags.samples()).isGreaterThan(150);
    for (int sample = 100; sample < lags.samples(); sample++) {
      assertThat(lags.lagSeconds(sample, 3)).isEqualTo(lags.lagSeconds(sample, 2)).isPositive();
    }
  }

  @Test
  void aReadAtTheLevelInUseIsPredictedByTheModelInUse() {
    Canaries<Integer> canaries = sent(ReadChoice.of(1));
    assertThat(store.read).containsOnly(ConsistencyLevel.ONE);
    Observation.Truth measured = canaries.truth(LagModel.MEASURED).orElseThrow();
    Observation.Truth last = canaries.truth(LagModel.LAST).orElseThrow();
    assertThat(measured.predicted()).isCloseTo((double) measured.stale(), within(20.0));
    assertThat(last.predicted()).isGreaterThan(1.3 * measured.predicted());
  }

  @Test
  void aReadThatStandsInForOneThatCannotMissIsPredictedByWhatWasMeasured() {
    Canaries<Integer> canaries = sent(ReadChoice.of(3));
    assertThat(store.read).containsOnly(ConsistencyLevel.ONE);
    Observation.Truth measured = canaries.truth(LagModel.MEASURED).orElseThrow();
    assertThat(measured.stale()).isGreaterThan(20);
    assertThat(canaries.truth(LagModel.LAST)).contains(measured);
  }
}
