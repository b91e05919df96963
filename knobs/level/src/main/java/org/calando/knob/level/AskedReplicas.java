package org.calando.knob.level;

import java.util.List;
import java.util.Set;
import org.calando.report.RunRow;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.RunColumns;

/** How many replicas the static levels ask. Stateless and thread safe. */
final class AskedReplicas {
  private static final Set<String> QUORUMS = Set.of("QUORUM", "LOCAL_QUORUM", "EACH_QUORUM");

  private AskedReplicas() {}

  /**
   * Replicas that a level asks, of so many.
   *
   * @param replicas N, 0 if it is not known
   * @return 0 if the level is none of Cassandra's, or needs an N that is not known
   */
  static int replicas(String level, int replicas) {
    if (isOne(level)) {
      return 1;
    }
    if (level.equals("TWO") || level.equals("THREE")) {
      return level.equals("TWO") ? 2 : 3;
    }
    if (replicas > 0 && QUORUMS.contains(level)) {
      return replicas / 2 + 1;
    }
    return level.equals("ALL") ? replicas : 0;
  }

  static boolean isOne(String level) {
    return level.equals("ONE") || level.equals("LOCAL_ONE");
  }

  /**
   * The replication factor that runs tell: what a read at ALL asked.
   *
   * @return 0 if no run tells
   */
  static int replication(List<RunRow> rows) {
    return rows.stream()
        .filter(r -> r.text(RunColumns.READ_LEVEL).equals("ALL"))
        .mapToDouble(r -> r.number(LevelColumns.MEAN_REPLICAS))
        .filter(Double::isFinite)
        .mapToInt(asked -> (int) Math.round(asked))
        .max()
        .orElse(0);
  }
}
