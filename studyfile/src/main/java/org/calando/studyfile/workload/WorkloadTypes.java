package org.calando.studyfile.workload;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.size;
import static org.calando.schema.Types.written;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.core.workload.Lengths;
import org.calando.core.workload.Mix;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Zipfian;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.studyfile.workload.WorkloadSpec.WarmUp;

/** The types of the values that {@code workload} holds. */
public final class WorkloadTypes {
  /** Stands for a warm-up until throughput is steady. */
  public static final String AUTO = "auto";

  private static final long HOUR_NANOS = 3_600_000_000_000L;
  public static final long MAX_COUNT = 1_000_000_000_000L;
  private static final long MAX_FIELD_BYTES = 16L << 20;

  private static final Key<Double> MIX_READ = shareOf("read", "reads");
  private static final Key<Double> MIX_UPDATE = shareOf("update", "updates");
  private static final Key<Double> MIX_INSERT = shareOf("insert", "inserts");
  private static final Key<Double> MIX_SCAN = shareOf("scan", "scans");
  private static final Key<Double> MIX_RMW =
      shareOf("read-modify-write", "reads that are followed by an update of the same record");

  static final ObjectType<Mix> MIX =
      ObjectType.named("the mix", "Shares of the kinds of operations; they sum to 100%.")
          .keys(MIX_READ, MIX_UPDATE, MIX_INSERT, MIX_SCAN, MIX_RMW)
          .check(WorkloadTypes::checkMix)
          .build(WorkloadTypes::mix);

  private static final ScalarType<RequestDistribution> DISTRIBUTION_NAME =
      choice("a distribution", distributions());
  private static final Key<RequestDistribution> NAME =
      Key.of("name", DISTRIBUTION_NAME, "The distribution.").mandatory().example("zipfian");
  private static final Key<Double> CONSTANT =
      Key.of(
              "constant",
              number(0.0001, 0.9999),
              "Of zipfian and scrambled-zipfian: the exponent; YCSB's is 0.99.")
          .example("0.8");
  private static final Key<Double> HOT_KEYS =
      Key.of("hot-keys", share(), "Of hotspot: share of the keys that is hot; YCSB's is 20%.")
          .example("10%");
  private static final Key<Double> HOT_OPERATIONS =
      Key.of(
              "hot-operations",
              share(),
              "Of hotspot: share of the operations that goes to hot keys; YCSB's is 80%.")
          .example("90%");
  private static final Key<Double> PERCENTILE =
      Key.of(
              "percentile",
              number(0.001, 99.999),
              "Of exponential: this percentage of the requests goes to the newest fraction of the"
                  + " keys; YCSB's is 95.")
          .example("95");
  private static final Key<Double> FRACTION =
      Key.of("fraction", number(1e-9, 1), "Of exponential; YCSB's is 0.8571428571.").example("0.5");

  /** The parameters that each distribution has. */
  private static final Map<String, Set<Key<?>>> PARAMETERS =
      Map.of(
          "zipfian", Set.of(CONSTANT),
          "scrambled-zipfian", Set.of(CONSTANT),
          "hotspot", Set.of(HOT_KEYS, HOT_OPERATIONS),
          "exponential", Set.of(PERCENTILE, FRACTION));

  private static final ObjectType<RequestDistribution> DISTRIBUTION_MAPPING =
      ObjectType.named("a distribution", "A distribution with parameters of its own.")
          .keys(NAME, CONSTANT, HOT_KEYS, HOT_OPERATIONS, PERCENTILE, FRACTION)
          .check(WorkloadTypes::checkDistribution)
          .build(WorkloadTypes::distribution);

  static final Type<RequestDistribution> DISTRIBUTION =
      written(
          scalarOrMapping(DISTRIBUTION_NAME, DISTRIBUTION_MAPPING),
          WorkloadTypes::plainDistribution);

  static final Type<Lengths.Shape> SHAPE =
      choice(
          "a distribution of lengths",
          Names.inOrder("uniform", Lengths.Shape.UNIFORM, "zipfian", Lengths.Shape.ZIPFIAN));

  private static final ScalarType<Long> FIELD_BYTES = size(1, MAX_FIELD_BYTES);
  private static final Key<Long> MIN =
      Key.of("min", FIELD_BYTES, "Smallest size.").mandatory().example("10B");
  private static final Key<Long> MAX =
      Key.of("max", FIELD_BYTES, "Largest size.").mandatory().example("1KB");
  private static final Key<Lengths.Shape> LENGTH_SHAPE =
      Key.of("distribution", SHAPE, "How sizes are spread; zipfian prefers the small ones.")
          .byDefault("uniform")
          .example("zipfian");
  private static final ObjectType<Lengths> FIELD_SIZES =
      ObjectType.named("sizes", "Sizes of fields that vary.")
          .keys(MIN, MAX, LENGTH_SHAPE)
          .check(WorkloadTypes::checkSizes)
          .build(
              sizes ->
                  new Lengths(
                      sizes.get(LENGTH_SHAPE),
                      Math.toIntExact(sizes.get(MIN)),
                      Math.toIntExact(sizes.get(MAX))));

