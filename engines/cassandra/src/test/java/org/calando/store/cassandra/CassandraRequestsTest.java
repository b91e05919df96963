package org.calando.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.internal.core.metadata.DefaultEndPoint;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.ClientRequests.Counts;
import org.junit.jupiter.api.Test;

/** What is known of nodes of which none answers. */
class CassandraRequestsTest {
  /** A session of a cluster that knows no node. */
  private static CqlSession session() {
    ClassLoader loader = CassandraRequestsTest.class.getClassLoader();
    Object metadata =
        Proxy.newProxyInstance(
            loader, new Class<?>[] {Metadata.class}, (proxy, method, arguments) -> Map.of());
    return (CqlSession)
        Proxy.newProxyInstance(
            loader, new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> metadata);
  }

  private static CassandraRequests requests(Supplier<Set<String>> off) {
    return new CassandraRequests(
        session(),
        new OffNodes(
            Map.of(
                InetSocketAddress.createUnresolved("10.0.0.1", 9042), "n1",
                InetSocketAddress.createUnresolved("10.0.0.3", 9042), "n3"),
            () -> new OffNodes.Away(off.get(), Set.of())));
  }

  private static Counts counts(CassandraRequests requests) {
    return requests.ask().toCompletableFuture().join();
  }

  @Test
  void aNodeThatIsOffByOrderAnswersNothingAndThatIsKnown() {
    CassandraRequests requests = requests(() -> Set.of("n3", "n9"));
    Counts counts = counts(requests);
    assertThat(counts.nodes()).containsOnlyKeys("n3");
    assertThat(counts.nodes().values())
        .allMatch(count -> count.life() == 0 && count.reads() == 0 && count.writes() == 0);
    assertThat(counts.isAnswered()).isFalse();
    assertThat(requests.problems()).containsExactly("n1 is no node of this cluster");
  }

  @Test
  void aNodeThatIsOffByOrderIsNoTroubleWhileOthersAreAsked() {
    CompletableFuture<AsyncResultSet> later = new CompletableFuture<>();
    Node n1 = node("10.0.0.1");
    Node n3 = node("10.0.0.3");
    ClassLoader loader = CassandraRequestsTest.class.getClassLoader();
    Object metadata =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {Metadata.class},
            (proxy, method, arguments) -> Map.of(new UUID(0, 1), n1, new UUID(0, 3), n3));
    CqlSession session =
        (CqlSession)
            Proxy.newProxyInstance(
                loader,
                new Class<?>[] {CqlSession.class},
                (proxy, method, arguments) ->
                    method.getName().equals("getMetadata")
                        ? metadata
                        : ((Statement<?>) arguments[0]).getNode() == n1
                            ? later
                            : CompletableFuture.failedFuture(new NodeUnavailableException(n3)));
    CassandraRequests requests =
        new CassandraRequests(
            session,
            new OffNodes(
                Map.of(
                    InetSocketAddress.createUnresolved("10.0.0.1", 9042), "n1",
                    InetSocketAddress.createUnresolved("10.0.0.3", 9042), "n3"),
                () -> new OffNodes.Away(Set.of("n3"), Set.of("n3"))));
    CompletableFuture<Counts> asked = requests.ask().toCompletableFuture();
    assertThat(requests.problems()).isEmpty();
    later.completeExceptionally(new NodeUnavailableException(n1));
    assertThat(asked.join().nodes()).containsOnlyKeys("n3");
    assertThat(requests.problems()).containsExactly("n1 does not answer: no connection to it");
  }

  private static Node node(String host) {
    EndPoint point = new DefaultEndPoint(InetSocketAddress.createUnresolved(host, 9042));
    return (Node)
        Proxy.newProxyInstance(
            CassandraRequestsTest.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getEndPoint" -> point;
                  case "getUpSinceMillis" -> 1L;
                  case "hashCode" -> host.hashCode();
                  case "equals" -> proxy == arguments[0];
                  default -> host;
                });
  }

  @Test
  void whereItCannotBeReadWhichAreOffNothingIsKnownOfThem() {
    CassandraRequests requests =
        requests(
            () -> {
              throw new FailedWorkException("is damaged", "racks.json", "restore it");
            });
    assertThat(counts(requests).nodes()).isEmpty();
    assertThat(requests.problems()).hasSize(2);
  }
}
