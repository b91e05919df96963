package org.calando.gears;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.OffloadRecord;

/**
 * A log that was written anew. Immutable.
 *
 * @param audit what was found before
 * @param log which file
 * @param records that it holds now, or would hold
 * @param old where the log of before is kept; empty if there was none, or nothing was written
 */
public record OffloadRebuild(
    OffloadAudit audit, Path log, List<OffloadRecord> records, Optional<Path> old) {
  private static final String KEPT = ".old";

  /** Copies the list. */
  public OffloadRebuild {
    records = List.copyOf(records);
  }

  /** The log of a cluster; refused if it keeps none. */
  static Path log(GearMeans means) {
    return means
        .file()
        .log()
        .map(Path::of)
        .orElseThrow(
            () ->
                new BadRequestException(
                    "it names no off-load log",
                    "gear file " + means.path(),
                    "add the key log with an absolute path that the NameNode can write"));
  }

  /**
   * Looks, and writes unless it is a dry run.
   *
   * @param gear which nodes are on
   */
  static OffloadRebuild of(GearMeans means, int gear, boolean dryRun) throws InterruptedException {
    Path log = log(means);
    Services.requireServing(means, gear);
    boolean wasThere = Files.exists(log);
    long size = OffloadHints.size(log);
    OffloadAudit.Look look = OffloadAudit.Look.of(means);
    OffloadAudit audit = look.audit(means, gear);
    List<OffloadRecord> records =
        audit.needed(
            means.file().layout(), look.blocks(), look.hints(), System.currentTimeMillis());
    if (dryRun) {
      return new OffloadRebuild(audit, log, records, Optional.empty());
    }
    try {
      ReplacedFile.write(
          log,
          records.stream().map(record -> record.line() + "\n").collect(Collectors.joining()),
          Optional.of(KEPT));
      Path old = log.resolveSibling(log.getFileName() + KEPT);
      if (!wasThere) {
        return new OffloadRebuild(audit, log, records, Optional.empty());
      }
      LateRecords.carryOver(old, size, log, means.patience());
      return new OffloadRebuild(audit, log, records, Optional.of(old));
    } catch (IOException e) {
      throw new FailedWorkException(
          "the off-load log cannot be written: " + e.getMessage(),
          log.toString(),
          "check that its folder has room and may be written by this user",
          e);
    }
  }
}
