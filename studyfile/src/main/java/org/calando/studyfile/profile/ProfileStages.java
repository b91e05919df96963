package org.calando.studyfile.profile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.distinctList;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.number;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Values;

/** What a profile's file may say of its nodes' stages. */
final class ProfileStages {
  private static final int MOST_THREADS = 4096;

  private static final Key<Integer> VERSION =
      Key.of(
              "version",
              integer(1, CalibrationProfile.STAGES_VERSION),
              "Version of the part on stages.")
          .mandatory();
  private static final Key<StageThreads> THREADS =
      Key.of("threads", threads(), "Threads of each, as the nodes' configuration has them.")
          .mandatory();

  private static final Map<Parameter, Key<Interval>> FITTED = fitted(Parameter.ofStages());

  /** All of them, or none where nodes never stand still. */
  private static final Map<Parameter, Key<Interval>> STALLS = fitted(Parameter.ofStalls());

  /** What the file says of stages. */
  record Stages(StageThreads threads, Map<Parameter, Interval> fitted) {
    Stages {
      fitted = Map.copyOf(fitted);
    }
  }

  /** The nodes' stages. */
  static final Key<Stages> STAGES = Key.of("stages", stages(), "Stages of each node.");

  private ProfileStages() {}

  /** Threads of stages, if a profile has any. */
  static Optional<StageThreads> threads(Values profile) {
    return profile.find(STAGES).map(Stages::threads);
  }

  /** Parameters with those of stages, if a profile has any. */
  static Map<Parameter, Interval> all(Map<Parameter, Interval> parameters, Values profile) {
    Map<Parameter, Interval> all = new EnumMap<>(parameters);
    profile.find(STAGES).ifPresent(stages -> all.putAll(stages.fitted()));
    return all;
  }

  private static ObjectType<StageThreads> threads() {
    Map<String, Key<Integer>> keys = new LinkedHashMap<>();
    StageThreads.KEYS.forEach(
        name ->
            keys.put(name, Key.of(name, integer(1, MOST_THREADS), "Threads of it.").mandatory()));
    return ObjectType.named("threads", "Threads of each stage.")
        .keys(keys.values().toArray(new Key<?>[0]))
        .build(values -> StageThreads.of(keys.values().stream().map(values::get).toList()));
  }

  private static Map<Parameter, Key<Interval>> fitted(List<Parameter> parameters) {
    Map<Parameter, Key<Interval>> keys = new LinkedHashMap<>();
    for (Parameter parameter : parameters) {
      Key<Interval> key = Key.of(parameter.key(), interval(parameter), parameter.meaning());
      keys.put(parameter, Parameter.ofStages().contains(parameter) ? key.mandatory() : key);
    }
    return keys;
  }

  private static ObjectType<Stages> stages() {
    ObjectType.Builder type =
        ObjectType.named("stages", "Thread pools that requests pass in a node.")
            .keys(VERSION, THREADS);
    FITTED.values().forEach(type::keys);
    STALLS.values().forEach(type::keys);
    return type.check(ProfileStages::checkStalls)
        .build(
            values -> {
              Map<Parameter, Interval> intervals = new EnumMap<>(Parameter.class);
              FITTED.forEach((parameter, key) -> intervals.put(parameter, values.get(key)));
              STALLS.forEach(
                  (parameter, key) ->
                      values.find(key).ifPresent(found -> intervals.put(parameter, found)));
              boolean stalls = intervals.containsKey(Parameter.STALLS);
              return new Stages(values.get(THREADS).withStalls(stalls), intervals);
            });
  }

  private static void checkStalls(Values stages) {
    List<Key<Interval>> given = STALLS.values().stream().filter(stages::given).toList();
    if (given.size() == 1) {
      stages.error(given.get(0), "stalls have a rate and a length", "calibrate again");
    }
  }

  /** A parameter with its range, and of one of stages with what it was fitted to. */
  static ObjectType<Interval> interval(Parameter parameter) {
    ScalarType<Double> amount = number(1e-9, parameter.most());
    Key<Double> value = Key.of("value", amount, "The value.").mandatory();
    Key<Double> low = Key.of("low", amount, "A twentieth is below.").mandatory();
    Key<Double> high = Key.of("high", amount, "A twentieth is above.").mandatory();
    ObjectType.Builder type =
        ObjectType.named("a value with its range", parameter.meaning()).keys(value, low, high);
    fittedTo(parameter).ifPresent(type::keys);
    return type.check(
            values -> {
              if (values.find(low).orElse(0.0) > values.find(high).orElse(Double.MAX_VALUE)) {
                values.error(low, "is above high", "exchange them");
              } else if (values.find(value).isPresent()
                  && (values.get(value) < values.find(low).orElse(0.0)
                      || values.get(value) > values.find(high).orElse(Double.MAX_VALUE))) {
                values.error(value, "is not between low and high", "calibrate again");
              }
            })
        .build(values -> new Interval(values.get(value), values.get(low), values.get(high)));
  }

  /** The measurements that a parameter must have been fitted to. */
  private static Optional<Key<List<String>>> fittedTo(Parameter parameter) {
    List<String> names = parameter.fittedTo().stream().map(Quantity::key).toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Key.of(
                    "fitted-to",
                    distinctList(
                        choice(
                            "a measurement",
                            names.stream().collect(Collectors.toMap(name -> name, name -> name))),
                        names.size(),
                        names.size()),
                    "What was measured for it.")
                .mandatory());
  }
}
