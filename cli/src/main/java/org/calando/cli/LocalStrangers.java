package org.calando.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.calando.core.FailedWorkException;
import org.calando.gears.GearDoctor.Finding;
import org.calando.gears.LocalGears;
import org.calando.local.hbase.LocalHBase;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.process.ProcessGroup.Stranger;

/**
 * Processes that serve in place of a local cluster's, and that Calando did not start: it tells of
 * them, and ends none. Immutable.
 *
 * @param processes they
 * @param then what to do once they have been ended; empty for nothing
 */
record LocalStrangers(List<Stranger> processes, String then) {
  static final LocalStrangers NONE = new LocalStrangers(List.of(), "");

  private static final String REMEDY = "end that process by hand (kill PID)";

  LocalStrangers {
    processes = List.copyOf(processes);
  }

  static LocalStrangers of(LocalHdfs cluster) {
    boolean geared = LocalGears.isGeared(cluster.folder());
    return new LocalStrangers(
        cluster.strangers(), geared ? "; ./calando gear up --local then starts the node" : "");
  }

  static LocalStrangers of(LocalHBase cluster) {
    return new LocalStrangers(
        cluster.strangers(), "; ./calando idle up --local then starts the node");
  }

  boolean isEmpty() {
    return processes.isEmpty();
  }

  /** Whether one of them serves as a server of the cluster. */
  boolean has(String server) {
    return processes.stream().anyMatch(process -> process.server().equals(server));
  }

  /** Adds them to what programs are told. */
  void put(ObjectNode json) {
    GearAnswer.put(findings(), json, new ArrayList<>());
  }

  /** The same for people. */
  void print() {
    List<String> lines = new ArrayList<>();
    GearAnswer.put(findings(), new ObjectMapper().createObjectNode(), lines);
    lines.forEach(System.out::println);
  }

  private List<Finding> findings() {
    return processes.stream()
        .map(process -> new Finding(process.server(), false, process.says(), REMEDY + then))
        .toList();
  }

  /**
   * Fails for those that a cluster which has been stopped leaves behind.
   *
   * @throws FailedWorkException with all of them
   */
  void requireNone(String engine) {
    if (!isEmpty()) {
      throw new FailedWorkException(
          "not all has ended: "
              + String.join("; ", processes.stream().map(Stranger::says).toList()),
          "local " + engine,
          REMEDY + "; what Calando started has ended");
    }
  }
}
