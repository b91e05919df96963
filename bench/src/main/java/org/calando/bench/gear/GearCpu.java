package org.calando.bench.gear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.local.hdfs.LocalHdfsNode;

/** CPU time of DataNodes between two looks, and what nodes of a profile would have drawn. */
final class GearCpu {
  /** The unit of the kernel's counts. */
  private static final double TICKS_PER_SECOND = 100;

  private static final int USER_TICKS = 11;
  private static final int SYSTEM_TICKS = 12;

  /** What joules are modelled by. */
  static final NodeProfile PROFILE = Profiles.byName(Profiles.DEFAULT).orElseThrow();

  private final LocalHdfs cluster;
  private final long beganNanos = System.nanoTime();
  private final Map<Long, Double> before;

  private GearCpu(LocalHdfs cluster) {
    this.cluster = cluster;
    this.before = seconds(cluster);
  }

  /** Begins to look. */
  static GearCpu begin(LocalHdfs cluster) {
    return new GearCpu(cluster);
  }

  /**
   * Ends, and fills the columns of window, CPU time, power and energy. A node counts as on if its
   * process runs now; one that was started since counts with all its CPU time.
   */
  void end(GearRow row) {
    double window = (System.nanoTime() - beganNanos) / 1e9;
    Map<Long, Double> now = seconds(cluster);
    double cpu = 0;
    double watts = (cluster.nodes().size() - now.size()) * PROFILE.offWatts();
    for (Map.Entry<Long, Double> node : now.entrySet()) {
      double used = node.getValue() - before.getOrDefault(node.getKey(), 0.0);
      cpu += used;
      watts += PROFILE.watts(PROFILE.utilisation(used, window));
    }
    row.put("window_s", window);
    row.put("cpu_s", cpu);
    row.put("watts", watts);
    row.put("joules", watts * window);
  }

  private static Map<Long, Double> seconds(LocalHdfs cluster) {
    Map<Long, Double> all = new TreeMap<>();
    for (LocalHdfsNode node : cluster.nodes()) {
      try {
        String stat = Files.readString(Path.of("/proc", Long.toString(node.pid()), "stat"));
        // After the name in parentheses, which may hold anything, come fields 3 and following.
        List<String> fields =
            List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", SYSTEM_TICKS + 2));
        double ticks =
            Double.parseDouble(fields.get(USER_TICKS))
                + Double.parseDouble(fields.get(SYSTEM_TICKS));
        all.put(node.pid(), ticks / TICKS_PER_SECOND);
      } catch (IOException off) {
        // its process does not run
      }
    }
    return all;
  }
}
