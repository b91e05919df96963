package org.calando.cli;

import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.engine.hbase.LocalHBaseClusters;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import picocli.CommandLine.Option;

/** Which cluster an idle command is about. */
final class IdleOptions {
  /** What brings servers back that have died. */
  static final String REVIVE = "./calando idle up --local";

  @Option(
      names = "--local",
      description = "The cluster that ./calando local start hbase left running.")
  private boolean local;

  /**
   * The cluster, without asking it.
   *
   * @throws BadRequestException if no cluster is named, or there is none
   */
  LocalHBase cluster() {
    if (!local) {
      throw new BadRequestException(
          "no cluster is named", "idle", "give --local for that of ./calando local start hbase");
    }
    return LocalHBase.attach(StateFolder.local(LocalHBase.ENGINE));
  }

  /**
   * Connects.
   *
   * @throws BadRequestException if no cluster is named, or there is none
   * @throws FailedWorkException if servers have died without which it cannot be asked
   */
  LocalIdle open(ShiftNews news) {
    LocalHBase cluster = cluster();
    List<String> lacking = cluster.lacking();
    if (!lacking.isEmpty()) {
      throw new FailedWorkException(
          "these do not run: " + String.join(", ", lacking),
          "local hbase",
          "bring them back, with their data: " + REVIVE);
    }
    return LocalIdle.open(cluster, news);
  }

  /** Has the inventory for studies name the processes that run now: who wakes has others. */
  void noteProcesses() {
    LocalHBaseClusters.note(cluster());
  }
}
