package org.calando.studyfile.profile;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.text;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.engine.LayoutType;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Units;
import org.calando.schema.Values;

/** What a profile's file may say. */
final class ProfileSchema {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;
  private static final ScalarType<String> WORDS = text("a text", "\\P{Cntrl}{1,600}", "");
  private static final ScalarType<Double> AMOUNT = number(0, 1e12);
  private static final ScalarType<Double> ABOVE_NONE = number(1e-9, 1e6);

  private static final Key<Integer> VERSION =
      Key.of("version", integer(1, CalibrationProfile.VERSION), "Version of the format.")
          .mandatory();

  // origin
  private static final Key<List<String>> STUDIES =
      Key.of("studies", list(WORDS, 1, 100), "Folders of the studies.").mandatory();
  private static final Key<String> STARTED =
      Key.of("started", WORDS, "When the first of them began.").mandatory();
  private static final Key<String> MACHINE =
      Key.of("machine", WORDS, "Its machine's processor.").mandatory();
  private static final Key<Integer> RUNS =
      Key.of("runs", integer(1, Integer.MAX_VALUE), "Runs that were fitted.").mandatory();
  private static final Key<Integer> CONFIGURATIONS =
      Key.of("configurations", integer(1, Integer.MAX_VALUE), "Configurations.").mandatory();
  private static final Key<CalibrationProfile.Origin> ORIGIN =
      Key.of(
              "origin",
              ObjectType.named("an origin", "Where the profile comes from.")
                  .keys(STUDIES, STARTED, MACHINE, RUNS, CONFIGURATIONS)
                  .build(
                      values ->
                          new CalibrationProfile.Origin(
                              values.get(STUDIES),
                              values.get(STARTED),
                              values.get(MACHINE),
                              values.get(RUNS),
                              values.get(CONFIGURATIONS))),
              "Where the profile comes from.")
          .mandatory();

  // cluster
  private static final Key<Integer> NODES =
      Key.of("nodes", integer(1, 10_000), "Nodes.").mandatory();
  private static final Key<Integer> RACKS =
      Key.of("racks", integer(1, 10_000), "Racks, which nodes take in turn.").mandatory();
  private static final Key<Integer> RF =
      Key.of("rf", integer(1, 31), "Replicas of a key.").mandatory();
  private static final Key<WarmShare> LAYOUT =
      Key.of("layout", LayoutType.SHARE, "Token layout, where it is not even.");
  private static final Key<Integer> CORES =
      Key.of("cores", integer(1, 4096), "Cores of each machine.").mandatory();
  private static final Key<Boolean> SHARED =
      Key.of("shared-machine", bool(), "Whether all nodes and the clients share one.").mandatory();
  private static final Key<List<List<Long>>> DELAY =
      Key.of(
              "link-delay",
              list(list(duration(0, LONGEST_NANOS), 1, 100), 1, 100),
              "Delay between nodes, one way.")
          .mandatory();
  private static final Key<ClusterShape> CLUSTER =
      Key.of(
              "cluster",
              ObjectType.named("a cluster", "What was measured.")
                  .keys(NODES, RACKS, RF, LAYOUT, CORES, SHARED, DELAY)
                  .check(ProfileSchema::checkCluster)
                  .build(ProfileSchema::cluster),
              "What was measured.")
          .mandatory();

  // parameters
  private static final Key<Map<Parameter, Interval>> PARAMETERS =
      Key.of("parameters", parameters(), "What was fitted.").mandatory();
  private static final int COUNT = Parameter.all().size();
  private static final Key<List<List<Double>>> DRAWS =
      Key.of(
              "draws",
              list(list(ABOVE_NONE, COUNT, Parameter.every().size()), 2, 200),
              "Other values that the runs would allow, in the order of parameters, then of stages.")
          .mandatory();

