package org.calando.session.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.calando.core.store.ConsistencyLevel;
import org.junit.jupiter.api.Test;

/** What a canary's requests that fail are told to be; a driver's session answers as it is told. */
class DriverCanariesTest {
  private static final String MODIFY = "User app has no MODIFY permission on <table shop.c>";
  private static final String SELECT = "User app has no SELECT permission on <table shop.c>";

  private CompletableFuture<AsyncResultSet> answer = new CompletableFuture<>();

  private final DriverCanaries canaries =
      new DriverCanaries(
          of(CqlSession.class, (proxy, method, args) -> answer),
          new CanaryTable(prepared(), prepared()),
          of(ScheduledExecutorService.class, (proxy, method, args) -> null),
          () -> 0,
          false,
          Duration.ofSeconds(1),
          ByteBuffer.allocate(1),
          new CostMeter(),
          new CanaryTrouble());

  private static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static PreparedStatement prepared() {
    BoundStatement bound = of(BoundStatement.class, (proxy, method, args) -> proxy);
    return of(PreparedStatement.class, (proxy, method, args) -> bound);
  }

  private static UnauthorizedException refused(String message) {
    return new UnauthorizedException(of(Node.class, (proxy, method, args) -> null), message);
  }

  private static <T> CompletableFuture<T> failed(Throwable error) {
    return CompletableFuture.failedFuture(error);
  }

  private static AsyncResultSet nothing() {
    return of(AsyncResultSet.class, (proxy, method, args) -> null);
  }

  private void write() {
    canaries.write(1, 2, ConsistencyLevel.ONE, acknowledged -> {});
  }

  private void read() {
    canaries.read(1, ConsistencyLevel.ONE, found -> {});
  }

  @Test
  void aWriteThatFailsIsTroubleUntilOneSucceeds() {
    assertThat(canaries.trouble().text()).isEmpty();
    answer = failed(refused(MODIFY));
    write();
    assertThat(canaries.trouble().text()).contains("the canary fails: " + MODIFY);
    answer = failed(new DriverTimeoutException("late"));
    write();
    assertThat(canaries.trouble().text()).contains("the canary fails: did not answer in time");
    answer = CompletableFuture.completedFuture(nothing());
    write();
    assertThat(canaries.trouble().text()).isEmpty();
  }

  @Test
  void aReadIsTroubleOnlyWhereItIsRefused() {
    answer = failed(new DriverTimeoutException("late"));
    read();
    assertThat(canaries.trouble().text()).isEmpty();
    assertThat(canaries.trouble().isRefused()).isFalse();
    answer = failed(refused(SELECT));
    read();
    assertThat(canaries.trouble().isRefused()).isTrue();
    answer = failed(new DriverTimeoutException("late"));
    read();
    assertThat(canaries.trouble().text()).contains("the canary fails: " + SELECT);
    answer = CompletableFuture.completedFuture(nothing());
    read();
    assertThat(canaries.trouble().text()).isEmpty();
  }
}
