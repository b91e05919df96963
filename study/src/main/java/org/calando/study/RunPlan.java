package org.calando.study;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.calando.study.config.LevelPair;
import org.calando.study.config.MatrixSpec;
import org.calando.study.config.RateSpec;
import org.calando.study.config.StudySpec;
import org.calando.study.config.WorkloadSpec;

/**
 * The runs of a study in their order. Each repeat is a block that holds every configuration once,
 * in an order drawn from the seed, so that drift of the machine does not favour a configuration.
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
      plan.addAll(block);
    }
    return plan;
  }

  private static List<RunConfig> block(StudySpec study, int repeat, long seed) {
    List<RunConfig> block = new ArrayList<>();
    boolean several = study.workloads().size() > 1;
    Block ids = new Block(several, repeat, seed);
    for (MatrixSpec part : study.matrix()) {
      for (WorkloadSpec workload : part.workloads()) {
        for (LevelPair levels : part.consistency()) {
          for (int threads : part.threads()) {
            block.add(ids.run(part, workload, levels, OptionalInt.of(threads), Optional.empty()));
          }
          for (RateSpec rate : part.rates()) {
            block.add(ids.run(part, workload, levels, OptionalInt.empty(), Optional.of(rate)));
          }
        }
      }
    }
    return block;
  }

  /** What the runs of a block share, and the ids that are taken. */
  private static final class Block {
    private final boolean several;
    private final int repeat;
    private final long seed;
    private final Set<String> ids = new HashSet<>();

    Block(boolean several, int repeat, long seed) {
      this.several = several;
      this.repeat = repeat;
      this.seed = seed;
    }

    RunConfig run(
        MatrixSpec part,
        WorkloadSpec workload,
        LevelPair levels,
        OptionalInt threads,
        Optional<RateSpec> rate) {
      String load =
          threads.isPresent() ? threads.getAsInt() + "t" : rate.map(RateSpec::label).orElseThrow();
      String words = levels.label() + "-" + load;
      return new RunConfig(
          id(ids, several ? workload.label() + "-" + words : words, repeat),
          workload,
          several,
          levels,
          threads,
          rate,
          part.maxInFlight(),
          part.clients(),
          part.hasLength() ? part.operations() : workload.operations(),
          part.hasLength() ? part.durationNanos() : workload.durationNanos(),
          repeat,
          seed);
    }
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
