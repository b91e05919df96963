package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.observe.ClientRequests;
import org.calando.core.observe.TableTelemetry;
import org.calando.core.policy.Observation;
import org.calando.core.policy.ReadChoice;
import org.calando.core.replication.NodeRole;
import org.calando.core.replication.NodeView;
import org.calando.core.replication.Role;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.core.store.ReadRoute;
import org.calando.core.store.ReplicaPlacement;
import org.calando.core.time.Clock;
import org.calando.core.time.Scheduler;
import org.junit.jupiter.api.Test;

class CountedTableTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TableTelemetry.Settings SETTINGS =
      new TableTelemetry.Settings(
          "t", ReplicaPlacement.single(3), ConsistencyLevel.ONE, 1, Duration.ofMillis(500));

  private final Map<String, ClientRequests.Count> counts = new HashMap<>();
  private final Time time = new Time();
  private final Route route = new Route();
  private OptionalLong lagNanos = OptionalLong.of(30_000_000L);
  private boolean isLinked = true;
  private boolean closed;
  private Set<String> off = Set.of();

  /** One task at a time, which this test runs when it wishes. */
  private static final class Time implements Scheduler {
    private long now = 1000 * SECOND;
    private Optional<Runnable> next = Optional.empty();

    @Override
    public Clock clock() {
      return () -> now;
    }

    @Override
    public void at(long nanos, Runnable task) {
      next = Optional.of(task);
    }

    void look() {
      now += CountedTable.LOOK_NANOS;
      Runnable due = next.orElseThrow();
      next = Optional.empty();
      due.run();
    }
  }

  private final class Route implements ReadRoute {
    private ReadFrom from = ReadFrom.ANY;
    private double share;

    @Override
    public String table() {
      return "calando:t";
    }

    @Override
    public ReadFrom readFrom() {
      return from;
    }

    @Override
    public double masterShare() {
      return share;
    }

    @Override
    public void readFrom(ReadFrom to, double masterShare) {
      from = to;
      share = masterShare;
    }

    @Override
    public List<NodeView> roles() {
      return List.of(
          view("n1", Role.MASTER, true, OptionalLong.empty()),
          view("n2", Role.REPLICA, true, OptionalLong.of(0)),
          view("n3", Role.REPLICA, isLinked, lagNanos));
    }

    private NodeView view(String name, Role role, boolean isUp, OptionalLong lag) {
      NodeRole word = new NodeRole(name, 1, "", role, "", isUp, 0, 0, time.now - 20_000_000L);
      return new NodeView(word, role == Role.MASTER, false, true, OptionalLong.empty(), lag);
    }
  }

  private final class Counting implements ClientRequests {
    @Override
    public CompletionStage<Counts> ask() {
      return CompletableFuture.completedFuture(Counts.of(counts));
    }

    @Override
    public List<String> problems() {
      return List.of();
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private CountedTable table(Optional<ReadRoute> reads) {
    return CountedTable.begin(SETTINGS, new Counting(), reads, () -> off, time);
  }

  private Observation observed(CountedTable table) {
    return table.observe(Optional.empty()).toCompletableFuture().join();
  }

  private void count(String node, long life, long reads, long writes) {
    counts.put(node, new ClientRequests.Count(life, time.now, reads, writes));
  }

  @Test
  void lagsAreThoseOfReplicasAsOldAsTheirWords() {
    CountedTable table = table(Optional.of(route));
    time.look();
    Observation seen = observed(table);
    assertThat(seen.target()).isEqualTo("calando:t");
    assertThat(seen.replicas()).isEqualTo(3);
    assertThat(seen.liveReplicas()).isEqualTo(3);
    assertThat(seen.lags().orElseThrow().sample().samples()).isEqualTo(2);
    assertThat(seen.lags().orElseThrow().sample().row(1)).containsExactly(0, 0.02, 0.05);
  }

  @Test
  void aLagThatIsNotKnownHasNoEnd() {
    lagNanos = OptionalLong.empty();
    Observation seen = observed(table(Optional.of(route)));
    assertThat(seen.lags().orElseThrow().sample().row(0))
        .containsExactly(0, 0.02, Double.POSITIVE_INFINITY);
  }

  @Test
  void aReplicaWithoutALinkIsAway() {
    isLinked = false;
    assertThat(observed(table(Optional.of(route))).awayReplicas()).isEqualTo(1);
  }

  @Test
  void ratesAreOfAllServersEachBetweenItsOwnCounts() {
    CountedTable table = table(Optional.empty());
    count("n1", 7, 100, 10);
    count("n2", 7, 100, 10);
    assertThat(observed(table).rates()).as("one count tells no rate").isEmpty();
    time.now += SECOND;
    count("n1", 7, 150, 20);
    assertThat(observed(table).rates()).as("of one server nothing is known").isEmpty();
    time.now += SECOND;
    count("n2", 7, 140, 10);
    Observation.Rates rates = observed(table).rates().orElseThrow();
    assertThat(rates.readsPerSecond()).isEqualTo(50 + 20);
    assertThat(rates.writesPerSecond()).isEqualTo(10);
    assertThat(rates.atNanos()).as("of the server that told last").isEqualTo(time.now - SECOND);
    assertThat(table.servers()).containsExactlyInAnyOrder("n1", "n2");
  }

  @Test
  void aServerThatIsOffByOrderIsAskedNothing() {
    CountedTable table = table(Optional.empty());
    count("n1", 7, 100, 10);
    count("n2", 7, 100, 10);
    observed(table);
    time.now += SECOND;
    count("n1", 7, 150, 20);
    count("n2", 0, 0, 0);
    assertThat(observed(table).rates().orElseThrow().readsPerSecond()).isEqualTo(50);
  }

  @Test
  void whatIsKnownOfAServerThatIsSwitchedOffDoesNotGrowOld() {
    CountedTable table = table(Optional.empty());
    count("n1", 7, 100, 10);
    count("n2", 7, 100, 10);
    observed(table);
    time.now += SECOND;
    count("n1", 7, 150, 20);
    count("n2", 7, 150, 20);
    observed(table);
    counts.remove("n2");
    off = Set.of("n2");
    time.now += 60 * SECOND;
    count("n1", 7, 150 + 60 * 80, 20);
    Observation.Rates rates = observed(table).rates().orElseThrow();
    assertThat(rates.readsPerSecond()).isEqualTo(80);
    assertThat(rates.atNanos()).isEqualTo(time.now);
  }

  @Test
  void aCountWhoseClockIsAheadIsOfNow() {
    CountedTable table = table(Optional.empty());
    count("n1", 7, 100, 10);
    observed(table);
    counts.put("n1", new ClientRequests.Count(7, time.now + SECOND, 150, 20));
    assertThat(observed(table).rates().orElseThrow().atNanos()).isEqualTo(time.now);
  }

  @Test
  void whatWasKnownGrowsOldWhileAServerThatBeginsAnewTellsNothing() {
    CountedTable table = table(Optional.empty());
    count("n1", 7, 100, 10);
    observed(table);
    time.now += SECOND;
    count("n1", 7, 150, 20);
    observed(table);
    long known = time.now;
    time.now += SECOND;
    count("n1", 7, 300, 20);
    count("n2", 8, 5, 5);
    Observation.Rates rates = observed(table).rates().orElseThrow();
    assertThat(rates.readsPerSecond()).isEqualTo(50);
    assertThat(rates.atNanos()).isEqualTo(known);
    time.now += SECOND;
    count("n1", 7, 400, 20);
    count("n2", 8, 25, 5);
    assertThat(observed(table).rates().orElseThrow().readsPerSecond()).isEqualTo(100 + 20);
  }

  @Test
  void whereEachKeyIsOnOneServerNothingIsLate() {
    Observation seen = observed(table(Optional.empty()));
    assertThat(seen.replicas()).isEqualTo(1);
    assertThat(seen.liveReplicas()).isEqualTo(1);
    assertThat(seen.lags()).isEmpty();
    assertThat(seen.target()).isEqualTo("t");
  }

  @Test
  void oneThatIsClosedLooksNoMore() {
    CountedTable table = table(Optional.of(route));
    table.close();
    time.look();
    assertThat(time.next).isEmpty();
    assertThat(closed).isTrue();
  }

  @Test
  void aChoiceIsARouteWithAShareForTheMaster() {
    MasterReads reads = new MasterReads(Optional.of(route));
    assertThat(reads.choice()).isEqualTo(ReadChoice.of(2));
    assertThat(route.from).as("safe also where nothing is ever set").isEqualTo(ReadFrom.MASTER);
    reads.set(new ReadChoice(1, 0.25));
    assertThat(route.from).isEqualTo(ReadFrom.REPLICA);
    assertThat(route.share).isEqualTo(0.25);
    assertThat(reads.words(reads.choice())).contains("0.25 at the master");
    reads.set(ReadChoice.of(2));
    assertThat(route.from).isEqualTo(ReadFrom.MASTER);
    assertThat(route.share).isZero();
    assertThat(new MasterReads(Optional.empty()).words(ReadChoice.of(1)))
        .isEqualTo("at the server of each key");
  }
}
