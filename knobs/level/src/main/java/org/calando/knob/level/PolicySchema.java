package org.calando.knob.level;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.size;
import static org.calando.schema.Types.text;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.policy.BismarPrices;
import org.calando.core.policy.RationingPolicy;
import org.calando.knob.level.PolicySpec.Kind;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.Units;
import org.calando.schema.Values;

/** What a file may say of the policies that choose the level of reads. */
final class PolicySchema {
  private static final double MAX_AMOUNT = 1e12;
  private static final double MAX_MARGIN = 0.99;

  private static final Key<Double> TOLERATE =
      Key.of("tolerate", share(), "Share of stale reads that is tolerated.")
          .mandatory()
          .example("5%");
  private static final Key<Double> TOLERATE_AT_MOST =
      Key.of(
              "tolerate",
              share(),
              "Additional bound on the share of stale reads; without it only their cost decides.")
          .byDefault("100%")
          .example("20%");
  private static final Key<Boolean> MIXED =
      Key.of(
              "mixed",
              bool(),
              "Whether a share of the reads may ask one replica more than the rest, to meet the"
                  + " rate exactly; default true, of harmony false, as published.")
          .example("false");
  private static final Key<Double> MARGIN =
      Key.of(
              "margin",
              number(0, MAX_MARGIN),
              "Part of the tolerated share that is left unused; default 0.1, of harmony 0, as"
                  + " published.")
          .example("0.2");

  private static final Key<String> PRICES_NAME =
      Key.of(
              "name",
              text("a name", "[a-z0-9-]{1,20}", "lower-case letters, digits and - (at most 20)"),
              "What results call these prices.")
          .mandatory()
          .example("cloud-2012");
  private static final Key<Double> INSTANCE =
      amount("instance-per-hour", "Lease of a node for an hour.", "0.34");
  private static final Key<Double> WORK =
      Key.of(
              "work-per-second",
              number(1e-6, MAX_AMOUNT),
              "Units of work (a read or write by one replica) that a node does in a second.")
          .byDefault("1000")
          .example("5000");
  private static final Key<Double> STORAGE =
      amount("storage-per-gb-month", "A gigabyte stored for 30 days.", "0.10");
  private static final Key<Double> STORED =
      amount("stored-gb", "Gigabytes stored, all replicas together.", "24");
  private static final Key<Double> REQUESTS =
      amount("storage-per-million", "A million requests to storage, one a unit of work.", "0.10");
  private static final Key<Double> NETWORK =
      amount("network-per-gb", "A gigabyte sent between nodes.", "0.01");
  private static final Key<Long> RECORD =
      Key.of("record-size", size(0, 1L << 30), "Size of a record where writes do not show it.")
          .byDefault("1KB")
          .example("1KB");
  private static final Key<Double> JOULES =
      amount("joules-per-work", "Joules for a unit of work.", "0.02");
  private static final Key<Double> ENERGY =
      amount("energy-per-kwh", "A kilowatt-hour, for those joules.", "0.30");

  private static final ObjectType<PolicySpec.Prices> PRICES =
      ObjectType.named("prices", "What work costs, all in one currency; docs/papers/bismar.md.")
          .keys(
              PRICES_NAME,
              INSTANCE,
              WORK,
              STORAGE,
              STORED,
              REQUESTS,
              NETWORK,
              RECORD,
              JOULES,
              ENERGY)
          .build(PolicySchema::prices);
  private static final Key<PolicySpec.Prices> PRICES_KEY =
      Key.of("prices", PRICES, "What work costs; without it every unit of work costs one.")
          .example("{name: cloud-2012, instance-per-hour: 0.34}");

  private static final Key<RationingPolicy.Category> CATEGORY =
      Key.of(
              "category",
              choice("a category", Names.of(RationingPolicy.Category.values())),
              "A: always strong; C: always weak; B: as strong as the penalties saved are worth.")
          .mandatory()
          .example("B");
  private static final Key<Double> PENALTY =
      Key.of(
              "penalty",
              number(0, MAX_AMOUNT),
              "Of category B: what a stale read costs, over a read of one replica.")
          .example("10");

  private static final Key<Long> PROPAGATION =
      Key.of(
              "propagation",
              duration(1_000, 3_600_000_000_000L),
              "Time that a write takes to all replicas, as the paper's Harmony has it from the"
                  + " network's latency; measured without.")
          .example("0.2ms");

