package org.calando.bench.rack;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.calando.core.time.RealTimeScheduler;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalNode;

/** An unmodified YCSB in a process of its own, half reads and half updates at QUORUM. */
final class YcsbTraffic implements AutoCloseable {
  /** Payload of an update, which writes all fields. */
  static final int UPDATE_BYTES = 1000;

  private static final int FIELDS = 10;
  private static final int RECORDS = 2000;
  private static final Pattern FIGURES =
      Pattern.compile(
          "\\[(READ|UPDATE|READ-FAILED|UPDATE-FAILED): Count=(\\d+), Max=(\\d+).*? 99=(\\d+),");

  private final Process process;
  private final RealTimeScheduler reader = new RealTimeScheduler("ycsb");
  private final List<Second> seconds = Collections.synchronizedList(new ArrayList<>());
  private final List<String> errors = Collections.synchronizedList(new ArrayList<>());

  /**
   * What YCSB reported of one kind of operation in a second.
   *
   * @param nanos when, of {@link System#nanoTime()}
   */
  record Second(long nanos, String kind, long count, double maxMillis, double p99Millis) {}

  private YcsbTraffic(Process process) {
    this.process = process;
    reader.at(reader.clock().nanos(), this::read);
  }

  /** Makes the table of YCSB's Cassandra binding, and fills it. */
  static void load(LocalCassandra cluster) throws IOException, InterruptedException {
    LocalNode node = cluster.nodes().get(0);
    try (CqlSession session =
        CqlSession.builder()
            .addContactPoint(new InetSocketAddress(node.address(), node.cqlPort()))
            .withLocalDatacenter(LocalCassandra.DATA_CENTRE)
            .withConfigLoader(
                DriverConfigLoader.programmaticBuilder()
                    .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                    .build())
            .build()) {
      session.execute(
          "CREATE KEYSPACE ycsb WITH replication ="
              + " {'class': 'NetworkTopologyStrategy', 'dc1': 3}");
      String fields =
          IntStream.range(0, FIELDS)
              .mapToObj(i -> "field" + i + " varchar")
              .collect(Collectors.joining(", "));
      session.execute("CREATE TABLE ycsb.usertable (y_id varchar PRIMARY KEY, " + fields + ")");
    }
    try (YcsbTraffic load = new YcsbTraffic(command(cluster, "-load", false, 0).start())) {
      if (!load.process.waitFor(5, TimeUnit.MINUTES) || load.process.exitValue() != 0) {
        throw new IllegalStateException("YCSB did not load: " + load.errors);
      }
    }
  }

  /**
   * Begins.
   *
   * @param idempotent the driver's default of what is not declared, {@code false} in the driver
   * @param target operations a second
   */
  static YcsbTraffic start(LocalCassandra cluster, boolean idempotent, int target)
      throws IOException {
    return new YcsbTraffic(command(cluster, "-t", idempotent, target).start());
  }

  private static ProcessBuilder command(
      LocalCassandra cluster, String phase, boolean idempotent, int target) {
    List<String> command = new ArrayList<>();
    Collections.addAll(
        command,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx192m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Ddatastax-java-driver.basic.request.default-idempotence=" + idempotent,
        "-cp",
        System.getProperty("java.class.path"),
        "site.ycsb.Client",
        phase,
        "-s",
        "-db",
        "org.calando.ycsb.CalandoClient",
        "-threads",
        "8");
    if (target > 0) {
      Collections.addAll(command, "-target", Integer.toString(target));
    }
    String hosts =
        cluster.nodes().stream().map(LocalNode::address).collect(Collectors.joining(","));
    for (String property :
        List.of(
            "workload=site.ycsb.workloads.CoreWorkload",
            "recordcount=" + RECORDS,
            "operationcount=" + Integer.MAX_VALUE,
            "readproportion=0.5",
            "updateproportion=0.5",
            "scanproportion=0",
            "insertproportion=0",
            "writeallfields=true",
            "requestdistribution=zipfian",
            "measurementtype=hdrhistogram",
            "status.interval=1",
            "cassandra.readconsistencylevel=QUORUM",
            "cassandra.writeconsistencylevel=QUORUM",
            "cassandra.datacenter=" + LocalCassandra.DATA_CENTRE,
            "cassandra.port=" + cluster.nodes().get(0).cqlPort(),
            "hosts=" + hosts)) {
      Collections.addAll(command, "-p", property);
    }
    return new ProcessBuilder(command).redirectErrorStream(true);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("calando: ")) {
          errors.add(line.substring("calando: ".length()));
        }
        Matcher figures = FIGURES.matcher(line);
        while (figures.find()) {
          seconds.add(
              new Second(
                  System.nanoTime(),
                  figures.group(1),
                  Long.parseLong(figures.group(2)),
                  Long.parseLong(figures.group(3)) / 1e3,
                  Long.parseLong(figures.group(4)) / 1e3));
        }
      }
    } catch (IOException e) {
      errors.add(String.valueOf(e.getMessage()));
    }
  }

  /** What was reported until now. */
  List<Second> seconds() {
    synchronized (seconds) {
      return List.copyOf(seconds);
    }
  }

  /** The first causes of failed operations. */
  List<String> errors() {
    synchronized (errors) {
      return List.copyOf(errors);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    reader.close();
  }
}
