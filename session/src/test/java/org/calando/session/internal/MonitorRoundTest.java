package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.calando.core.FailedWorkException;
import org.calando.session.MonitorFigures;
import org.calando.session.TableName;
import org.junit.jupiter.api.Test;

/** What is known of a node that answers after the deadline, as it is told by a driver's session. */
class MonitorRoundTest {
  private static final long SECOND = 1_000_000_000L;
  private static final TableName TABLE = new TableName("shop", "orders");
  private static final UUID ID = new UUID(1, 1);
  private static final int KINDS = 3;

  private final List<CompletableFuture<AsyncResultSet>> asked = new ArrayList<>();
  private final List<Duration> timeouts = new ArrayList<>();
  private long now = 100 * SECOND;
  private final MonitorRound round =
      new MonitorRound(
          of(CqlSession.class, this::driver),
          Set.of(TABLE),
          Duration.ofMillis(5),
          () -> now,
          table -> 100);

  private static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // whoever asks the session has it
  private Object driver(Object proxy, Method method, Object[] args) {
    if (method.getName().equals("getMetadata")) {
      return of(
          Metadata.class,
          (self, what, of) ->
              what.getName().equals("getNodes") ? Map.of(ID, node()) : Optional.empty());
    }
    if (((SimpleStatement) args[0]).getQuery().contains("size_estimates")) {
      return new CompletableFuture<AsyncResultSet>();
    }
    timeouts.add(((SimpleStatement) args[0]).getTimeout());
    CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();
    asked.add(answer);
    return answer;
  }

  private static Node node() {
    return of(
        Node.class,
        (self, what, of) ->
            switch (what.getName()) {
              case "getState" -> NodeState.UP;
              case "getDistance" -> NodeDistance.LOCAL;
              case "getUpSinceMillis" -> 7L;
              case "getEndPoint" -> of(EndPoint.class, (end, name, none) -> "n1");
              case "getHostId" -> ID;
              default -> null;
            });
  }

  /** The counts of the round that is {@code index}th, counted from 0. */
  private void answers(int index, long count) {
    Row row =
        of(
            Row.class,
            (self, what, of) ->
                what.getName().equals("getLong")
                    ? (Object) count
                    : of[0].equals(0) ? TABLE.keyspace() : TABLE.table());
    AsyncResultSet rows =
        of(
            AsyncResultSet.class,
            (self, what, of) -> what.getName().equals("hasMorePages") ? false : List.of(row));
    asked.subList(KINDS * index, KINDS * index + KINDS).forEach(each -> each.complete(rows));
  }

  private MonitorFigures figures() {
    return round.figures(TABLE);
  }

  @Test
  void aRoundEndsAtItsDeadlineAndItsAnswersCountWhenTheyCome() {
    round.ask().join();
    assertThat(figures().late()).singleElement().asString().contains("did not answer in time");
    round.ask().join();
    assertThat(asked).as("a node that owes answers is not asked again").hasSize(KINDS);
    now += SECOND;
    answers(0, 1000);
    assertThat(figures().late()).isEmpty();

    now += SECOND;
    round.ask().join();
    now += SECOND;
    answers(1, 1500);
    // Reads and scans, over the two seconds between the middles of the two round trips.
    assertThat(figures().rates().orElseThrow().readsPerSecond()).isCloseTo(500, within(1.0));
    assertThat(timeouts).allMatch(each -> each.equals(Duration.ofMillis(20)));
  }

  @Test
  void ratesOfAnswersThatTakeLongAreOverLongerTimes() {
    for (int i = 0; i < 3; i++) {
      round.ask().join();
      now += 2 * SECOND;
      answers(i, 1000L * i);
      now += SECOND / 2;
      assertThat(figures().rates().isPresent()).as("after %d answers", i + 1).isEqualTo(i == 2);
    }
    assertThat(figures().rates().orElseThrow().readsPerSecond()).isCloseTo(800, within(1.0));
  }

  @Test
  void nodesThatOweTheirAnswersTellNothingYet() {
    round.ask().join();
    assertThatThrownBy(round::requireAnswers)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("n1: did not answer in time");
    answers(0, 1);
    round.requireAnswers();
  }

  @Test
  void aQuestionThatIsGivenUpIsAskedAgain() {
    round.ask().join();
    asked.forEach(each -> each.completeExceptionally(new IllegalStateException("closed")));
    assertThat(figures().late()).singleElement().asString().contains("closed");
    round.ask().join();
    assertThat(asked).hasSize(2 * KINDS);
  }
}