  private static final Key<PolicySpec> HARMONY =
      policy(
              Kind.HARMONY,
              "Harmony as published: the table as if it had one key.",
              TOLERATE,
              PROPAGATION)
          .example("{tolerate: 5%}");
  private static final Key<PolicySpec> HARMONY_EXACT =
      policy(Kind.HARMONY_EXACT, "Harmony's model, exact for each key.", TOLERATE)
          .example("{tolerate: 5%}");
  private static final Key<PolicySpec> PBS =
      policy(Kind.PBS, "By the measured lags of each replica.", TOLERATE)
          .example("{tolerate: 5%, mixed: false}");
  private static final Key<PolicySpec> BISMAR =
      policy(
              Kind.BISMAR,
              "Bismar: the level with the greatest share of fresh reads over relative cost.",
              TOLERATE_AT_MOST,
              PRICES_KEY)
          .example("{tolerate: 20%}");
  private static final Key<PolicySpec> RATIONING =
      policy(
              Kind.RATIONING,
              "Consistency rationing by what a stale read costs.",
              CATEGORY,
              PENALTY,
              TOLERATE_AT_MOST)
          .example("{category: B, penalty: 10}");

  /** One key for each policy. */
  static final List<Key<PolicySpec>> KEYS = List.of(HARMONY, HARMONY_EXACT, PBS, BISMAR, RATIONING);

  private PolicySchema() {}

  /** The keys for methods that take any number of them. */
  static Key<?>[] keys() {
    return KEYS.toArray(Key<?>[]::new);
  }

  /** The policy that a mapping names; empty if it names none, or one that is wrong. */
  static Optional<PolicySpec> find(Values values) {
    return KEYS.stream().flatMap(key -> values.find(key).stream()).findFirst();
  }

  /** As a file writes it, with all defaults. */
  static Map<String, Object> plain(PolicySpec policy) {
    Map<String, Object> values = Plain.map();
    policy.category().ifPresent(category -> values.put(CATEGORY.name(), category.name()));
    if (policy.category().equals(Optional.of(RationingPolicy.Category.B))) {
      values.put(PENALTY.name(), policy.penalty());
    }
    values.put(TOLERATE.name(), policy.tolerated());
    values.put(MIXED.name(), policy.mixed());
    values.put(MARGIN.name(), policy.margin());
    policy.prices().ifPresent(prices -> values.put(PRICES_KEY.name(), plain(prices)));
    policy
        .propagationNanos()
        .ifPresent(nanos -> values.put(PROPAGATION.name(), Units.formatNanos(nanos)));
    return Plain.map(policy.kind().label(), values);
  }

  private static Key<Double> amount(String name, String doc, String example) {
    return Key.of(name, number(0, MAX_AMOUNT), doc).byDefault("0").example(example);
  }

  private static Key<PolicySpec> policy(Kind kind, String doc, Key<?>... own) {
    ObjectType<PolicySpec> type =
        ObjectType.named("the policy " + kind.label(), doc)
            .keys(own)
            .keys(MIXED, MARGIN)
            .check(values -> checkPenalty(values, own))
            .build(values -> build(kind, values));
    return Key.of(kind.label(), type, doc);
  }

  private static void checkPenalty(Values values, Key<?>... own) {
    if (Arrays.asList(own).contains(PENALTY) && values.find(CATEGORY).isPresent()) {
      if (values.get(CATEGORY) == RationingPolicy.Category.B) {
        values.require("write what a stale read costs", PENALTY);
      } else {
        values.forbid("is of category B only", PENALTY);
      }
    }
  }

  private static PolicySpec build(Kind kind, Values values) {
    return new PolicySpec(
        kind,
        values.find(TOLERATE).or(() -> values.find(TOLERATE_AT_MOST)).orElseThrow(),
        values.find(MIXED).orElse(PolicySpec.mixedByDefault(kind)),
        values.find(MARGIN).orElse(PolicySpec.marginByDefault(kind)),
        values.find(CATEGORY),
        values.find(PENALTY).orElse(0.0),
        values.find(PRICES_KEY),
        values.find(PROPAGATION));
  }

  private static PolicySpec.Prices prices(Values values) {
    double perKwh = values.get(ENERGY);
    return new PolicySpec.Prices(
        values.get(PRICES_NAME),
        new BismarPrices(
            values.get(INSTANCE),
            values.get(WORK),
            values.get(STORAGE),
            values.get(STORED),
            values.get(REQUESTS),
            values.get(NETWORK),
            values.get(RECORD),
            values.get(JOULES),
            new EnergyPricing(perKwh, "", Double.NaN, 1)));
  }

  private static Map<String, Object> plain(PolicySpec.Prices prices) {
    BismarPrices values = prices.values();
    return Plain.map(
        PRICES_NAME.name(),
        prices.name(),
        INSTANCE.name(),
        values.instancePerHour(),
        WORK.name(),
        values.workPerSecond(),
        STORAGE.name(),
        values.storagePerGbMonth(),
        STORED.name(),
        values.storedGb(),
        REQUESTS.name(),
        values.storagePerMillion(),
        NETWORK.name(),
        values.networkPerGb(),
        RECORD.name(),
        (long) values.recordBytes() + "B",
        JOULES.name(),
        values.joulesPerWork(),
        ENERGY.name(),
        values.energy().pricePerKwh());
  }
}