  // fitted-on
  private static final Key<FittedRange.Bounds> READ_SHARE = bounds("read-share", 1);
  private static final Key<FittedRange.Bounds> THREADS = bounds("threads", 1e6);
  private static final Key<FittedRange.Bounds> RATE = bounds("rate", 1e9);
  private static final Key<FittedRange.Bounds> READ_REPLICAS = bounds("read-replicas", 1);
  private static final Key<FittedRange.Bounds> WRITE_REPLICAS = bounds("write-replicas", 1);
  private static final Key<FittedRange.Bounds> RECORDS = bounds("records", 1e12);
  private static final Key<FittedRange.Bounds> DELAYS = bounds("link-delay-ms", 1e9);
  private static final Key<List<String>> POPULARITY =
      Key.of(
              "popularity",
              list(
                  text(
                      "a popularity",
                      "uniform|latest|sequential|zipf:0\\.\\d{1,9}"
                          + "|(hotspot|exponential):[0-9.E-]{1,24}:[0-9.E-]{1,24}",
                      "uniform or zipf:0.99"),
                  1,
                  20),
              "How requests spread over keys.")
          .mandatory();
  private static final Key<FittedRange> RANGE =
      Key.of(
              "fitted-on",
              ObjectType.named("a range", "What the profile was fitted on.")
                  .keys(
                      READ_SHARE,
                      THREADS,
                      RATE,
                      READ_REPLICAS,
                      WRITE_REPLICAS,
                      RECORDS,
                      DELAYS,
                      POPULARITY)
                  .check(
                      values ->
                          checkBounds(
                              values,
                              List.of(
                                  READ_SHARE,
                                  THREADS,
                                  RATE,
                                  READ_REPLICAS,
                                  WRITE_REPLICAS,
                                  RECORDS,
                                  DELAYS)))
                  .build(
                      values ->
                          new FittedRange(
                              values.get(READ_SHARE),
                              values.get(THREADS),
                              values.get(RATE),
                              values.get(READ_REPLICAS),
                              values.get(WRITE_REPLICAS),
                              values.get(RECORDS),
                              values.get(DELAYS),
                              values.get(POPULARITY))),
              "What the profile was fitted on.")
          .mandatory();

  // errors
  private static final Key<Map<Quantity, Double>> FIT_ERROR =
      Key.of("fit-error", fitErrors(), "Root mean squared relative error of the fit.").mandatory();
  private static final Key<Boolean> WATTS_MEASURED =
      Key.of("watts-measured", bool(), "Whether a meter measured the watts of these.").mandatory();
  private static final Key<HeldOut> HELD_OUT =
      Key.of("held-out", heldOut(), "Errors of what was not fitted: their mean and the worst.");

  /** A profile. */
  static final ObjectType<CalibrationProfile> TYPE =
      ObjectType.named("a profile", "What a calibration found.")
          .keys(
              VERSION,
              ORIGIN,
              CLUSTER,
              PARAMETERS,
              ProfileStages.STAGES,
              DRAWS,
              RANGE,
              FIT_ERROR,
              HELD_OUT,
              ProfilePower.POWER)
          .check(ProfileSchema::checkDraws)
          .build(
              values ->
                  new CalibrationProfile(
                      values.get(ORIGIN),
                      values.get(CLUSTER),
                      values.get(RANGE),
                      ProfileStages.all(values.get(PARAMETERS), values),
                      values.get(DRAWS).stream().map(draw -> draw(draw, values)).toList(),
                      values.get(FIT_ERROR),
                      values.find(HELD_OUT),
                      values.get(ProfilePower.POWER),
                      ProfileStages.threads(values)));

  private ProfileSchema() {}

  private static Key<FittedRange.Bounds> bounds(String name, double most) {
    return Key.of(
            name,
            mapped(
                list(number(0, most), 2, 2), two -> new FittedRange.Bounds(two.get(0), two.get(1))),
            "From and to.")
        .mandatory();
  }

  private static void checkBounds(Values values, List<Key<FittedRange.Bounds>> keys) {
    for (Key<FittedRange.Bounds> key : keys) {
      values
          .find(key)
          .filter(bounds -> bounds.from() > bounds.to())
          .ifPresent(bounds -> values.error(key, "goes down", "write the smaller number first"));
    }
  }

