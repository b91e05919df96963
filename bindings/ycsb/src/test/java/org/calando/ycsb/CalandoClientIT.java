package org.calando.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Three real nodes; an unmodified YCSB in a process of its own, or its calls one by one. */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB's interface has a Vector of HashMaps.
class CalandoClientIT {
  /** The driver's own setting, which its users have as well: a busy machine may take seconds. */
  private static final String TIMEOUT = "datastax-java-driver.basic.request.timeout";

  private static final String PATIENT = "60 seconds";

  private static LocalCassandra cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    System.setProperty(TIMEOUT, PATIENT);
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.47")
                .cqlPort(8142)
                .storagePort(8100)
                .jmxPort(8199)
                .yaml("write_request_timeout", "20s")
                .yaml("read_request_timeout", "20s")
                .startTimeout(Duration.ofMinutes(5))
                .build());
    LocalNode node = cluster.nodes().get(0);
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
            .withLocalDatacenter("dc1")
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
                    .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
                    .build())
            .build()) {
      session.execute(
          "CREATE KEYSPACE ycsb WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      String fields =
          String.join(
              ", ", IntStream.range(0, 10).mapToObj(i -> "field" + i + " varchar").toList());
      session.execute("CREATE TABLE ycsb.usertable (y_id varchar PRIMARY KEY, " + fields + ")");
    }
  }

  @AfterAll
  static void stop() {
    System.clearProperty(TIMEOUT);
    if (cluster != null) {
      cluster.close();
    }
  }

  private static List<String> where() {
    return List.of(
        "hosts=" + cluster.nodes().get(0).address() + "," + cluster.nodes().get(1).address(),
        "cassandra.port=8142",
        "cassandra.datacenter=dc1");
  }

  private List<String> ycsb(String phase, String... properties)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Xmx256m",
        "-D" + TIMEOUT + "=" + PATIENT,
        "-cp",
        System.getProperty("java.class.path"),
        "site.ycsb.Client",
        phase,
        "-db",
        "org.calando.ycsb.CalandoClient",
        "-threads",
        "4");
    List<String> all = new ArrayList<>(List.of(properties));
    Collections.addAll(
        all,
        "workload=site.ycsb.workloads.CoreWorkload",
        "recordcount=100",
        "readproportion=0.5",
        "updateproportion=0.5",
        "scanproportion=0",
        "insertproportion=0",
        "requestdistribution=zipfian");
    all.addAll(where());
    all.forEach(each -> Collections.addAll(command, "-p", each));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("YCSB ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(output);
  }

  private static long number(List<String> output, String line) {
    return output.stream()
        .filter(each -> each.startsWith(line + ", "))
        .mapToLong(each -> Long.parseLong(each.substring(line.length() + 2)))
        .sum();
  }

  @Test
  void workloadARunsAndItsReadsGetTheLevelThatWasChosen() throws IOException, InterruptedException {
    List<String> loaded = ycsb("-load", "operationcount=0");
    assertThat(number(loaded, "[INSERT], Return=OK")).as("%s", loaded).isEqualTo(100);

    List<String> ran = ycsb("-t", "operationcount=2500", "target=500", "calando.policy=static:1");
    long reads = number(ran, "[READ], Return=OK");
    assertThat(reads + number(ran, "[UPDATE], Return=OK")).as("%s", ran).isEqualTo(2500);
    // Reads at the fallback until the first decision, and again where the machine stands still for
    // long.
    long weak = number(ran, "[READ-AT-ONE], Operations");
    assertThat(weak).as("%s", ran).isPositive();
    assertThat(weak + number(ran, "[READ-AT-QUORUM], Operations")).as("%s", ran).isEqualTo(reads);
    assertThat(ran).containsAnyOf("[CALANDO], Level, ONE", "[CALANDO], Level, QUORUM");
  }

  @Test
  void whatIsWrongIsSaid() throws IOException, InterruptedException {
    assertThat(ycsb("-t", "operationcount=1", "calando.tolerate=many"))
        .anyMatch(line -> line.contains("calando.tolerate: 'many'"));
    // A column that the table has not: each operation fails, and YCSB counts no more than that.
    List<String> failed = ycsb("-load", "operationcount=0", "fieldnameprefix=none");
    assertThat(failed)
        .filteredOn(line -> line.startsWith("calando: insert failed: InvalidQueryException"))
        .isNotEmpty()
        .hasSizeLessThan(6);
  }

  private static CalandoClient client(String... properties) throws DBException {
    Properties all = new Properties();
    Stream.concat(where().stream(), Stream.of(properties))
        .map(each -> each.split("=", 2))
        .forEach(pair -> all.setProperty(pair[0], pair[1]));
    CalandoClient client = new CalandoClient();
    client.setProperties(all);
    client.init();
    return client;
  }

  private static Map<String, ByteIterator> value(String field, String text) {
    return Map.of(field, new StringByteIterator(text));
  }

  @Test
  void readsAreSafeWhereNothingStaleIsTolerated() throws DBException {
    CalandoClient client = client("calando.tolerate=0%");
    try {
      assertThat(client.insert("usertable", "kept", value("field1", "a"))).isEqualTo(Status.OK);
      assertThat(client.read("usertable", "kept", null, new HashMap<>())).isEqualTo(Status.OK);
      assertThat(client.report()).contains("[READ-AT-ALL], Operations, 1");
    } finally {
      client.cleanup();
    }
  }

  @Test
  void readsAreWeakerOnceLessIsSeenToBeEnough() throws DBException {
    CalandoClient client = client("calando.policy=harmony", "calando.tolerate=90%");
    try {
      assertThat(client.insert("usertable", "kept", value("field1", "a"))).isEqualTo(Status.OK);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(
              () -> {
                client.update("usertable", "kept", value("field1", "b"));
                client.read("usertable", "kept", null, new HashMap<>());
                // All at once: a machine that stands still makes reads safe again.
                String report = client.report();
                return Stream.of(
                        "[READ-AT-ONE]",
                        "[CALANDO], Level, ONE",
                        "[CALANDO], Reason, harmony",
                        "[CALANDO], Requests, ")
                    .allMatch(report::contains);
              });
    } finally {
      client.cleanup();
    }
    assertThat(client.read("usertable", "kept", null, new HashMap<>()))
        .isEqualTo(Status.SERVICE_UNAVAILABLE);
  }

  @Test
  void everyOperationDoesWhatYcsbAsksFor() throws DBException {
    CalandoClient client = client("cassandra.readconsistencylevel=QUORUM");
    try {
      Map<String, ByteIterator> both = new HashMap<>(value("field1", "a"));
      both.put("field2", new StringByteIterator("b"));
      assertThat(client.insert("usertable", "all", both)).isEqualTo(Status.OK);
      assertThat(client.update("usertable", "all", value("field2", "c"))).isEqualTo(Status.OK);
      Map<String, ByteIterator> row = new HashMap<>();
      assertThat(client.read("usertable", "all", null, row)).isEqualTo(Status.OK);
      assertThat(StringByteIterator.getStringMap(row))
          .containsExactlyInAnyOrderEntriesOf(Map.of("field1", "a", "field2", "c"));
      Map<String, ByteIterator> part = new HashMap<>();
      assertThat(client.read("usertable", "all", Set.of("field2"), part)).isEqualTo(Status.OK);
      assertThat(part.keySet()).containsExactly("field2");
      Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
      assertThat(client.scan("usertable", "all", 1, Set.of("field1"), rows)).isEqualTo(Status.OK);
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).get("field1")).hasToString("a");
      assertThat(client.delete("usertable", "all")).isEqualTo(Status.OK);
      assertThat(client.read("usertable", "all", null, row)).isEqualTo(Status.NOT_FOUND);
      assertThat(client.read("nowhere", "all", null, row)).isEqualTo(Status.ERROR);
      assertThat(client.report()).isEqualTo("[READ-AT-QUORUM], Operations, 4\n");
    } finally {
      client.cleanup();
    }
  }
}
