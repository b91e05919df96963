package org.calando.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.calando.core.FailedWorkException;
import org.calando.core.observe.ClientRequests.Count;
import org.calando.core.observe.ClientRequests.Counts;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Region;
import org.calando.store.hbase.RegionServers.Report;
import org.junit.jupiter.api.Test;

/** What is made of what a master said. */
class HBaseRequestsTest {
  private static final Map<Integer, String> NODES = Map.of(1, "n1", 2, "n2");

  private volatile List<Report> reports = List.of();
  private volatile Set<String> drained = Set.of();

  private static Report report(String server, long second, long rows) {
    Load load = new Load(new Region("r" + server, "t"), rows, rows, 1);
    return new Report(server, 1, 1000 * second, List.of(load));
  }

  private HBaseRequests requests() {
    RegionServers servers =
        (RegionServers)
            Proxy.newProxyInstance(
                RegionServers.class.getClassLoader(),
                new Class<?>[] {RegionServers.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "reports" -> said();
                      case "drained" -> drained;
                      case "close" -> null;
                      default -> throw new UnsupportedOperationException(method.getName());
                    });
    return new HBaseRequests(
        servers,
        List.of("n1", "n2"),
        List.of("master"),
        server -> Optional.ofNullable(NODES.get(server.port())));
  }

  private List<Report> said() {
    if (reports.isEmpty()) {
      throw new FailedWorkException("the master does not answer", "hbase", "start it");
    }
    return reports;
  }

  private static Counts ask(HBaseRequests requests) throws Exception {
    return requests.ask().toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  private static Count count(Counts counts, String node) {
    return Objects.requireNonNull(counts.nodes().get(node));
  }

  @Test
  void nodesWithoutAServerAndThoseOffByOrderAnswerNothing() throws Exception {
    try (HBaseRequests requests = requests()) {
      reports = List.of(report("a:1", 10, 100), report("a:2", 10, 7));
      assertThat(ask(requests).nodes()).containsOnlyKeys("n1", "n2", "master");
      reports = List.of(report("a:1", 20, 130));
      Counts dead = ask(requests);
      assertThat(count(dead, "n1").reads()).isEqualTo(30);
      assertThat(dead.nodes()).as("one that is dead").containsOnlyKeys("n1", "master");
      assertThat(requests.problems())
          .containsExactly("n2 has reported no requests since the last look");
      reports = List.of(report("a:1", 30, 130));
      drained = Set.of("a:1", "a:2");
      Counts off = ask(requests);
      assertThat(count(off, "n2")).extracting(Count::life, Count::reads).containsExactly(0L, 0L);
      assertThat(count(off, "n1").life()).as("one that is drained and lives").isNotZero();
      assertThat(requests.problems()).isEmpty();
    }
  }

  @Test
  void aMasterThatDoesNotAnswerAndAServerThatIsNotListedAreReported() throws Exception {
    try (HBaseRequests requests = requests()) {
      assertThat(ask(requests)).isEqualTo(Counts.UNKNOWN);
      assertThat(requests.problems()).singleElement().asString().contains("does not answer");
      reports = List.of(report("a:1", 10, 1), report("a:2", 10, 1), report("a:9", 10, 1));
      assertThat(ask(requests).nodes()).hasSize(3);
      assertThat(requests.problems())
          .containsExactly("a:9 is not listed: its requests are not counted");
    }
  }
}
