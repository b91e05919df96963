package org.calando.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.calando.engine.StoreLayout;
import org.calando.knob.Axis;
import org.calando.knob.Point;
import org.calando.studyfile.Axes;
import org.calando.studyfile.MatrixSpec;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.WorkloadSpec;

/**
 * The runs of a study in their order. Each repeat is a block that holds every configuration once,
 * in an order drawn from the seed, so that drift of the machine does not favour a configuration.
 * Those of a layout follow each other, as the cluster starts anew for each layout.
 */
final class RunPlan {
  private static final int MAX_STEM = 60;

  private RunPlan() {}

  static List<RunConfig> of(StudySpec study) {
    List<RunConfig> plan = new ArrayList<>();
    SplittableRandom seeds = new SplittableRandom(study.seed());
    Set<Axis<?>> named = named(study);
    for (int repeat = 1; repeat <= study.repeats(); repeat++) {
      List<RunConfig> block = block(study, named, repeat, seeds.nextLong());
      Collections.shuffle(block, new Random(seeds.nextLong()));
      plan.addAll(byLayout(block));
    }
    return plan;
  }

  /** The layouts in the order in which the block's shuffled runs come to them. */
  private static List<RunConfig> byLayout(List<RunConfig> block) {
    Map<Optional<StoreLayout>, List<RunConfig>> layouts = new LinkedHashMap<>();
    for (RunConfig run : block) {
      layouts.computeIfAbsent(run.layout(), layout -> new ArrayList<>()).add(run);
    }
    return layouts.values().stream().flatMap(List::stream).toList();
  }

  /**
   * The runs, in stretches that share a cluster: all of them, or those of a layout in a block where
   * there are several layouts, so that a layout's blocks differ in all that a start decides.
   */
  static List<List<RunConfig>> stretches(List<RunConfig> runs) {
    List<List<RunConfig>> stretches = new ArrayList<>();
    for (RunConfig run : runs) {
      RunConfig before = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1).get(0);
      if (before == null
          || (run.startsAnew()
              && (run.repeat() != before.repeat() || !run.layout().equals(before.layout())))) {
        stretches.add(new ArrayList<>());
      }
      stretches.get(stretches.size() - 1).add(run);
    }
    return stretches;
  }

  /** Axes on which the study's configurations differ, and those that are named in any case. */
  private static Set<Axis<?>> named(StudySpec study) {
    List<Point> points = study.matrix().stream().flatMap(part -> part.points().stream()).toList();
    return Axes.ALL.stream()
        .filter(
            axis ->
                axis.isNamed()
                    || points.stream().map(point -> point.find(axis)).distinct().count() > 1)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<RunConfig> block(StudySpec study, Set<Axis<?>> named, int repeat, long seed) {
    List<RunConfig> block = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (MatrixSpec part : study.matrix()) {
      for (Point point : part.points()) {
        WorkloadSpec workload = point.get(Axes.WORKLOAD);
        block.add(
            new RunConfig(
                id(ids, described(point, named), repeat),
                point,
                named,
                part.maxInFlight(),
                part.clients(),
                part.hasLength() ? part.operations() : workload.operations(),
                part.hasLength() ? part.durationNanos() : workload.durationNanos(),
                repeat,
                seed));
      }
    }
    return block;
  }

  private static String described(Point point, Set<Axis<?>> named) {
    return Axes.NAMED.stream()
        .filter(named::contains)
        .map(axis -> point.say(axis, Axis::idPart))
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining("-"));
  }

  /** A folder name that a person can read: {@code quorum-4t-r1}, {@code one-400ps-r2}. */
  private static String id(Set<String> taken, String description, int repeat) {
    String words =
        description.toLowerCase(Locale.ROOT).replace("/s", "ps").replaceAll("[^a-z0-9.]+", "-");
    String stem = words.substring(0, Math.min(MAX_STEM, words.length())).replaceAll("-+$", "");
    String id = stem + "-r" + repeat;
    for (int i = 2; !taken.add(id); i++) {
      id = stem + "-" + i + "-r" + repeat;
    }
    return id;
  }
}
