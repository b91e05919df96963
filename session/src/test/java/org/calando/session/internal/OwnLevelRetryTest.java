package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.config.DriverConfig;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.calando.session.ReactiveRows;
import org.junit.jupiter.api.Test;

/** Which statements are sent when; a driver's session answers when and as it is told. */
class OwnLevelRetryTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration HALF = Duration.ofSeconds(1);
  private static final SimpleStatement OWN = SimpleStatement.newInstance("SELECT v FROM t");
  private static final SimpleStatement STRONG =
      OWN.setConsistencyLevel(DefaultConsistencyLevel.ALL);
  private static final ByteBuffer NEXT = ByteBuffer.wrap(new byte[] {7});
  private final RuntimeException late = new DriverTimeoutException("late");
  private final RuntimeException lost = new ClosedConnectionException("lost");

  /** A request that was sent, and its answer. */
  private record Sent(Statement<?> statement, CompletableFuture<AsyncResultSet> answer) {}

  /** A time that was asked for. */
  private record Timer(Duration time, CompletableFuture<Boolean> due) {}

  private final List<Sent> sent = new ArrayList<>();
  private final List<Timer> timers = new ArrayList<>();
  private final List<Boolean> asked = new ArrayList<>();
  private final Queue<CompletableFuture<AsyncResultSet>> prepared = new ArrayDeque<>();
  private boolean refused;

  private static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final CqlSession session =
      of(
          CqlSession.class,
          (proxy, method, args) -> {
            if (method.getName().equals("getContext")) {
              return context();
            }
            assertThat(method.getName()).isEqualTo("executeAsync");
            CompletableFuture<AsyncResultSet> answer =
                prepared.isEmpty() ? new CompletableFuture<>() : prepared.remove();
            sent.add(new Sent((Statement<?>) args[0], answer));
            return answer;
          });

  private static DriverContext context() {
    DriverExecutionProfile profile =
        of(DriverExecutionProfile.class, (proxy, method, args) -> TIMEOUT);
    DriverConfig config = of(DriverConfig.class, (proxy, method, args) -> profile);
    return of(DriverContext.class, (proxy, method, args) -> config);
  }

  private static final ColumnDefinitions COLUMNS =
      of(ColumnDefinitions.class, (proxy, method, args) -> null);

  /** A page of one row. */
  private static AsyncResultSet page(boolean more) {
    Row row = of(Row.class, (proxy, method, args) -> COLUMNS);
    ExecutionInfo info = of(ExecutionInfo.class, (proxy, method, args) -> NEXT);
    return of(
        AsyncResultSet.class,
        (proxy, method, args) ->
            switch (method.getName()) {
              case "hasMorePages" -> more;
              case "getExecutionInfo" -> info;
              case "currentPage" -> List.of(row);
              case "remaining" -> 1;
              case "getColumnDefinitions" -> COLUMNS;
              case "wasApplied" -> true;
              default -> throw new IllegalStateException(method.getName());
            });
  }

  private OwnLevelRetry read(SimpleStatement statement, boolean asksMore) {
    return new OwnLevelRetry(
        session,
        statement,
        () -> asksMore,
        promised -> {
          asked.add(promised);
          return Optional.<Statement<?>>of(statement.setConsistencyLevel(null))
              .filter(any -> !refused);
        },
        time -> {
          CompletableFuture<Boolean> due = new CompletableFuture<>();
          timers.add(new Timer(time, due));
          return due;
        });
  }

  private CompletableFuture<AsyncResultSet> begin(boolean asksMore) {
    return read(STRONG, asksMore).executeAsync().toCompletableFuture();
  }

  private void halfIsOver() {
    assertThat(timers.get(timers.size() - 1).due().complete(true)).isTrue();
  }

  @Test
  void aStrongerReadThatIsAnsweredInHalfOfItsTimeIsSentOnce() {
    CompletableFuture<AsyncResultSet> read = begin(true);
    assertThat(timers).extracting(Timer::time).containsExactly(HALF);
    AsyncResultSet page = page(false);
    sent.get(0).answer().complete(page);
    assertThat(read.join()).isSameAs(page);
    assertThat(timers.get(0).due()).as("nobody waits for it").isCompletedWithValue(false);
    assertThat(sent).extracting(Sent::statement).singleElement().isSameAs(STRONG);
    assertThat(asked).isEmpty();
  }

  @Test
  void afterHalfOfItsTimeItIsSentAtTheOwnLevelAsWellWithTheWholeTime() {
    CompletableFuture<AsyncResultSet> read = begin(true);
    halfIsOver();
    assertThat(read).isNotDone();
    assertThat(sent)
        .extracting(each -> each.statement().getConsistencyLevel())
        .containsExactly(DefaultConsistencyLevel.ALL, null);
    assertThat(sent).extracting(each -> each.statement().getTimeout()).containsOnlyNulls();
    AsyncResultSet page = page(false);
    sent.get(1).answer().complete(page);
    assertThat(read.join()).isSameAs(page);
    assertThat(sent.get(0).answer()).as("the other").isCancelled();
    assertThat(asked).containsExactly(true);
  }

  @Test
  void theChosenLevelMayStillBeTheFirstToAnswer() {
    CompletableFuture<AsyncResultSet> read = begin(true);
    halfIsOver();
    AsyncResultSet page = page(false);
    sent.get(0).answer().complete(page);
    assertThat(read.join()).isSameAs(page);
    assertThat(sent.get(1).answer()).isCancelled();
  }

  @Test
  void whoeverFailsTheOtherIsWaitedFor() {
    for (int failed = 0; failed < 2; failed++) {
      sent.clear();
      CompletableFuture<AsyncResultSet> read = begin(true);
      halfIsOver();
      sent.get(failed).answer().completeExceptionally(late);
      assertThat(read).isNotDone();
      AsyncResultSet page = page(false);
      sent.get(1 - failed).answer().complete(page);
      assertThat(read.join()).isSameAs(page);
    }
  }

  @Test
  void ifBothFailTheApplicationHearsOfItsOwn() {
    RuntimeException own = new DriverTimeoutException("own");
    for (int first = 0; first < 2; first++) {
      sent.clear();
      CompletableFuture<AsyncResultSet> read = begin(true);
      halfIsOver();
      sent.get(first).answer().completeExceptionally(first == 0 ? late : own);
      sent.get(1 - first).answer().completeExceptionally(first == 0 ? own : late);
      assertThatThrownBy(read::join).isInstanceOf(CompletionException.class).hasCause(own);
    }
  }

  @Test
  void aFailureOfTheLevelIsRetriedAtOnce() {
    CompletableFuture<AsyncResultSet> read = begin(true);
    sent.get(0).answer().completeExceptionally(lost);
    assertThat(timers.get(0).due()).isCompleted();
    sent.get(1).answer().complete(page(false));
    assertThat(read).isCompleted();
    assertThat(asked).containsExactly(true);
  }

  @Test
  void anotherFailureIsTheAnswer() {
    RuntimeException other = new IllegalArgumentException("other");
    CompletableFuture<AsyncResultSet> read = begin(true);
    sent.get(0).answer().completeExceptionally(other);
    assertThatThrownBy(read::join).hasCause(other);
    assertThat(sent).hasSize(1);
    assertThat(timers.get(0).due()).isCompletedWithValue(false);
  }

  @Test
  void aReadThatMayNotBeRetriedKeepsItsTime() {
    refused = true;
    CompletableFuture<AsyncResultSet> read = begin(true);
    halfIsOver();
    assertThat(read).isNotDone();
    sent.get(0).answer().complete(page(false));
    assertThat(read).isCompleted();
    assertThat(sent).hasSize(1);
  }

  @Test
  void whatAsksNoMoreThanTheApplicationFailsAsItDid() {
    for (RuntimeException failure : List.of(late, lost)) {
      sent.clear();
      CompletableFuture<AsyncResultSet> read = begin(false);
      sent.get(0).answer().completeExceptionally(failure);
      assertThatThrownBy(read::join).isInstanceOf(CompletionException.class).hasCause(failure);
    }
    assertThat(timers).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void aTimeoutOfItsOwnIsHalvedAndWithoutOneThereIsNoHalf() {
    var unused = read(STRONG.setTimeout(Duration.ofSeconds(30)), true).executeAsync();
    assertThat(timers).extracting(Timer::time).containsExactly(Duration.ofSeconds(15));
    timers.clear();
    sent.clear();
    var read = read(STRONG.setTimeout(Duration.ZERO), true).executeAsync();
    assertThat(timers).isEmpty();
    sent.get(0).answer().completeExceptionally(lost);
    sent.get(1).answer().complete(page(false));
    assertThat(read.toCompletableFuture()).isCompleted();
  }

  @Test
  void whoGivesUpEndsBothRequests() {
    CompletableFuture<AsyncResultSet> read = begin(true);
    halfIsOver();
    assertThat(read.cancel(true)).isTrue();
    assertThat(sent).extracting(Sent::answer).allMatch(CompletableFuture::isCancelled);
    assertThatThrownBy(read::join).isInstanceOf(CancellationException.class);
  }

  @Test
  void everyPageAfterOneAtTheChosenLevelIsReadLikeTheFirst() {
    CompletableFuture<AsyncResultSet> first = begin(true);
    sent.get(0).answer().complete(page(true));
    AsyncResultSet page = first.join();
    assertThat(page.remaining()).isEqualTo(1);
    CompletableFuture<AsyncResultSet> second = page.fetchNextPage().toCompletableFuture();
    halfIsOver();
    assertThat(timers).hasSize(2);
    assertThat(sent.subList(1, 3))
        .extracting(each -> each.statement().getConsistencyLevel())
        .containsExactly(DefaultConsistencyLevel.ALL, null);
    assertThat(sent.subList(1, 3))
        .extracting(each -> each.statement().getPagingState())
        .containsOnly(NEXT);
    AsyncResultSet own = page(true);
    sent.get(2).answer().complete(own);
    assertThat(second.join()).as("followed by the driver's, at its level").isSameAs(own);
  }

  @Test
  void synchronousReadsGetTheRowsOfTheWinner() {
    prepared.add(CompletableFuture.failedFuture(lost));
    prepared.add(CompletableFuture.completedFuture(page(false)));
    assertThat(read(STRONG, true).execute().all()).hasSize(1);
    prepared.add(CompletableFuture.failedFuture(late));
    OwnLevelRetry plain = read(STRONG, false);
    assertThatThrownBy(plain::execute).isInstanceOf(DriverTimeoutException.class);
  }

  @Test
  void reactiveReadsAreRetriedWhenSomebodySubscribed() {
    var rows = read(STRONG, true).executeReactive();
    assertThat(sent).isEmpty();
    var all = ReactiveRows.of(rows);
    halfIsOver();
    sent.get(1).answer().complete(page(false));
    assertThat(all.join()).hasSize(1);
  }
}
