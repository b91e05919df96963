package org.calando.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.LevelPair;
import org.calando.studyfile.MatrixSpec;
import org.calando.studyfile.RateSpec;
import org.calando.studyfile.StoreLayout;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.WorkloadSpec;

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
    for (int repeat = 1; repeat <= study.repeats(); repeat++) {
      List<RunConfig> block = block(study, repeat, seeds.nextLong());
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
          || (run.oneOfLayouts()
              && (run.repeat() != before.repeat() || !run.layout().equals(before.layout())))) {
        stretches.add(new ArrayList<>());
      }
      stretches.get(stretches.size() - 1).add(run);
    }
    return stretches;
  }

  private static List<RunConfig> block(StudySpec study, int repeat, long seed) {
    List<RunConfig> block = new ArrayList<>();
    boolean several = study.workloads().size() > 1;
    boolean layouts =
        study.matrix().stream().flatMap(part -> layouts(study, part).stream()).distinct().count()
            > 1;
    boolean clocks =
        study.matrix().stream().flatMap(part -> clocks(part).stream()).distinct().count() > 1;
    boolean gears =
        study.matrix().stream().flatMap(part -> gears(part).stream()).distinct().count() > 1;
    boolean buffers =
        study.matrix().stream().flatMap(part -> buffers(part).stream()).distinct().count() > 1;
    Block ids = new Block(several, layouts, gears, clocks, buffers, repeat, seed);
    for (MatrixSpec part : study.matrix()) {
      for (Optional<StoreLayout> layout : layouts(study, part)) {
        for (WorkloadSpec workload : part.workloads()) {
          for (LevelPair levels : part.consistency()) {
            for (Optional<GearChoice> gear : gears(part)) {
              for (Optional<String> clock : clocks(part)) {
                for (Optional<BufferChoice> buffer : buffers(part)) {
                  ids.runs(part, new Point(layout, workload, levels, gear, clock, buffer), block);
                }
              }
            }
          }
        }
      }
    }
    return block;
  }

  /** The part's layouts, or the one that the cluster has anyway. */
  private static List<Optional<StoreLayout>> layouts(StudySpec study, MatrixSpec part) {
    return part.layouts().isEmpty()
        ? List.of(study.store().storeLayout())
        : part.layouts().stream().map(Optional::of).toList();
  }

  /** The part's policies of clocks, or none. */
  private static List<Optional<String>> clocks(MatrixSpec part) {
    return part.clocks().isEmpty()
        ? List.of(Optional.empty())
        : part.clocks().stream().map(Optional::of).toList();
  }

  /** The part's ways to send writes, or none. */
  private static List<Optional<BufferChoice>> buffers(MatrixSpec part) {
    return part.writeBuffers().isEmpty()
        ? List.of(Optional.empty())
        : part.writeBuffers().stream().map(Optional::of).toList();
  }

  /** The part's gears and policies of gears, or none. */
  private static List<Optional<GearChoice>> gears(MatrixSpec part) {
    return part.gears().isEmpty()
        ? List.of(Optional.empty())
        : part.gears().stream().map(Optional::of).toList();
  }

  /** All of a configuration but its load. */
  private record Point(
      Optional<StoreLayout> layout,
      WorkloadSpec workload,
      LevelPair levels,
      Optional<GearChoice> gear,
      Optional<String> clock,
      Optional<BufferChoice> buffer) {}

  /** What the runs of a block share, and the ids that are taken. */
  private static final class Block {
    private final boolean several;
    private final boolean layouts;
    private final boolean gears;
    private final boolean clocks;
    private final boolean buffers;
    private final int repeat;
    private final long seed;
    private final Set<String> ids = new HashSet<>();

    Block(
        boolean several,
        boolean layouts,
        boolean gears,
        boolean clocks,
        boolean buffers,
        int repeat,
        long seed) {
      this.several = several;
      this.layouts = layouts;
      this.gears = gears;
      this.clocks = clocks;
      this.buffers = buffers;
      this.repeat = repeat;
      this.seed = seed;
    }

    /** Adds a point's runs, one of each load. */
    void runs(MatrixSpec part, Point point, List<RunConfig> block) {
      for (int threads : part.threads()) {
        block.add(run(part, point, OptionalInt.of(threads), Optional.empty()));
      }
      for (RateSpec rate : part.rates()) {
        block.add(run(part, point, OptionalInt.empty(), Optional.of(rate)));
      }
    }

    private RunConfig run(
        MatrixSpec part, Point point, OptionalInt threads, Optional<RateSpec> rate) {
      WorkloadSpec workload = point.workload();
      String load =
          threads.isPresent() ? threads.getAsInt() + "t" : rate.map(RateSpec::label).orElseThrow();
      return new RunConfig(
          id(ids, joined(described(point), load), repeat),
          point.layout(),
          layouts,
          workload,
          several,
          point.levels(),
          point.gear(),
          gears,
          point.clock(),
          clocks,
          point.buffer(),
          buffers,
          threads,
          rate,
          part.maxInFlight(),
          part.clients(),
          part.hasLength() ? part.operations() : workload.operations(),
          part.hasLength() ? part.durationNanos() : workload.durationNanos(),
          repeat,
          seed);
    }

    private String described(Point point) {
      List<String> words = new ArrayList<>();
      point.layout().filter(one -> layouts).ifPresent(one -> words.add(one.label()));
      if (several) {
        words.add(point.workload().label());
      }
      point.gear().filter(one -> gears).ifPresent(one -> words.add("gear " + one.label()));
      point.clock().filter(one -> clocks).ifPresent(words::add);
      point.buffer().filter(one -> buffers).ifPresent(one -> words.add(one.label()));
      words.add(point.levels().label());
      return String.join("-", words.stream().filter(word -> !word.isEmpty()).toList());
    }
  }

  private static String joined(String words, String load) {
    return words.isEmpty() ? load : words + "-" + load;
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
