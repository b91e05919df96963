package org.calando.governor.promise;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.energy.Profiles;
import org.calando.core.observe.PromiseFigures;
import org.calando.core.observe.PromiseFigures.Means;
import org.calando.core.observe.Promised;
import org.calando.engine.Finding;
import org.calando.engine.Target;
import org.calando.governor.sessions.SessionPromises;
import org.calando.studyfile.ServiceSpec;

/**
 * What measures each promise of a cluster: the first of the sources that does. Immutable and thread
 * safe.
 */
public final class PromiseSources {
  private static final String NOTHING =
      "no figure of this engine measures it yet: remove it from the promise";

  private final ServiceSpec.Cluster spec;
  private final List<PromiseFigures.Source> sources;

  private PromiseSources(ServiceSpec.Cluster spec, List<PromiseFigures.Source> sources) {
    this.spec = spec;
    this.sources = sources;
  }

  /**
   * The sources of a cluster.
   *
   * @param better sources that are asked before what the cluster's nodes report
   */
  public static PromiseSources of(
      ServiceSpec.Cluster spec, Target cluster, List<PromiseFigures.Source> better) {
    List<PromiseFigures.Source> all = new ArrayList<>(better);
    cluster.find(PromiseFigures.Source.class).ifPresent(all::add);
    return new PromiseSources(spec, List.copyOf(all));
  }

  /** What measures each promise, by name. */
  public Map<Promised, String> names() {
    Map<Promised, String> names = new EnumMap<>(Promised.class);
    for (Promised promise : spec.promise().limits().keySet()) {
      means(promise).source().ifPresent(source -> names.put(promise, source));
    }
    return names;
  }

  /**
   * Refuses what nothing measures.
   *
   * @throws BadRequestException if a promise can be measured by none
   */
  public void require() {
    spec.promise().limits().keySet().forEach(this::require);
  }

  private String require(Promised promise) {
    Means means = means(promise);
    return means
        .source()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "nothing measures the promise " + promise.word(),
                    "clusters." + spec.name() + ".promise." + promise.word(),
                    means.remedy()));
  }

  private Means means(Promised promise) {
    return sources.stream()
        .map(source -> source.means(promise, spec.clients()))
        .reduce((one, other) -> one.source().isPresent() ? one : other)
        .orElseGet(() -> Means.none(NOTHING));
  }

  /** Opens those that measure something; blocks. */
  List<PromiseFigures> open() {
    List<PromiseFigures> open = new ArrayList<>();
    boolean all = false;
    try {
      for (PromiseFigures.Source source : sources) {
        boolean measures =
            spec.promise().limits().keySet().stream()
                .anyMatch(each -> source.means(each, spec.clients()).source().isPresent());
        if (measures) {
          open.add(source.figures(spec.clients()));
        }
      }
      all = true;
      return open;
    } finally {
      if (!all) {
        open.forEach(PromiseFigures::close);
      }
    }
  }

  /** Whether each promise of a cluster can be measured, and by what; asks no node. */
  public static List<Finding> examine(ServiceSpec.Cluster spec, Path base) {
    try (Target cluster = reach(spec, base)) {
      PromiseSources sources = of(spec, cluster, declared(spec));
      return spec.promise().limits().keySet().stream()
          .map(
              each ->
                  Finding.of(
                      "promise " + each.word(), () -> "is measured by " + sources.require(each)))
          .toList();
    }
  }

  /**
   * Refuses promises of a cluster that nothing measures; asks no node.
   *
   * @throws BadRequestException if there is one
   */
  public static void require(ServiceSpec.Cluster spec, Path base) {
    try (Target cluster = reach(spec, base)) {
      of(spec, cluster, declared(spec)).require();
    }
  }

  /** What will measure beside the nodes, while nothing is asked yet. */
  private static List<PromiseFigures.Source> declared(ServiceSpec.Cluster spec) {
    return spec.sessions() ? List.of(new SessionPromises(window -> Optional.empty())) : List.of();
  }

  private static Target reach(ServiceSpec.Cluster spec, Path base) {
    return spec.store()
        .kind()
        .reach(spec.store(), Profiles.byName(Profiles.DEFAULT).orElseThrow(), base);
  }
}
