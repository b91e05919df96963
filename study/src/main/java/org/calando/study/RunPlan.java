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
    Set<String> ids = new HashSet<>();
    for (MatrixSpec part : study.matrix()) {
      for (LevelPair levels : part.consistency()) {
        for (int threads : part.threads()) {
          String id = id(ids, levels, threads + "t", repeat);
          block.add(run(id, part, levels, OptionalInt.of(threads), Optional.empty(), repeat, seed));
        }
        for (RateSpec rate : part.rates()) {
          String id = id(ids, levels, rate.label(), repeat);
          block.add(run(id, part, levels, OptionalInt.empty(), Optional.of(rate), repeat, seed));
        }
      }
    }
    return block;
  }

  private static RunConfig run(
      String id,
      MatrixSpec part,
      LevelPair levels,
      OptionalInt threads,
      Optional<RateSpec> rate,
      int repeat,
      long seed) {
    return new RunConfig(
        id,
        levels,
        threads,
        rate,
        part.maxInFlight(),
        part.clients(),
        part.operations(),
        part.durationNanos(),
        repeat,
        seed);
  }

  /** A folder name that a person can read: {@code quorum-4t-r1}, {@code one-400ps-r2}. */
  private static String id(Set<String> taken, LevelPair levels, String load, int repeat) {
    String words =
        (levels.label() + "-" + load)
            .toLowerCase(Locale.ROOT)
            .replace("/s", "ps")
            .replaceAll("[^a-z0-9.]+", "-");
    String stem = words.substring(0, Math.min(MAX_STEM, words.length())).replaceAll("-+$", "");
    String id = stem + "-r" + repeat;
    for (int i = 2; !taken.add(id); i++) {
      id = stem + "-" + i + "-r" + repeat;
    }
    return id;
  }
}
