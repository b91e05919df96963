package org.calando.knob.level;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.written;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.store.ReadFrom;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;

/** What an item of {@code matrix.consistency} may say. */
final class LevelSchema {
  private static final ScalarType<ConsistencyLevel> LEVEL =
      choice("a consistency level", Names.of(ConsistencyLevel.values()));

  private static final Key<?>[] POLICIES = PolicySchema.keys();

  private static final ObjectType<ReadLevel> POLICY =
      ObjectType.named("a policy", "A policy that chooses the level while the study runs.")
          .keys(POLICIES)
          .check(policy -> policy.requireExactlyOne(POLICIES))
          .build(policy -> new ReadLevel.Adaptive(PolicySchema.find(policy).orElseThrow()));
  private static final Type<ReadLevel> LEVEL_OR_POLICY =
      scalarOrMapping(choice("a consistency level", readLevels()), POLICY);

  private static final Key<ReadLevel> READ =
      Key.of(
              "read",
              LEVEL_OR_POLICY,
              "Level of reads and scans, or the policy that chooses it; on Redis also master,"
                  + " replica or any, for one such node.")
          .example("ONE");
  private static final Key<ConsistencyLevel> WRITE =
      Key.of(
              "write",
              choice("a consistency level", writeLevels()),
              "Level of writes; WAIT k, on Redis, is the master and k replicas.")
          .example("QUORUM");
  private static final ObjectType<LevelPair> SEPARATE =
      ObjectType.named(
              "levels of reads and writes",
              "A level for reads and one for writes; a policy for reads alone means writes at ONE.")
          .keys(READ, WRITE)
          .keys(POLICIES)
          .check(LevelSchema::checkPair)
          .build(LevelSchema::pair);

  /** An item. */
  static final Type<LevelPair> LEVELS = levels();

  private LevelSchema() {}

  private static Map<String, ReadLevel> readLevels() {
    Map<String, ReadLevel> levels = new LinkedHashMap<>();
    Names.of(ConsistencyLevel.values())
        .forEach((name, level) -> levels.put(name, new ReadLevel.Fixed(level)));
    for (ReadFrom from : ReadFrom.values()) {
      ReadLevel level = new ReadLevel.From(from);
      levels.put(level.label(), level);
    }
    return levels;
  }

  /** The last name of a level is the one that is written: its own. */
  private static Map<String, ConsistencyLevel> writeLevels() {
    Map<String, ConsistencyLevel> levels = new LinkedHashMap<>();
    levels.put("WAIT 0", ConsistencyLevel.ONE);
    levels.put("WAIT 1", ConsistencyLevel.TWO);
    levels.put("WAIT 2", ConsistencyLevel.THREE);
    levels.putAll(Names.of(ConsistencyLevel.values()));
    return levels;
  }

  private static Type<LevelPair> levels() {
    Type<LevelPair> both = mapped(LEVEL, LevelPair::both);
    return written(scalarOrMapping(both, SEPARATE), LevelSchema::plain);
  }

  private static Object plain(LevelPair pair) {
    if (pair.equals(LevelPair.both(pair.write()))) {
      return pair.write().name();
    }
    Object read = pair.policy().<Object>map(PolicySchema::plain).orElse(pair.read().label());
    return Plain.map(READ.name(), read, WRITE.name(), pair.write().name());
  }

  private static LevelPair pair(Values pair) {
    Optional<PolicySpec> policy = PolicySchema.find(pair);
    return policy.isPresent()
        ? new LevelPair(new ReadLevel.Adaptive(policy.get()), ConsistencyLevel.ONE)
        : new LevelPair(pair.get(READ), pair.get(WRITE));
  }

  private static void checkPair(Values pair) {
    if (Arrays.stream(POLICIES).noneMatch(pair::given)) {
      pair.require("write levels for both read and write", READ, WRITE);
    } else {
      pair.requireAtMostOne(POLICIES);
      pair.forbid("given beside a policy for reads alone", READ, WRITE);
    }
  }
}
