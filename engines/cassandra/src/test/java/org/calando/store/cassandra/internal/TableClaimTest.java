package org.calando.store.cassandra.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.DefaultWriteType;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims of a cluster that keeps one row, in seconds that pass between two looks. */
class TableClaimTest {
  private static final String KEYSPACE = "calando_governor";
  private static final String TABLE = "cluster";
  private static final String ELSEWHERE = "another-machine 17 4711 7b1f";

  /** Guarded by this. */
  private @Nullable Claimed row;

  private int second;
  private int pauses;

  /** So many statements end in a timeout, once they are done or before. */
  private int late;

  private boolean done;

  /** The statement after which two do. */
  private int lateAfter;

  private Runnable eachSecond = () -> {};
  private final CqlSession session =
      proxy(CqlSession.class, (proxy, method, arguments) -> execute(method, arguments));

  private record Claimed(String owner, String process, Instant since, int untilSecond) {}

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object execute(Method method, Object[] arguments) {
    if (!method.getName().equals("execute")) {
      throw new UnsupportedOperationException(method.getName());
    }
    SimpleStatement statement = (SimpleStatement) arguments[0];
    if (lateAfter > 0 && --lateAfter == 0) {
      Optional<Row> first = answer(statement.getQuery(), statement.getPositionalValues());
      late = 2;
      return result(first);
    }
    if (late > 0 && !done) {
      late--;
      throw timeout();
    }
    Optional<Row> answer = answer(statement.getQuery(), statement.getPositionalValues());
    if (late > 0) {
      late--;
      throw timeout();
    }
    return result(answer);
  }

  private static ResultSet result(Optional<Row> answer) {
    return proxy(
        ResultSet.class,
        (result, asked, none) -> {
          if (!asked.getName().equals("one")) {
            throw new UnsupportedOperationException(asked.getName());
          }
          return answer.orElse(null);
        });
  }

  private static WriteTimeoutException timeout() {
    return new WriteTimeoutException(
        proxy(Node.class, (node, asked, none) -> "n1"),
        DefaultConsistencyLevel.SERIAL,
        0,
        1,
        DefaultWriteType.CAS);
  }

  private synchronized Optional<Row> answer(String query, List<Object> values) {
    @Nullable Claimed now = row != null && row.untilSecond() > second ? row : null;
    row = now;
    if (query.equals(Cql.claim(KEYSPACE))) {
      if (now == null) {
        row =
            new Claimed(
                (String) values.get(1),
                (String) values.get(2),
                (Instant) values.get(3),
                second + (Integer) values.get(4));
      }
      return Optional.of(row(now, now == null));
    }
    if (query.equals(Cql.renewClaim(KEYSPACE))) {
      boolean applies = now != null && now.process().equals(values.get(5));
      if (applies) {
        row =
            new Claimed(
                (String) values.get(1),
                (String) values.get(2),
                (Instant) values.get(3),
                second + (Integer) values.get(0));
      }
      return Optional.of(row(applies ? null : now, applies));
    }
    if (query.equals(Cql.releaseClaim(KEYSPACE))) {
      boolean applies = now != null && now.process().equals(values.get(1));
      row = applies ? null : now;
      return Optional.of(row(null, applies));
    }
    if (query.equals(Cql.readClaimsEnd(KEYSPACE))) {
      return Optional.ofNullable(now).map(each -> row(each, false));
    }
    if (query.equals(Cql.readClaim(KEYSPACE))) {
      return Optional.ofNullable(now).map(each -> row(each, false));
    }
    throw new UnsupportedOperationException(query);
  }

