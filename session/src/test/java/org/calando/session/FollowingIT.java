package org.calando.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.calando.core.policy.AdaptiveConfig;
import org.calando.core.policy.PbsPolicy;
import org.calando.core.policy.ReadChoice;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Reads have become weak before each test; then something happens. */
class FollowingIT {
  @RegisterExtension static final LiveCluster CLUSTER = new LiveCluster();

  private static final TableName TABLE = TableName.parse("app.followed");
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final double TOLERATED = 0.8;
  private static final double STRICT = 0;
  private static final long HOUR = 3_600_000_000_000L;

  /** Figures may be this old; a node may be late by less. */
  private static final Duration MAX_AGE = Duration.ofSeconds(3);

  private static final AtomicLong ahead = new AtomicLong();

  /** What a thread's clock is ahead of the others', whatever those do meanwhile. */
  private static final ThreadLocal<Long> ownAhead = ThreadLocal.withInitial(() -> 0L);

  private static final Queue<String> reasons = new ConcurrentLinkedQueue<>();

  private static AdaptiveSession session;
  private static PreparedStatement write;
  private static PreparedStatement read;

  @BeforeAll
  static void wrap() {
    session =
        AdaptiveSession.wrap(CLUSTER.connect("cassandra", "cassandra"))
            .tolerate("app.followed", TOLERATED)
            .policy(
                (name, share, safe, local) ->
                    new PbsPolicy(
                        AdaptiveConfig.of(share)
                            .withLevels(local, safe)
                            .withTimes(
                                MAX_AGE.toNanos(),
                                Duration.ofSeconds(1).toNanos(),
                                Duration.ofMinutes(10).toNanos())))
            .listener(
                (name, share, decision) -> {
                  if (share == TOLERATED) {
                    reasons.addAll(decision.step().reasons());
                  }
                  throw new IllegalStateException("an application's defect");
                })
            .period(Duration.ofMillis(200))
            .popularityWindow(Duration.ofSeconds(1))
            .monitorDeadline(Duration.ofSeconds(1))
            .canariesPerSecond(20)
            .clock(() -> System.nanoTime() + ahead.get() + ownAhead.get())
            .build();
    assertThat(inUse().fallback()).isTrue();
    assertThat(inUse().level()).isEqualTo(ConsistencyLevel.LOCAL_QUORUM);
    write = session.prepare("INSERT INTO app.followed (id, v) VALUES (?, ?)");
    read = session.prepare("SELECT v FROM app.followed WHERE id = ?");
  }

  @AfterAll
  static void close() {
    if (session != null) {
      session.close();
    }
  }

  private static LevelInUse inUse() {
    return session.inUse(TABLE).orElseThrow();
  }

  @BeforeEach
  void untilReadsAreWeak() {
    weak();
  }

  /** Reads and writes until reads are weak, and tells how they were then. */
  private static LevelInUse weak() {
    return Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              for (long key = 0; key < 10; key++) {
                session.execute(write.bind(key, 1L));
                session.execute(read.bind(key));
                session.execute(AdaptiveSession.tolerating(read.bind(key), STRICT));
              }
              return inUse();
            },
            used -> used.choice().equals(ReadChoice.of(1)));
  }

  @Test
  void theLevelFollowsWhatIsTolerated() {
    LevelInUse strictly = session.inUse(TABLE, STRICT).orElseThrow();
    assertThat(strictly.choice().mean()).as(strictly.toString()).isGreaterThan(1);
    // As it was when it was weak: a machine that stands still turns reads to the fallback again.
    LevelInUse loosely = weak();
    assertThat(loosely.level()).isEqualTo(ConsistencyLevel.LOCAL_ONE);
    assertThat(loosely.safe()).isFalse();
    assertThat(loosely.reasons())
        .contains("the listener failed: java.lang.IllegalStateException: an application's defect");
  }

  @Test
  void whatObservingCostsIsTold() {
    Cost before = session.cost();
    assertThat(before.requests()).isPositive();
    assertThat(before.cpuNanos()).isPositive();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> session.cost().requests() >= before.requests() + 9);
    assertThat(session.cost().cpuNanos()).isGreaterThan(before.cpuNanos());
  }

  @Test
  void aBlockedNodeMakesFiguresOldAndReadsTurnToTheFallback() {
    reasons.clear();
    Signals.send("STOP", CLUSTER.node(3).pid());
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  inUse().choice().equals(ReadChoice.of(2))
                      && reasons.stream()
                          .anyMatch(
                              each ->
                                  each.startsWith("pbs: the rates are")
                                      && each.contains(
                                          "old, and may be 3 s: the fallback, 2 replicas")));
    } finally {
      Signals.send("CONT", CLUSTER.node(3).pid());
    }
  }

  @Test
  void aClockThatJumpsTurnsReadsToTheFallbackUntilFiguresAreFreshAgain() {
    assertFallbackAtJump(HOUR);
    assertFallbackAtJump(-2 * HOUR);
  }

  /** First of the reader's clock alone, so that no new decision can be sooner than the reader. */
  private static void assertFallbackAtJump(long nanos) {
    ownAhead.set(nanos);
    try {
      assertThat(inUse().fallback()).isTrue();
    } finally {
      ownAhead.remove();
    }
    assertThat(weak().safe()).isFalse();
    ahead.addAndGet(nanos);
    assertThat(weak().safe()).isFalse();
  }
}
