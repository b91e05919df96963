package org.calando.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.governor.GovernorService;
import org.calando.governor.HangUp;
import org.calando.governor.http.GovernorHttp;
import org.calando.study.KnobGovernor;
import org.calando.study.StopSignal;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.jspecify.annotations.Nullable;

/** {@code calando govern} of clusters, until a stop is requested; SIGHUP reads the file again. */
final class ServiceGovern {
  private static final long LOOK_NANOS = 200_000_000L;

  private final Path file;
  private final List<String> settings;
  private final Path base;
  private final GovernNews news;

  /**
   * Governs nothing yet.
   *
   * @param settings what is put over the file
   * @param base folder that relative paths of the file are relative to
   */
  ServiceGovern(Path file, List<String> settings, Path base, GovernNews news) {
    this.file = file.toAbsolutePath();
    this.settings = settings;
    this.base = base;
    this.news = news;
  }

  private ServiceSpec read() {
    return StudyFile.readService(file, settings);
  }

  /**
   * Reports what would be set.
   *
   * @throws BadRequestException if a knob would be refused, once all are reported
   */
  void dryRun() {
    Optional<BadRequestException> refused = Optional.empty();
    for (ServiceSpec.Cluster cluster : read().clusters()) {
      String name = cluster.name();
      if (cluster.control().axes().isEmpty()) {
        news.told(name + ": would be observed; nothing would be set");
      }
      try {
        KnobGovernor.dryRun(cluster, base, decisions(name), line -> news.told(name + ": " + line));
      } catch (BadRequestException e) {
        refused = refused.or(() -> Optional.of(e));
      }
    }
    if (refused.isPresent()) {
      throw refused.get();
    }
  }

  private Path decisions(String cluster) {
    return StateFolder.decisions("knobs", file + " " + cluster);
  }

  /** Governs. */
  void run(StopSignal stop) throws InterruptedException {
    AtomicBoolean again = new AtomicBoolean();
    ServiceSpec spec = read();
    HangUp.on(() -> again.set(true));
    try (GovernorService service =
            GovernorService.start(
                spec.clusters(),
                base,
                StateFolder.leases(),
                "govern " + file,
                this::decisions,
                news::told);
        @Nullable GovernorHttp http =
            spec.listen().map(where -> GovernorHttp.listen(where, service)).orElse(null)) {
      if (http != null) {
        news.told("listens on " + http.address());
      }
      begun(spec);
      while (!stop.isRequested()) {
        news.print(LOOK_NANOS);
        if (again.getAndSet(false)) {
          reload(service, spec);
        }
      }
    }
    news.told("knobs are as they were before");
  }

  private void begun(ServiceSpec spec) {
    spec.clusters()
        .forEach(
            cluster ->
                news.told(
                    (cluster.control().axes().isEmpty() ? "observes " : "governs ")
                        + cluster.name()));
  }

  /** A file that is wrong leaves the one before in force. */
  private void reload(GovernorService service, ServiceSpec first) {
    ServiceSpec spec;
    try {
      spec = read();
    } catch (CalandoException e) {
      news.trouble("the file before stays in force: " + e.getMessage());
      return;
    }
    try {
      service.reload(spec.clusters());
    } catch (RuntimeException e) {
      news.trouble(
          "the new file is in force, but a knob of the one before is not restored: "
              + e.getMessage());
    }
    news.told("read " + file + " again");
    begun(spec);
    if (!spec.listen().equals(first.listen())) {
      news.trouble("listen is changed by a restart only");
    }
  }
}
