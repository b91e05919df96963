package org.calando.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.CalandoException;
import org.calando.engine.Engines;
import org.calando.engine.Finding;
import org.calando.gears.CatchUpPace;
import org.calando.gears.GearDoctor;
import org.calando.gears.LocalGears;
import org.calando.kept.ClusterStatus;
import org.calando.local.hdfs.LocalHdfs;
import org.calando.study.Progress;

/** What {@code doctor} finds of clusters with gears. Stateless. */
final class GearChecks {
  /** A NameNode that does not answer now is a finding: nothing is waited for. */
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private GearChecks() {}

  /** The HDFS of {@code local start}: what a shift relies on, or without gears its servers. */
  static List<Finding> ofLocal() {
    Path folder = StateFolder.local(LocalHdfs.ENGINE);
    if (LocalGears.isGeared(folder)) {
      return of(Optional.empty());
    }
    ClusterStatus status =
        Engines.of(LocalHdfs.ENGINE).local().orElseThrow().attach(folder).status();
    return List.of(
        new Finding(status.isUp(), "local hdfs", status.lacking().orElse("all servers are up")));
  }

  /** What a shift relies on, as {@code gear doctor} finds it. */
  static List<Finding> of(Optional<Path> inventory) {
    GearProgress news = new GearProgress(Progress.silent());
    try (GearAccess access =
        inventory.isPresent()
            ? GearAccess.of(inventory.get(), CatchUpPace.FOREGROUND, news, ANSWER)
            : GearAccess.local(CatchUpPace.FOREGROUND, news)) {
      return GearDoctor.of(access.means()).findings().stream().map(GearChecks::finding).toList();
    } catch (CalandoException e) {
      return List.of(new Finding(false, "gears", String.valueOf(e.getMessage())));
    }
  }

  private static Finding finding(GearDoctor.Finding found) {
    String remedy = found.well() ? "" : "\nremedy: " + found.remedy();
    return new Finding(found.well(), found.what(), found.says() + remedy);
  }
}
