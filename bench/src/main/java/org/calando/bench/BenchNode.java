package org.calando.bench;

import com.datastax.oss.driver.api.core.CqlSession;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.time.RealTimeScheduler;
import org.calando.core.workload.StalenessOracle;
import org.calando.core.workload.Workload;
import org.calando.load.LoadResult;
import org.calando.load.LoadRun;
import org.calando.load.LoadSpec;
import org.calando.load.Recorder;
import org.calando.local.cassandra.LocalCassandra;
import org.calando.local.cassandra.LocalCassandraConfig;
import org.calando.local.cassandra.LocalNode;
import org.calando.store.cassandra.CassandraStore;
import org.calando.store.cassandra.CassandraStoreConfig;

/**
 * One real Cassandra node that all benchmarks use alike; ends with this process. As a program it
 * runs a command beside such a node, with its address in the environment as CALANDO_BENCH_NODE.
 */
final class BenchNode implements AutoCloseable {
  private static final int HEAP_MEBIBYTES = 512;
  private static final int LOADING_SLOTS = 16;

  private final LocalCassandra cluster;
  private final LocalNode node;

  private BenchNode(LocalCassandra cluster) {
    this.cluster = cluster;
    this.node = cluster.nodes().get(0);
  }

  static BenchNode start() {
    return new BenchNode(
        LocalCassandra.start(
            LocalCassandraConfig.builder()
                .nodes(1)
                .block("127.88")
                .jmxPort(7600)
                .heapMebibytes(HEAP_MEBIBYTES)
                .compiler(LocalCassandraConfig.Compiler.C2)
                .build()));
  }

  /** A keyspace of this name; every use of it configures the driver in the same way. */
  CassandraStoreConfig config(String keyspace) {
    return CassandraStoreConfig.builder()
        .contactPoint(node.address(), node.cqlPort())
        .localDataCentre(LocalCassandra.DATA_CENTRE)
        .keyspace(keyspace)
        .build();
  }

  /** A store whose table holds the workload's records at version 1. */
  CassandraStore load(String keyspace, Workload workload) throws InterruptedException {
    CassandraStore store = CassandraStore.connect(config(keyspace));
    store.prepare(workload.tableSpec());
    StalenessOracle oracle =
        new StalenessOracle(
            StalenessOracle.Config.of(workload.records(), LOADING_SLOTS, LOADING_SLOTS));
    try (RealTimeScheduler scheduler = new RealTimeScheduler("bench-loading")) {
      LoadRun run =
          new LoadRun(
              LoadSpec.loading(workload, LOADING_SLOTS, ConsistencyLevel.ALL).build(),
              store.open(LOADING_SLOTS),
              oracle,
              new Recorder(interval -> {}),
              scheduler);
      run.start();
      LoadResult result = run.await();
      if (result.errors() > 0) {
        throw new IllegalStateException("the records could not be loaded: " + result);
      }
    }
    return store;
  }

  /** A driver session of its own, configured as the store's. */
  CqlSession driver(String keyspace) {
    return CassandraStore.driver(config(keyspace));
  }

  /** Where it takes connections. */
  InetSocketAddress address() {
    return new InetSocketAddress(node.address(), node.cqlPort());
  }

  @Override
  public void close() {
    cluster.close();
  }

  /** Runs the command given as arguments and ends with its exit code. */
  public static void main(String[] command) throws IOException, InterruptedException {
    int exitCode;
    try (BenchNode node = start()) {
      try (CqlSession driver = node.driver("context")) {
        driver.execute(
            "CREATE KEYSPACE context WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      }
      ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
      builder
          .environment()
          .put("CALANDO_BENCH_NODE", node.node.address() + ":" + node.node.cqlPort());
      exitCode = builder.start().waitFor();
    }
    System.exit(exitCode);
  }
}
