package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What sessions are answered by a governor whose cluster is not there. */
class GovernedSessionsTest {
  private final GovernedSessions sessions =
      GovernedSessions.start(
          keyspace -> {
            throw new FailedWorkException("no node answers", "cluster", "start it");
          },
          Path.of("no such folder"),
          System::nanoTime);

  @AfterEach
  void close() {
    sessions.close();
  }

  private static String report(UUID instance, long sequence, long told, int tables, String reads) {
    return report(instance, sequence, told, tables, "t", reads);
  }

  private static String report(
      UUID instance, long sequence, long told, int tables, String table, String reads) {
    List<TableReport> all =
        java.util.stream.IntStream.range(0, tables)
            .mapToObj(
                i ->
                    new TableReport(
                        new TableName("keyspace" + i, table),
                        ConsistencyLevel.ONE,
                        List.of(0.05),
                        TableUse.NONE,
                        List.of(),
                        List.of(),
                        Optional.empty(),
                        Map.of()))
            .toList();
    return ReportText.write(
        new SessionReport(
            instance, sequence, told, false, "", false, all, LatencyCounts.parse(reads)));
  }

  private Answer exchange(String report) {
    return AnswerText.read(sessions.exchange(report).toCompletableFuture().join());
  }

  @Test
  void aNewSessionIsAnsweredAtOnceAndLaterWhenThereIsNews() {
    UUID instance = new UUID(1, 1);
    Answer first = exchange(report(instance, 1, 0, 1, ""));
    assertThat(first.tables()).isEmpty();
    assertThat(first.trouble()).isNotEmpty();
    CompletableFuture<String> later =
        sessions.exchange(report(instance, 2, first.version(), 1, "")).toCompletableFuture();
    assertThat(AnswerText.read(later.join()).version()).isEqualTo(first.version());
    assertThat(sessions.sessions()).isEqualTo(1);
  }

  @Test
  void timesOfReadsAreCountedFromTheSecondReportOnAndOnce() {
    UUID one = new UUID(1, 1);
    UUID two = new UUID(2, 2);
    exchange(report(one, 1, 0, 1, "100:50"));
    assertThat(sessions.reads().total()).as("counted before the governor began").isZero();
    exchange(report(one, 2, 0, 1, "100:53 200:1"));
    exchange(report(one, 2, 0, 1, "100:53 200:1"));
    exchange(report(two, 1, 0, 1, ""));
    exchange(report(two, 2, 0, 1, "200:7"));
    assertThat(sessions.reads().text()).isEqualTo("100:3 200:8");
  }

  @Test
  void whatIsNoReportIsRefusedInWordsAndKeyspacesAreBounded() {
    assertThat(exchange("GET / HTTP/1.1").trouble()).contains("cannot be read");
    UUID instance = new UUID(1, 1);
    assertThat(exchange(report(instance, 1, 0, 40, "")).trouble()).contains("too many keyspaces");
  }

  @Test
  void aSessionThatNamesEverOtherTablesIsRememberedByItsLast() {
    UUID instance = new UUID(1, 1);
    for (int i = 1; i <= 100; i++) {
      exchange(report(instance, i, 0, 2, "t" + i, ""));
    }
    assertThat(sessions.tables()).isEqualTo(2);
  }

  @Test
  void timesThatNobodyCanHaveSeenDoNotTurnCountsNegative() {
    String most =
        java.util.stream.IntStream.range(0, 1300)
            .mapToObj(bucket -> bucket + ":2147483647000000")
            .collect(java.util.stream.Collectors.joining(" "));
    UUID instance = new UUID(1, 1);
    for (int i = 1; i <= 10; i++) {
      exchange(report(instance, i, 0, 1, i % 2 == 0 ? most : ""));
      assertThat(sessions.reads().total()).isNotNegative();
    }
  }

  @Test
  void whoWaitsWhenItEndsIsNotLeftWaiting() {
    UUID instance = new UUID(1, 1);
    Answer first = exchange(report(instance, 1, 0, 1, ""));
    CompletableFuture<String> waits =
        sessions.exchange(report(instance, 2, first.version(), 1, "")).toCompletableFuture();
    sessions.close();
    assertThatThrownBy(waits::join).hasMessageContaining("closed");
  }
}
