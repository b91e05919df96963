package org.calando.cli;

import org.calando.core.BadRequestException;
import org.calando.gears.ShiftNews;
import org.calando.gears.idle.LocalIdle;
import org.calando.local.hbase.LocalHBase;
import picocli.CommandLine.Option;

/** Which cluster an idle command is about. */
final class IdleOptions {
  @Option(
      names = "--local",
      description = "The cluster that ./calando local start hbase left running.")
  private boolean local;

  /**
   * Connects.
   *
   * @throws BadRequestException if no cluster is named, or there is none
   */
  LocalIdle open(ShiftNews news) {
    if (!local) {
      throw new BadRequestException(
          "no cluster is named", "idle", "give --local for that of ./calando local start hbase");
    }
    return LocalIdle.open(LocalHBase.attach(StateFolder.local(LocalHBase.ENGINE)), news);
  }
}
