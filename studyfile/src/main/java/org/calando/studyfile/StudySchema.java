package org.calando.studyfile;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.choiceOrLater;
import static org.calando.schema.Types.file;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.share;
import static org.calando.schema.Types.text;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.calando.core.observe.Promise;
import org.calando.engine.StoreSchema;
import org.calando.engine.StoreSpec;
import org.calando.knob.Axis;
import org.calando.knob.ManagedClocksSchema;
import org.calando.knob.MonitorSchema;
import org.calando.knob.Place;
import org.calando.knob.Point;
import org.calando.power.schema.PowerSchema;
import org.calando.power.schema.PowerSpec;
import org.calando.report.Paper;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Values;
import org.calando.studyfile.StudySpec.Staleness;
import org.calando.studyfile.profile.CalibratedWork;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.ProfileType;
import org.calando.studyfile.sim.GearsSchema;
import org.calando.studyfile.sim.SimSpec;
import org.calando.studyfile.workload.FileChecks;
import org.calando.studyfile.workload.WorkloadChecks;
import org.calando.studyfile.workload.WorkloadSchema;
import org.calando.studyfile.workload.WorkloadSpec;

/** What a study file may say: the one definition that binds, documents and writes it. */
final class StudySchema {
  private static final int MAX_RUNS = 10_000;
  private static final double FEW_ERRORS = 0.01;

  private static final Key<String> NAME =
      Key.of(
              "study",
              text("a name", "[a-z0-9-]{1,63}", "lower-case letters, digits and - (at most 63)"),
              "The study's name; its results go to out/NAME.")
          .mandatory()
          .example("energy-of-consistency");
  private static final Key<StoreSpec> STORE =
      Key.of("store", StoreSchema.TYPE, "The store.")
          .mandatory()
          .example("{engine: cassandra, local: {nodes: 3, rf: 3}}");
  private static final Key<WorkloadSpec> WORKLOAD =
      Key.of("workload", WorkloadSchema.TYPE, "The workload.")
          .mandatory()
          .example("{preset: heavy-update, operations: 100000}");
  private static final Key<Staleness> STALENESS =
      Key.of(
              "staleness",
              choice(
                  "a method",
                  Names.inOrder("oracle", Staleness.ORACLE, "dual-read", Staleness.DUAL_READ)),
              "How stale reads are recognised: by the versions acknowledged (oracle), or also by a"
                  + " second read at ALL after each read (dual-read), which costs energy itself.")
          .byDefault("oracle")
          .example("dual-read");
  static final Key<List<MatrixSpec>> MATRIX =
      Key.of(
              "matrix",
              MatrixSchema.TYPE,
              "What is compared: one part, or a list of parts that differ in their loop or length.")
          .mandatory()
          .example("{consistency: [ONE, QUORUM], threads: [5]}");
  private static final Key<List<EventSpec>> EVENTS =
      Key.of(
              "events",
              EventSchema.TYPE,
              "What happens to the local or simulated cluster in each run, in order; runs must have"
                  + " a duration. Each run begins with the cluster as the store declares it.")
          .example("[{at: 20s, link-delay: 50ms}, {at: 40s, kill-node: n3}]");
  private static final Key<Integer> REPEATS =
      Key.of(
              "repeats",
              integer(1, 1000),
              "Runs of each configuration; each repeat is a block in random order.")
          .byDefault("3")
          .example("5");
  private static final Key<Long> SEED =
      Key.of("seed", longInteger(0, Long.MAX_VALUE / 10), "Seed of everything random.")
          .byDefault("42")
          .example("42");
  private static final Key<PowerSpec> POWER =
      Key.of("power", PowerSchema.TYPE, "How energy is measured.")
          .byDefault("{}")
          .example("{meter: model, profile: xeon-x3440}");
  private static final Key<String> PAPER =
      Key.of(
              "paper",
              choiceOrLater("a paper", Paper.all().stream().map(Paper::name).toList(), List.of()),
              "The paper that the study repeats: its published figures are set beside the results,"
                  + " in published.csv and in the report.")
          .example("li-2013");

  private static final Key<Promise> PROMISE =
      Key.of(
              "promise",
              PromiseSchema.TYPE,
              "The promise to clients in all runs: results show which kept it, and at what"
                  + " price.")
          .example("{stale: 1%, read-p99: 50ms, copies: 2, survive: 1}");

  private static final Key<CalibrationProfile> CALIBRATION =
      Key.of(
              "calibration",
              scalarOrMapping(file("a profile's file", ProfileType.TYPE), ProfileType.TYPE),
              "What operations cost on the store, which is a real one, as ./calando calibrate found"
                  + " it: for control: [{joint: {}}]. Without it the controller learns that from"
                  + " what nodes are seen to be busy.")
          .example("profile.yaml");

