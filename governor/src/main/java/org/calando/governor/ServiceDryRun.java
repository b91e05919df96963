package org.calando.governor;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.governor.promise.PromiseSources;
import org.calando.studyfile.ServiceSpec;

/**
 * Reports what governing several clusters would do, and does nothing of it. A cluster that fails
 * keeps no other from being looked at. Used once, by one thread.
 */
public final class ServiceDryRun {
  private final Path base;
  private final DecisionFolders decisions;
  private final GovernorNews news;
  private Optional<BadRequestException> refused = Optional.empty();
  private Optional<FailedWorkException> failed = Optional.empty();

  /**
   * Nothing is looked at yet.
   *
   * @param base folder that relative paths of the file are relative to
   * @param decisions where policies have decided
   */
  public ServiceDryRun(Path base, DecisionFolders decisions, GovernorNews news) {
    this.base = base;
    this.decisions = decisions;
    this.news = news;
  }

  /**
   * Looks at all clusters.
   *
   * @throws BadRequestException if a knob or a promise would be refused, once all are reported
   * @throws FailedWorkException if a cluster could not be looked at, likewise
   */
  public void of(ServiceSpec spec) throws InterruptedException {
    for (ServiceSpec.Cluster cluster : spec.clusters()) {
      of(cluster, line -> news.accept(cluster.name() + ": " + line));
    }
    if (refused.isPresent()) {
      throw refused.get();
    }
    if (failed.isPresent()) {
      throw failed.get();
    }
  }

  private void of(ServiceSpec.Cluster cluster, Consumer<String> lines) throws InterruptedException {
    if (cluster.control().axes().isEmpty()) {
      lines.accept("would be observed; nothing would be set");
    }
    Path noted = decisions.knobs().apply(cluster.name());
    part(
        lines,
        () ->
            PromiseSources.examine(cluster, base)
                .forEach(found -> lines.accept(found.subject() + " " + found.text())));
    part(lines, () -> KnobGovernor.dryRun(cluster, base, noted, lines));
    part(lines, () -> ClusterControl.dryRun(cluster, base, news));
    part(lines, () -> KnobShadow.dryRun(cluster, base, lines));
    part(lines, () -> GovernedGear.dryRun(cluster, base, decisions, lines));
    part(lines, () -> PromiseSources.require(cluster, base));
  }

  /** Looks at a part of a cluster. */
  @FunctionalInterface
  private interface Part {
    void look() throws InterruptedException;
  }

  private void part(Consumer<String> lines, Part part) throws InterruptedException {
    try {
      part.look();
    } catch (BadRequestException e) {
      refused = refused.or(() -> Optional.of(e));
    } catch (RuntimeException e) {
      // Whatever a client of a cluster throws: the others are looked at all the same.
      lines.accept("could not be looked at: " + Retried.words(e));
      failed =
          failed.or(
              () ->
                  Optional.of(
                      e instanceof FailedWorkException known
                          ? known
                          : new FailedWorkException(
                              "a dry run failed: " + e, "govern", "see its lines", e)));
    }
  }
}