  private Row row(@Nullable Claimed claimed, boolean applied) {
    return proxy(
        Row.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "getBoolean" -> applied;
              case "getInt" -> claimed == null ? 0 : claimed.untilSecond() - second;
              case "getString" ->
                  claimed == null
                      ? null
                      : arguments[0].equals("process") ? claimed.process() : claimed.owner();
              case "getInstant" -> claimed == null ? null : claimed.since();
              case "getColumnDefinitions" ->
                  proxy(ColumnDefinitions.class, (of, asked, name) -> claimed != null);
              default -> throw new UnsupportedOperationException(method.getName());
            });
  }

  /** Between two looks a second goes by, in which others do what they do. */
  private void pause(long millis) throws InterruptedException {
    assertThat(millis).isEqualTo(1000);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    second++;
    pauses++;
    eachSecond.run();
  }

  private TableClaim awaited(String process) {
    return TableClaim.await(session, KEYSPACE, TABLE, "governor", process, this::pause);
  }

  private synchronized void claimedBy(String process, int seconds) {
    row = new Claimed("somebody on another machine", process, Instant.EPOCH, second + seconds);
  }

  private synchronized Optional<String> holder() {
    return Optional.ofNullable(row).map(Claimed::process);
  }

  @AfterEach
  void noInterruptIsLeft() {
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whatNobodyHasIsTakenAtOnceAndGivenBack() {
    String mine = ThisProcess.name();
    try (TableClaim claim = awaited(mine)) {
      assertThat(holder()).contains(mine);
      assertThat(claim.lost()).isEmpty();
    }
    assertThat(holder()).isEmpty();
    assertThat(pauses).isZero();
  }

  @Test
  void aClaimThatTimesOutIsTriedAgainWhateverBecameOfIt() {
    for (boolean before : new boolean[] {true, false}) {
      done = !before;
      late = 2;
      String mine = ThisProcess.name();
      try (TableClaim claim = awaited(mine)) {
        assertThat(holder()).contains(mine);
        late = 2;
        claim.reaffirm();
        assertThat(claim.lost()).isEmpty();
      }
      String left = ThisProcess.name();
      awaited(left).close();
      claimedBy(left, 60);
      // The first finds the other, whose place is taken by the ones after it.
      lateAfter = 1;
      String next = ThisProcess.name();
      try (TableClaim claim = awaited(next)) {
        assertThat(holder()).contains(next);
        assertThat(claim.lost()).isEmpty();
      }
      late = 3;
      assertThatThrownBy(() -> awaited(ThisProcess.name()))
          .isInstanceOf(WriteTimeoutException.class);
      late = 0;
      row = null;
    }
  }

  @Test
  void aClaimThatNobodyRenewsIsWaitedForToItsEnd() {
    claimedBy(ELSEWHERE, 40);
    String mine = ThisProcess.name();
    try (TableClaim claim = awaited(mine)) {
      assertThat(holder()).contains(mine);
      assertThat(claim.lost()).isEmpty();
      assertThat(pauses).isBetween(39, 41);
    }
  }

  @Test
  void aClaimThatIsRenewedMeanwhileRefuses() {
    claimedBy(ELSEWHERE, 40);
    eachSecond =
        () -> {
          if (second == 12) {
            claimedBy(ELSEWHERE, 60);
          }
        };
    assertThatThrownBy(() -> awaited(ThisProcess.name()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("is in use by another governor: somebody on another machine");
    assertThat(pauses).isEqualTo(12);
    assertThat(holder()).contains(ELSEWHERE);
  }

  /** Ctrl-C while a start waits. */
  @Test
  void anInterruptEndsTheWaitAndNothingIsClaimed() {
    claimedBy(ELSEWHERE, 40);
    eachSecond =
        () -> {
          if (second == 5) {
            Thread.currentThread().interrupt();
          }
        };
    String mine = ThisProcess.name();
    assertThatThrownBy(() -> awaited(mine))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("another governor may still use it");
    assertThat(Thread.interrupted()).as("stays so for whoever waits further out").isTrue();
    assertThat(holder()).contains(ELSEWHERE);
    assertThat(pauses).isEqualTo(5);
    second = 50;
    try (TableClaim again = awaited(mine)) {
      assertThat(again.lost()).isEmpty();
    }
  }

  /** SIGHUP: what the file said before gives its claim back while what it says now waits. */
  @Test
  void theClaimThatThisProcessIsAboutToGiveBackIsWaitedFor() {
    TableClaim former = awaited(ThisProcess.name());
    eachSecond =
        () -> {
          if (second == 3) {
            former.close();
          }
        };
    String next = ThisProcess.name();
    try (TableClaim claim = awaited(next)) {
      assertThat(claim.lost()).isEmpty();
      assertThat(holder()).contains(next);
    }
    assertThat(holder()).isEmpty();
  }

  @Test
  void theClaimThatThisProcessKeepsAndRenewsRefuses() {
    String kept = ThisProcess.name();
    try (TableClaim former = awaited(kept)) {
      eachSecond =
          () -> {
            if (second == 15) {
              former.reaffirm();
            }
          };
      assertThatThrownBy(() -> awaited(ThisProcess.name()))
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("is in use by another governor");
      assertThat(holder()).contains(kept);
      assertThat(former.lost()).isEmpty();
    }
  }

  @Test
  void aClaimThatThisProcessClosedAndCouldNotGiveBackIsTakenAtOnce() {
    String mine = ThisProcess.name();
    awaited(mine).close();
    claimedBy(mine, 60);
    try (TableClaim claim = awaited(ThisProcess.name())) {
      assertThat(claim.lost()).isEmpty();
      assertThat(pauses).isZero();
    }
  }

  @Test
  void aClaimThatAnotherTookIsLost() {
    TableClaim claim = awaited(ThisProcess.name());
    claimedBy(ELSEWHERE, 60);
    assertThatThrownBy(claim::reaffirm).isInstanceOf(FailedWorkException.class);
    assertThat(claim.lost().orElseThrow())
        .contains("was taken over by somebody on another machine");
    claim.close();
    assertThat(holder()).as("not given back by who has lost it").contains(ELSEWHERE);
  }
}
