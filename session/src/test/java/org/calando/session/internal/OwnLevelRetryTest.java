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
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Which statements are sent with which time; a driver's session answers as it is told. */
class OwnLevelRetryTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration HALF = Duration.ofSeconds(1);
  private static final SimpleStatement OWN = SimpleStatement.newInstance("SELECT v FROM t");
  private static final SimpleStatement STRONG =
      OWN.setConsistencyLevel(DefaultConsistencyLevel.ALL);

  private final ResultSet rows = of(ResultSet.class, (proxy, method, args) -> null);
  private final AsyncResultSet page = of(AsyncResultSet.class, (proxy, method, args) -> null);
  private final List<Statement<?>> sent = new ArrayList<>();
  private final List<Boolean> asked = new ArrayList<>();
  private RuntimeException failure = new DriverTimeoutException("none");

  private static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Fails the first request. */
  private final CqlSession session =
      of(
          CqlSession.class,
          (proxy, method, args) -> {
            switch (method.getName()) {
              case "getContext" -> {
                return context();
              }
              case "execute" -> {
                sent.add((Statement<?>) args[0]);
                if (sent.size() == 1) {
                  throw failure;
                }
                return rows;
              }
              case "executeAsync" -> {
                sent.add((Statement<?>) args[0]);
                return sent.size() == 1
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(page);
              }
              default -> throw new UnsupportedOperationException(method.getName());
            }
          });

  private static DriverContext context() {
    DriverExecutionProfile profile =
        of(DriverExecutionProfile.class, (proxy, method, args) -> TIMEOUT);
    DriverConfig config = of(DriverConfig.class, (proxy, method, args) -> profile);
    return of(DriverContext.class, (proxy, method, args) -> config);
  }

  private OwnLevelRetry read(SimpleStatement statement, boolean asksMore) {
    return new OwnLevelRetry(
        session,
        statement,
        asksMore,
        cutShort -> {
          asked.add(cutShort);
          return Optional.of(statement.setConsistencyLevel(null));
        });
  }

  @Test
  void aStrongerReadHasHalfOfTheTimeAndItsRetryTheWhole() {
    assertThat(read(STRONG, true).execute()).isSameAs(rows);
    assertThat(sent).extracting(Statement::getTimeout).containsExactly(HALF, null);
    assertThat(sent)
        .extracting(Statement::getConsistencyLevel)
        .containsExactly(DefaultConsistencyLevel.ALL, null);
    assertThat(asked).containsExactly(true);
  }

  @Test
  void theSameWithoutWaitingAndWithATimeoutOfItsOwn() {
    SimpleStatement patient = STRONG.setTimeout(Duration.ofSeconds(30));
    assertThat(read(patient, true).executeAsync().toCompletableFuture().join()).isSameAs(page);
    assertThat(sent)
        .extracting(Statement::getTimeout)
        .containsExactly(Duration.ofSeconds(15), Duration.ofSeconds(30));
  }

  @Test
  void withoutATimeoutThereIsNoHalfOfOne() {
    assertThat(read(STRONG.setTimeout(Duration.ZERO), true).execute()).isSameAs(rows);
    assertThat(sent).extracting(Statement::getTimeout).containsOnly(Duration.ZERO);
  }

  @Test
  void aLostConnectionIsTriedAgainAsFarAsThereAreRetries() {
    failure = new ClosedConnectionException("lost");
    assertThat(read(STRONG, true).execute()).isSameAs(rows);
    assertThat(asked).containsExactly(false);
  }

  @Test
  void whatAsksNoMoreThanTheApplicationFailsAsItDid() {
    assertThatThrownBy(() -> read(STRONG, false).execute()).isSameAs(failure);
    assertThat(sent).extracting(Statement::getTimeout).containsOnlyNulls();
    sent.clear();
    assertThatThrownBy(() -> read(STRONG, false).executeAsync().toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCause(failure);
    assertThat(asked).isEmpty();
  }
}
