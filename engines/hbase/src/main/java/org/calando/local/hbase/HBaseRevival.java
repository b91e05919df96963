package org.calando.local.hbase;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.ProcessGroup;

/*
 * A DataNode first, as a server that cannot write its log ends again. Then RegionServers, and the master last: it waits for
 * as many RegionServers as run when it is started, and one that sleeps never comes.
 */
/** Brings servers back that have died, with what they stored. */
final class HBaseRevival {
  private final LocalHBase cluster;
  private final ProcessGroup group;

  HBaseRevival(LocalHBase cluster, ProcessGroup group) {
    this.cluster = cluster;
    this.group = group;
  }

  /** Those that do not run without which HBase cannot be asked; in words. */
  List<String> lacking() {
    List<String> lacking = new ArrayList<>();
    Stream.of(LocalHBase.ZOOKEEPER, LocalHBase.MASTER)
        .filter(name -> !cluster.isRunning(name))
        .forEach(lacking::add);
    if (!cluster.hdfs().isNameNodeRunning()) {
      lacking.add("the NameNode");
    }
    if (dataNodes(cluster.hdfs()::isRunning).isEmpty()) {
      lacking.add("any DataNode");
    }
    return lacking;
  }

  /** Starts all that do not run but those of nodes that sleep, and waits until they serve. */
  void revive(Set<String> asleep) {
    LocalHdfs hdfs = cluster.hdfs();
    if (!hdfs.isNameNodeRunning()) {
      hdfs.launch(LocalHdfs.NAME_NODE);
    }
    dataNodes(node -> !asleep.contains("n" + node) && !hdfs.isRunning(node)).forEach(hdfs::launch);
    hdfs.awaitUp();
    start(List.of(LocalHBase.ZOOKEEPER));
    List<String> servers =
        cluster.nodes().stream()
            .map(LocalHBaseNode::name)
            .filter(name -> !asleep.contains(name))
            .toList();
    start(Stream.concat(servers.stream(), Stream.of(LocalHBase.MASTER)).toList());
  }

  /** One that had yet to find that it cannot go on is started again when it has ended. */
  private void start(List<String> names) {
    List<String> started = new ArrayList<>();
    group.poll(
        names,
        () -> {
          group.requireAlive(started);
          names.stream()
              .filter(name -> !cluster.isRunning(name))
              .forEach(
                  name -> {
                    cluster.launch(name);
                    started.add(name);
                  });
          return names.stream().allMatch(cluster::isUp);
        },
        cluster.config().startTimeout(),
        "hbase.log");
  }

  private List<Integer> dataNodes(IntPredicate which) {
    return IntStream.rangeClosed(1, cluster.config().dataNodes()).filter(which).boxed().toList();
  }
}
