package org.calando.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.CalandoException;
import org.calando.governor.ClusterState;
import org.calando.governor.DecisionFolders;
import org.calando.governor.GovernorService;
import org.calando.governor.ServiceDryRun;
import org.calando.governor.Signals;
import org.calando.governor.http.GovernorHttp;
import org.calando.governor.notify.Notifier;
import org.calando.http.server.HttpService;
import org.calando.knob.GearSchema;
import org.calando.study.StopSignal;
import org.calando.studyfile.ServiceSpec;
import org.jspecify.annotations.Nullable;

/**
 * {@code calando govern} of clusters, until a stop is requested; SIGHUP reads its file again, or
 * ends what has none.
 */
final class ServiceGovern {
  private static final long LOOK_NANOS = 200_000_000L;

  private final String command;
  private final String named;
  private final Supplier<ServiceSpec> source;
  private final boolean ofFile;
  private final Path base;
  private final GovernNews news;
  private final ServiceManager manager = ServiceManager.ofProcess();

  private ServiceGovern(
      String command,
      String named,
      Supplier<ServiceSpec> source,
      boolean ofFile,
      Path base,
      GovernNews news) {
    this.command = command;
    this.named = named;
    this.source = source;
    this.ofFile = ofFile;
    this.base = base;
    this.news = news;
  }

  /**
   * Governs nothing yet.
   *
   * @param command who governs, for people and for other governors
   * @param file by what
   * @param source what the file says; is read again on SIGHUP
   * @param base folder that relative paths of it are relative to
   */
  static ServiceGovern ofFile(
      String command, String file, Supplier<ServiceSpec> source, Path base, GovernNews news) {
    return new ServiceGovern(command, file, source, true, base, news);
  }

  /** The same by options, of which there are no others later: SIGHUP ends it as SIGTERM does. */
  static ServiceGovern ofOptions(
      String command, String options, ServiceSpec spec, Path base, GovernNews news) {
    return new ServiceGovern(command, options, () -> spec, false, base, news);
  }

  private ServiceSpec read() {
    return source.get();
  }

  /**
   * Governs until it is to end; or reports what would be done, and does nothing of it.
   *
   * @throws BadRequestException if it would be refused
   */
  void run(boolean dryRun, StopSignal stop) throws InterruptedException {
    try {
      if (dryRun) {
        until(stop, this::dryRun);
      } else {
        run(stop);
      }
    } finally {
      news.print(0);
    }
  }

  /**
   * Reports what would be set, and what would measure promises.
   *
   * @throws BadRequestException if a knob or a promise would be refused, once all are reported
   */
  private void dryRun() throws InterruptedException {
    ServiceSpec spec = read();
    spec.webhook().ifPresent(hook -> news.told(Notifier.words(hook)));
    new ServiceDryRun(base, decisions(), news).of(spec);
  }

  private DecisionFolders decisions() {
    return new DecisionFolders(
        cluster -> StateFolder.decisions("knobs", named + " " + cluster),
        target -> StateFolder.decisions("gear", target));
  }

  /** Governs. */
  private void run(StopSignal stop) throws InterruptedException {
    AtomicBoolean again = new AtomicBoolean();
    ServiceSpec spec = read();
    if (ofFile) {
      Signals.on("HUP", () -> again.set(true));
    }
    try (GovernorService service =
            GovernorService.of(
                spec, base, StateFolder.leases(), command + " " + named, decisions(), news);
        @Nullable HttpService http =
            spec.listen().map(where -> GovernorHttp.listen(where, service)).orElse(null);
        @Nullable Notifier notifier =
            spec.webhook()
                .map(hook -> Notifier.start(hook, service::states, news::trouble))
                .orElse(null)) {
      if (http != null) {
        news.told("listens on " + http.address());
      }
      if (notifier != null) {
        news.told("notifies " + notifier.where());
      }
      news.print(0);
      until(stop, service::begin);
      requireWell(service);
      begun(spec);
      manager.ready(words(service));
      while (!stop.isRequested()) {
        news.print(LOOK_NANOS);
        requireWell(service);
        if (again.getAndSet(false)) {
          manager.reloading();
          reload(service, Optional.ofNullable(http), spec);
          manager.ready(words(service));
        }
      }
      manager.stopping();
    }
    boolean gears =
        spec.clusters().stream()
            .anyMatch(cluster -> cluster.control().axes().contains(GearSchema.AXIS));
    news.told(
        "knobs are as they were before"
            + (gears ? "; gears stay, and a plan that is open is resumed by the next" : ""));
  }

  /** Work that waits. */
  @FunctionalInterface
  private interface Work {
    void run() throws InterruptedException;
  }

  /** Work that is interrupted when a stop is requested, and not later. */
  private static void until(StopSignal stop, Work work) throws InterruptedException {
    StopSignal.Registration registration = stop.onRequest(Thread.currentThread()::interrupt);
    try {
      work.run();
    } catch (InterruptedException | CalandoException e) {
      stop.check();
      throw e;
    } finally {
      registration.close();
      if (stop.isRequested()) {
        // Knobs are put back, which is not to be interrupted.
        boolean unused = Thread.interrupted();
      }
    }
  }

  private static void requireWell(GovernorService service) {
    Optional<Throwable> failure = service.failure();
    if (failure.isPresent()) {
      throw failure.get() instanceof CalandoException known
          ? known
          : new IllegalStateException("the governor has failed", failure.get());
    }
  }

  private void begun(ServiceSpec spec) {
    spec.clusters()
        .forEach(
            cluster ->
                news.told(
                    (cluster.control().axes().isEmpty() ? "observes " : "governs ")
                        + cluster.name()));
  }

  private static String words(GovernorService service) {
    return "clusters: "
        + String.join(", ", service.states().stream().map(ClusterState::name).toList());
  }

  /** A file that is wrong leaves the one before in force. */
  private void reload(GovernorService service, Optional<HttpService> http, ServiceSpec first) {
    ServiceSpec spec;
    try {
      spec = read();
      service.requireReloadable(spec);
      http.ifPresent(HttpService::reload);
    } catch (CalandoException e) {
      news.trouble("the file before stays in force: " + e.getMessage());
      return;
    }
    service.reload(spec.clusters());
    news.told("read " + named + " again");
    begun(spec);
    if (!spec.listen().equals(first.listen())) {
      news.trouble("listen, tls and token-file name others by a restart only");
    }
    if (!spec.webhook().equals(first.webhook())) {
      news.trouble("notify names another by a restart only");
    }
  }
}
