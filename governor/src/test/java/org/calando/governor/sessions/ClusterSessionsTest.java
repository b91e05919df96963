package org.calando.governor.sessions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.observe.SessionLevels;
import org.calando.engine.Target;
import org.junit.jupiter.api.Test;

class ClusterSessionsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final LatencyCounts.Recorder recorder = new LatencyCounts.Recorder();
  private long now = 17;
  private boolean supported = true;
  private Optional<String> amiss = Optional.empty();
  private int reached;

  private final class Levels implements SessionLevels {
    @Override
    public CompletionStage<String> exchange(String report) {
      return CompletableFuture.completedStage("levels for " + report);
    }

    @Override
    public LatencyCounts reads() {
      return recorder.counts();
    }

    @Override
    public Optional<String> problem() {
      return amiss;
    }

    @Override
    public int sessions() {
      return 3;
    }

    @Override
    public void close() {}
  }

  private Target cluster() {
    reached++;
    return (Target)
        Proxy.newProxyInstance(
            Target.class.getClassLoader(),
            new Class<?>[] {Target.class},
            (proxy, method, arguments) ->
                supported
                    ? Optional.of((SessionLevels.Source) folder -> new Levels())
                    : Optional.empty());
  }

  private final ClusterSessions sessions =
      new ClusterSessions(this::cluster, Path.of("sessions"), () -> now);

  private void second(int reads, long micros) {
    for (int i = 0; i < reads; i++) {
      recorder.add(micros * 1000);
    }
    now += SECOND;
    sessions.tick();
  }

  @Test
  void thePercentileIsThatOfTheWindow() {
    sessions.tick();
    assertThat(sessions.readP99(Duration.ofSeconds(10))).isEmpty();
    for (int i = 0; i < 60; i++) {
      second(100, 50_000);
    }
    for (int i = 0; i < 20; i++) {
      second(100, 2_000);
    }
    assertThat(sessions.readP99(Duration.ofSeconds(10)).orElseThrow().toMillis()).isEqualTo(2);
    assertThat(sessions.readP99(Duration.ofSeconds(40)).orElseThrow().toMillis())
        .isBetween(49L, 51L);
    assertThat(sessions.readP99(Duration.ofSeconds(400))).as("not known for so long").isEmpty();
    for (int i = 0; i < 30; i++) {
      second(0, 0);
    }
    assertThat(sessions.readP99(Duration.ofSeconds(10))).as("without a read").isEmpty();
    for (int i = 0; i < 3000; i++) {
      second(1, 2_000);
    }
    assertThat(sessions.readP99(ClusterSessions.LONGEST_WINDOW)).isPresent();
  }

  @Test
  void reportsGoToTheClustersSessions() {
    assertThatThrownBy(() -> sessions.exchange("one").toCompletableFuture().join())
        .hasMessageContaining("not begun yet");
    sessions.tick();
    assertThat(sessions.exchange("one").toCompletableFuture().join()).isEqualTo("levels for one");
    assertThat(sessions.sessions()).isEqualTo(3);
    assertThat(sessions.tick()).isEmpty();
    amiss = Optional.of("the disk is full");
    assertThat(sessions.tick()).contains("the disk is full");
    assertThat(sessions.problem()).contains("the disk is full");
    amiss = Optional.empty();
    assertThat(sessions.tick()).isEmpty();
  }

  @Test
  void whatCannotBeGovernedIsReportedAndTriedAgainLater() {
    supported = false;
    second(0, 0);
    assertThat(sessions.tick().orElseThrow()).contains("cannot be governed");
    assertThat(sessions.sessions()).isZero();
    second(0, 0);
    assertThat(reached).isEqualTo(1);
    supported = true;
    now += 10 * SECOND;
    second(0, 0);
    assertThat(sessions.tick()).isEmpty();
    sessions.close();
  }

  @Test
  void oneThatWasClosedBeginsAnew() {
    second(100, 50_000);
    sessions.close();
    assertThat(sessions.sessions()).isZero();
    second(0, 0);
    assertThat(reached).isEqualTo(2);
    assertThat(sessions.tick()).isEmpty();
    assertThat(sessions.exchange("a").toCompletableFuture().join()).isEqualTo("levels for a");
    assertThat(sessions.readP99(Duration.ofSeconds(1))).isEmpty();
  }
}
