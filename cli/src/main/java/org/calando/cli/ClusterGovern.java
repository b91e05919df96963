package org.calando.cli;

import java.nio.file.Path;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.study.KnobGovernor;
import org.calando.study.StopSignal;
import org.calando.studyfile.ClusterGovernSpec;

/** {@code calando govern} of a cluster's knobs, until a stop is requested. */
final class ClusterGovern {
  private static final long LOOK_NANOS = 200_000_000L;

  private final ClusterGovernSpec spec;
  private final Path file;
  private final Path base;
  private final GovernNews news;

  ClusterGovern(ClusterGovernSpec spec, Path file, Path base, GovernNews news) {
    this.spec = spec;
    this.file = file.toAbsolutePath();
    this.base = base;
    this.news = news;
  }

  /** Says what would be set. */
  void dryRun() {
    KnobGovernor.dryRun(spec, base).forEach(news::told);
  }

  /** Governs. */
  void run(StopSignal stop) throws InterruptedException {
    Path decisions = StateFolder.decisions("knobs", file + " " + spec.name());
    try (KnobGovernor governor =
        KnobGovernor.begin(
            spec, base, StateFolder.leases(), "govern " + file, decisions, news::told)) {
      news.told("governs " + spec.name());
      while (!stop.isRequested()) {
        news.print(LOOK_NANOS);
        Optional<String> failure = governor.failure();
        if (failure.isPresent()) {
          throw new FailedWorkException(
              failure.get(), spec.name(), "the knobs are as before; mend that and begin again");
        }
      }
    }
    news.told("knobs are as they were before");
  }
}