  private static void checkDraws(Values values) {
    List<List<Double>> draws = values.find(DRAWS).orElse(List.of());
    List<Parameter> drawn = Parameter.of(ProfileStages.threads(values));
    for (int i = 0; i < draws.size(); i++) {
      if (draws.get(i).size() != drawn.size()) {
        values.errorAt(
            "draws[%d]".formatted(i),
            "has %d values for %d parameters".formatted(draws.get(i).size(), drawn.size()),
            "calibrate again");
        continue;
      }
      for (Parameter parameter : drawn) {
        double most = parameter.most();
        if (draws.get(i).get(parameter.place()) > most) {
          values.errorAt(
              "draws[%d][%d]".formatted(i, parameter.place()),
              "is more than " + parameter.key() + " can be",
              "write at most " + Units.formatNumber(most));
        }
      }
    }
  }

  private static Parameters draw(List<Double> draw, Values values) {
    return Parameters.ofLogs(draw.stream().mapToDouble(Math::log).toArray())
        .with(ProfileStages.threads(values));
  }

  private static ObjectType<Map<Parameter, Interval>> parameters() {
    Map<Parameter, Key<Interval>> keys = new LinkedHashMap<>();
    for (Parameter parameter : Parameter.all()) {
      keys.put(
          parameter,
          Key.of(parameter.key(), ProfileStages.interval(parameter), parameter.meaning())
              .mandatory());
    }
    return ObjectType.named("parameters", "What was fitted, each with its range.")
        .keys(keys.values().toArray(new Key<?>[0]))
        .build(
            values -> {
              Map<Parameter, Interval> intervals = new EnumMap<>(Parameter.class);
              keys.forEach((parameter, key) -> intervals.put(parameter, values.get(key)));
              return intervals;
            });
  }

  private static ObjectType<Map<Quantity, Double>> fitErrors() {
    Map<Quantity, Key<Double>> keys = new LinkedHashMap<>();
    for (Quantity quantity : Quantity.fitted(true)) {
      keys.put(quantity, Key.of(quantity.key(), AMOUNT, "Of this quantity."));
    }
    return ObjectType.named("errors", "By quantity.")
        .keys(keys.values().toArray(new Key<?>[0]))
        .build(
            values -> {
              Map<Quantity, Double> errors = new EnumMap<>(Quantity.class);
              keys.forEach((q, key) -> values.find(key).ifPresent(error -> errors.put(q, error)));
              return errors;
            });
  }

  private static ObjectType<HeldOut> heldOut() {
    Key<String> how = Key.of("how", WORDS, "What was held out.").mandatory();
    Map<Quantity, Key<List<Double>>> keys = new LinkedHashMap<>();
    for (Quantity quantity : Quantity.judged(true)) {
      keys.put(quantity, Key.of(quantity.key(), list(AMOUNT, 2, 2), "Mean and worst."));
    }
    ObjectType.Builder type =
        ObjectType.named("errors", "Of what was held out.")
            .keys(how, CONFIGURATIONS, WATTS_MEASURED);
    keys.values().forEach(type::keys);
    type.check(
        values ->
            keys.values()
                .forEach(
                    key -> {
                      if (values.find(key).filter(two -> two.get(0) > two.get(1)).isPresent()) {
                        values.error(key, "has a mean above the worst", "exchange them");
                      }
                    }));
    return type.build(
        values -> {
          Map<Quantity, HeldOut.Spread> errors = new EnumMap<>(Quantity.class);
          keys.forEach(
              (q, key) ->
                  values
                      .find(key)
                      .ifPresent(two -> errors.put(q, new HeldOut.Spread(two.get(0), two.get(1)))));
          return new HeldOut(
              values.get(how),
              values.get(CONFIGURATIONS),
              errors,
              values.get(WATTS_MEASURED),
              List.of());
        });
  }

  private static void checkCluster(Values values) {
    if (values.find(NODES).isPresent()
        && values.find(RACKS).isPresent()
        && values.find(RF).isPresent()
        && values.find(CORES).isPresent()
        && values.find(SHARED).isPresent()
        && values.find(DELAY).isPresent()) {
      try {
        cluster(values);
      } catch (BadRequestException e) {
        values.errorHere(String.valueOf(e.getMessage()).replaceAll("\\s+", " "), "");
      }
    }
  }

  private static ClusterShape cluster(Values values) {
    Optional<WarmShare> layout = values.find(LAYOUT);
    return new ClusterShape(
        values.get(NODES),
        values.get(RACKS),
        values.get(RF),
        layout,
        values.get(DELAY),
        values.get(CORES),
        values.get(SHARED));
  }
}
