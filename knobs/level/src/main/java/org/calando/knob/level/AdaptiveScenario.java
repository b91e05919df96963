package org.calando.knob.level;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.knob.level.Regret.Point;
import org.calando.report.Configuration;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.Column;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.RunColumns;

/**
 * Policies and static levels that ran under one load with one setting of all other knobs.
 * Immutable.
 *
 * @param load the load
 * @param knobs the other knobs in words, empty if there are none
 * @param replicas N, 0 if it is not known
 * @param statics static levels with a run that succeeded, from weak to strong
 * @param policies policies with a run that succeeded, in the order of the results
 */
record AdaptiveScenario(
    Load load,
    String knobs,
    int replicas,
    List<Configuration> statics,
    List<Configuration> policies) {
  private static final List<Column> KNOBS =
      List.of(RunColumns.LAYOUT, RunColumns.GEAR, RunColumns.CLOCK, RunColumns.WRITE_BUFFER);

  /** Policies within this of the strong level's replicas hardly asked less. */
  private static final double ALMOST = 0.01;

  /**
   * The scenarios that have a policy.
   *
   * @param replicas N as the study's file says it, 0 if it does not
   */
  static List<AdaptiveScenario> all(Results results, int replicas) {
    int told = AskedReplicas.replication(results.rows());
    int known = told > 0 ? told : replicas;
    List<AdaptiveScenario> scenarios = new ArrayList<>();
    for (LoadGroup group : results.groups()) {
      Map<String, List<Configuration>> byKnobs = new LinkedHashMap<>();
      for (Configuration c : group.measured()) {
        byKnobs.computeIfAbsent(knobs(c), k -> new ArrayList<>()).add(c);
      }
      byKnobs.forEach(
          (knobs, all) -> {
            List<Configuration> policies = all.stream().filter(c -> isPolicy(c)).toList();
            if (!policies.isEmpty()) {
              List<Configuration> statics =
                  all.stream()
                      .filter(c -> !isPolicy(c) && replicas(c, known) > 0)
                      .sorted(Comparator.comparingDouble(c -> replicas(c, known)))
                      .toList();
              scenarios.add(new AdaptiveScenario(group.load(), knobs, known, statics, policies));
            }
          });
    }
    return List.copyOf(scenarios);
  }

  static boolean isPolicy(Configuration c) {
    return !c.ok().isEmpty() && isPolicy(c.ok().get(0));
  }

  static boolean isPolicy(RunRow row) {
    return !row.text(LevelColumns.POLICY).isEmpty();
  }

  /** Such as {@code Closed loop, 4 threads}, with the knobs that tell it from others. */
  String title() {
    return Load.sentence(load.label()) + (knobs.isEmpty() ? "" : ", " + knobs);
  }

  /** Share of stale reads that a policy tolerates, NaN if it promises none. */
  static double tolerated(Configuration policy) {
    return policy.ok().get(0).number(LevelColumns.TOLERATED);
  }

  /** The policy against what it promised. */
  Promise promise(Configuration policy) {
    return Promise.of(tolerated(policy), policy.values(RunRow::staleRate));
  }

  /** Reads at ONE with the same writes, if they ran. */
  Optional<Configuration> one(Configuration policy) {
    return levels(policy).stream()
        .filter(c -> AskedReplicas.isOne(c.ok().get(0).text(RunColumns.READ_LEVEL)))
        .findFirst();
  }

  /**
   * The strong level: the weakest static one whose reads meet every write, R + W &gt; N. One with
   * the policy's own writes goes before others; where N is not known it is the strongest with these
   * writes, if there is one stronger than ONE.
   */
  Optional<Configuration> strong(Configuration policy) {
    List<Configuration> own = levels(policy);
    Optional<Configuration> safe = own.stream().filter(this::isSafe).findFirst();
    if (safe.isEmpty()) {
      safe = statics.stream().filter(this::isSafe).findFirst();
    }
    if (safe.isPresent() || replicas > 0 || own.isEmpty()) {
      return safe;
    }
    Configuration strongest = own.get(own.size() - 1);
    return asked(strongest).mean() > 1 ? Optional.of(strongest) : Optional.empty();
  }

  /** Whether the policy's reads asked as many replicas as those at the strong level. */
  boolean isAlmostStrong(Configuration policy) {
    return strong(policy)
        .map(strong -> asked(policy).mean() >= asked(strong).mean() - ALMOST)
        .orElse(false);
  }

  /** Replicas that a read asked, over blocks. */
  Estimate asked(Configuration c) {
    return c.estimate(row -> asked(row, replicas));
  }

  /** The fewest replicas that keep the promise without a policy, by block. */
  Estimate best(Configuration policy) {
    return policy.estimate(row -> best(policy, row));
  }

  /** Replicas beyond those, by block. */
  Estimate regret(Configuration policy) {
    return policy.estimate(row -> asked(row, replicas) - best(policy, row));
  }

  private double best(Configuration policy, RunRow row) {
    List<Point> points = new ArrayList<>();
    for (Configuration level : levels(policy)) {
      for (RunRow other : level.ok()) {
        if (other.text(RunColumns.REPEAT).equals(row.text(RunColumns.REPEAT))) {
          points.add(new Point(asked(other, replicas), other.staleRate()));
        }
      }
    }
    return Regret.best(points, row.number(LevelColumns.TOLERATED));
  }

  /** Static levels of reads with the policy's own level of writes. */
  private List<Configuration> levels(Configuration policy) {
    String writes = policy.ok().get(0).text(RunColumns.WRITE_LEVEL);
    return statics.stream()
        .filter(c -> c.ok().get(0).text(RunColumns.WRITE_LEVEL).equals(writes))
        .toList();
  }

  private boolean isSafe(Configuration level) {
    int written = AskedReplicas.replicas(level.ok().get(0).text(RunColumns.WRITE_LEVEL), replicas);
    return replicas > 0 && written > 0 && Math.rint(asked(level).mean()) + written > replicas;
  }

  private static double replicas(Configuration level, int replicas) {
    return level.estimate(row -> asked(row, replicas)).mean();
  }

  private static double asked(RunRow row, int replicas) {
    double given = row.number(LevelColumns.MEAN_REPLICAS);
    int said = AskedReplicas.replicas(row.text(RunColumns.READ_LEVEL), replicas);
    return Double.isNaN(given) && said > 0 ? said : given;
  }

  private static String knobs(Configuration c) {
    List<String> set = new ArrayList<>();
    for (Column knob : KNOBS) {
      String value = c.ok().get(0).text(knob);
      if (!value.isEmpty()) {
        set.add(knob.name().replace('_', ' ') + " " + value);
      }
    }
    return String.join(", ", set);
  }
}