  static final Type<Lengths> FIELD_SIZE =
      scalarOrMapping(
          mapped(FIELD_BYTES, bytes -> Lengths.constant(Math.toIntExact(bytes))), FIELD_SIZES);

  public static final ScalarType<Long> TIME = duration(1_000_000, 168 * HOUR_NANOS);
  static final ScalarType<Integer> SCAN = integer(1, 1_000_000);

  private WorkloadTypes() {}

  private static Key<Double> shareOf(String name, String what) {
    return Key.of(name, share(), "Share of " + what + ".").byDefault("0").example("50%");
  }

  private static void checkMix(Values mix) {
    boolean complete = true;
    for (Key<Double> key : List.of(MIX_READ, MIX_UPDATE, MIX_INSERT, MIX_SCAN, MIX_RMW)) {
      complete &= mix.find(key).isPresent();
    }
    if (complete && !mix(mix).isNormalised()) {
      String percent = Units.formatNumber(Math.rint(mix(mix).sum() * 1e8) / 1e6);
      mix.errorHere("shares sum to " + percent + "%", "make them 100%");
    }
  }

  private static Mix mix(Values mix) {
    return new Mix(
        mix.get(MIX_READ),
        mix.get(MIX_UPDATE),
        mix.get(MIX_INSERT),
        mix.get(MIX_SCAN),
        mix.get(MIX_RMW));
  }

  private static Map<String, RequestDistribution> distributions() {
    Map<String, RequestDistribution> byName = new LinkedHashMap<>();
    for (String name : RequestDistribution.names()) {
      byName.put(name, RequestDistribution.byName(name).orElseThrow());
    }
    return byName;
  }

  private static void checkDistribution(Values values) {
    String name = values.find(NAME).map(RequestDistribution::name).orElse("");
    if (name.isEmpty()) {
      return;
    }
    for (Key<?> key : List.of(CONSTANT, HOT_KEYS, HOT_OPERATIONS, PERCENTILE, FRACTION)) {
      if (!PARAMETERS.getOrDefault(name, Set.of()).contains(key)) {
        values.forbid("is no parameter of " + name, key);
      }
    }
  }

  private static RequestDistribution distribution(Values values) {
    RequestDistribution usual = values.get(NAME);
    if (usual instanceof Zipfian zipfian) {
      return new Zipfian(values.find(CONSTANT).orElse(zipfian.constant()));
    }
    if (usual instanceof ScrambledZipfian zipfian) {
      return new ScrambledZipfian(values.find(CONSTANT).orElse(zipfian.constant()));
    }
    if (usual instanceof Hotspot hotspot) {
      return new Hotspot(
          values.find(HOT_KEYS).orElse(hotspot.dataFraction()),
          values.find(HOT_OPERATIONS).orElse(hotspot.operationFraction()));
    }
    if (usual instanceof Exponential exponential) {
      return new Exponential(
          values.find(PERCENTILE).orElse(exponential.percentile()),
          values.find(FRACTION).orElse(exponential.fraction()));
    }
    return usual;
  }

  private static Object plainDistribution(RequestDistribution distribution) {
    if (distribution.equals(distributions().get(distribution.name()))) {
      return distribution.name();
    }
    Map<String, Object> plain = Plain.map("name", distribution.name());
    if (distribution instanceof Zipfian zipfian) {
      plain.put("constant", zipfian.constant());
    } else if (distribution instanceof ScrambledZipfian zipfian) {
      plain.put("constant", zipfian.constant());
    } else if (distribution instanceof Hotspot hotspot) {
      plain.put("hot-keys", hotspot.dataFraction());
      plain.put("hot-operations", hotspot.operationFraction());
    } else if (distribution instanceof Exponential exponential) {
      plain.put("percentile", exponential.percentile());
      plain.put("fraction", exponential.fraction());
    }
    return plain;
  }

  private static void checkSizes(Values sizes) {
    long min = sizes.find(MIN).orElse(0L);
    if (sizes.find(MAX).orElse(Long.MAX_VALUE) < min) {
      sizes.errorAt("max", "is less than min", "write at least " + Units.formatBytes(min));
    }
  }

  /** Operations, a duration, or until throughput is steady. */
  static ScalarType<WarmUp> warmUp() {
    ScalarType<Long> count = longInteger(0, MAX_COUNT);
    ScalarType<Long> time = duration(0, HOUR_NANOS);
    return new ScalarType<>(
        "operations, a duration or auto",
        count.range() + " operations, " + time.range() + ", or " + AUTO,
        scalar -> {
          if (scalar.text().equals(AUTO)) {
            return WarmUp.UNTIL_STEADY;
          }
          return Character.isDigit(scalar.text().charAt(scalar.text().length() - 1))
              ? new WarmUp(count.parse(scalar), 0)
              : new WarmUp(0, time.parse(scalar));
        },
        warmUp -> {
          if (warmUp.untilSteady()) {
            return AUTO;
          }
          return warmUp.nanos() > 0
              ? Units.formatNanos(warmUp.nanos())
              : (Object) warmUp.operations();
        },
        Map.of("anyOf", List.of(Map.of("const", AUTO), count.jsonSchema(), time.jsonSchema())));
  }
}