  private static final Key<Double> MAX_ERRORS =
      Key.of(
              "max-errors",
              share(),
              "Share of a run's operations that may fail; of a run with more the figures do not"
                  + " count, and its status is failed. Without it 1%; but 100% where events take"
                  + " nodes away, whose errors should be reported.")
          .example("5%");

  private StudySchema() {}

  /** The schema, whose studies carry the canonical text that the caller works out. */
  static ObjectType<Function<String, StudySpec>> type() {
    return ObjectType.named("the study", "A study file.")
        .keys(
            NAME,
            STORE,
            WORKLOAD,
            STALENESS,
            MATRIX,
            EVENTS,
            REPEATS,
            SEED,
            POWER,
            MonitorSchema.MONITOR,
            ManagedClocksSchema.CLOCKS,
            PAPER,
            PROMISE,
            CALIBRATION,
            MAX_ERRORS)
        .check(study -> Axes.KNOBS.forEach(axis -> checkLabels(study, axis)))
        .check(study -> Places.checkKnobs(study, MATRIX, STORE))
        .check(study -> PromiseSchema.check(study, STORE, PROMISE))
        .check(study -> GearsSchema.check(study, STORE))
        .check(study -> new FileChecks(study, WORKLOAD, MATRIX).run(STALENESS))
        .check(study -> new WorkloadChecks(study, WORKLOAD, MATRIX).run())
        .check(StudySchema::checkDistinct)
        .check(StudySchema::checkRuns)
        .check(study -> new PowerChecks(study).run(STORE, POWER))
        .check(study -> new EventChecks(study).run(STORE, WORKLOAD, MATRIX))
        .build(study -> canonicalText -> build(study, canonicalText));
  }

  /** Results could not tell values apart that are called alike. */
  private static <V> void checkLabels(Values study, Axis<V> axis) {
    Map<String, V> called = new HashMap<>();
    for (Place<V> place : Places.values(study, MATRIX, axis)) {
      String label = axis.label(place.value());
      V other = called.putIfAbsent(label, place.value());
      if (other != null && !other.equals(place.value())) {
        study.errorAt(
            place.path(), "is called " + label + " in results, as is another", axis.apart());
      }
    }
  }

  /** Results tell configurations apart by these, so no two parts may share one. */
  private static void checkDistinct(Values study) {
    List<MatrixSpec> parts = study.find(MATRIX).orElse(List.of());
    if (configurations(parts) > MAX_RUNS) {
      return; // reported as too many
    }
    List<Set<Point>> points =
        parts.stream().<Set<Point>>map(part -> new HashSet<>(part.points())).toList();
    for (int i = 0; i < parts.size(); i++) {
      for (int j = 0; j < i; j++) {
        if (!Collections.disjoint(points.get(i), points.get(j))) {
          study.errorAt(
              "matrix[" + i + "]",
              "has a configuration that matrix[" + j + "] has too",
              "give it other layouts, workloads, levels, gears, clocks, threads or rates, or make a"
                  + " study of its own of it");
        }
      }
    }
  }

  private static void checkRuns(Values study) {
    long configurations = configurations(study.find(MATRIX).orElse(List.of()));
    double runs = (double) configurations * study.find(REPEATS).orElse(0);
    if (runs > MAX_RUNS) {
      study.errorAt(
          "matrix",
          "makes " + runs + " runs with the repeats, more than " + MAX_RUNS,
          "compare less at once");
    }
  }

  private static long configurations(List<MatrixSpec> parts) {
    return parts.stream().mapToLong(MatrixSpec::configurations).reduce(0, StudySchema::sum);
  }

  /** All configurations of parts of which each may have more than can be counted. */
  private static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  private static boolean takesNodesAway(Values study) {
    return study.find(EVENTS).orElse(List.of()).stream().anyMatch(event -> event.takesNodeAway());
  }

  private static StudySpec build(Values study, String canonicalText) {
    WorkloadSpec workload = study.get(WORKLOAD);
    StoreSpec given = study.get(STORE);
    StoreSpec store =
        study
            .find(CALIBRATION)
            .map(profile -> given.and(new CalibratedWork(given.engine(), profile)))
            .orElse(given);
    return new StudySpec(
        study.get(NAME),
        store,
        workload,
        study.get(STALENESS),
        study.get(MATRIX).stream().map(part -> part.orAs(workload, Optional.of(store))).toList(),
        study.find(EVENTS).orElse(List.of()),
        study.get(REPEATS),
        study.get(SEED),
        study
            .get(POWER)
            .of(SimSpec.of(store).flatMap(SimSpec::profile).map(CalibrationProfile::power)),
        study.get(MonitorSchema.MONITOR),
        study.find(ManagedClocksSchema.CLOCKS),
        study.find(PAPER),
        study.find(PROMISE).orElse(Promise.NONE),
        study.find(MAX_ERRORS).orElse(takesNodesAway(study) ? 1 : FEW_ERRORS),
        canonicalText);
  }
}
