package org.calando.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An unmodified YCSB, in a process of its own, on three real nodes. */
class CalandoClientIT {
  private static LocalCassandra cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    cluster =
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(3)
                .racks(3)
                .block("127.47")
                .cqlPort(8142)
                .storagePort(8100)
                .jmxPort(8199)
                .build());
    LocalNode node = cluster.nodes().get(0);
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
            .withLocalDatacenter("dc1")
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
    if (cluster != null) {
      cluster.close();
    }
  }

  private List<String> ycsb(String phase, String... properties)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-Xmx256m",
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
        "requestdistribution=zipfian",
        "hosts=" + cluster.nodes().get(0).address() + "," + cluster.nodes().get(1).address(),
        "cassandra.port=8142",
        "cassandra.datacenter=dc1");
    all.forEach(each -> Collections.addAll(command, "-p", each));
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("YCSB ends").isTrue();
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
  void workloadARunsAndItsReadsGetTheLevelsThatWereChosen()
      throws IOException, InterruptedException {
    List<String> loaded = ycsb("-load", "operationcount=0");
    assertThat(number(loaded, "[INSERT], Return=OK")).as("%s", loaded).isEqualTo(100);

    List<String> ran =
        ycsb(
            "-t",
            "operationcount=100000",
            "maxexecutiontime=15",
            "target=400",
            "calando.tolerate=90%");
    long reads = number(ran, "[READ], Return=OK");
    assertThat(reads).as("%s", ran).isPositive();
    assertThat(number(ran, "[UPDATE], Return=OK")).isPositive();
    assertThat(ran).noneMatch(line -> line.contains("Return=ERROR"));
    // The safe level of writes at ONE first, and ONE as soon as it was seen to be enough.
    assertThat(number(ran, "[READ-AT-ALL], Operations")).isPositive();
    assertThat(number(ran, "[READ-AT-ONE], Operations")).as("%s", ran).isPositive();
    long counted =
        ran.stream()
            .filter(line -> line.startsWith("[READ-AT-"))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
    assertThat(counted).isEqualTo(reads);

    List<String> strong = ycsb("-t", "operationcount=300", "cassandra.readconsistencylevel=QUORUM");
    assertThat(number(strong, "[READ-AT-QUORUM], Operations"))
        .isEqualTo(number(strong, "[READ], Return=OK"))
        .isPositive();
  }

  @Test
  void whatIsWrongIsSaid() throws IOException, InterruptedException {
    assertThat(ycsb("-t", "operationcount=1", "calando.tolerate=many"))
        .anyMatch(line -> line.contains("calando.tolerate: 'many'"));
  }
}
