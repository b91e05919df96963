package org.calando.studyfile.workload;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.freeMap;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.propertiesFile;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.calando.core.BadRequestException;
import org.calando.core.Nearest;
import org.calando.core.workload.Lengths;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Presets;
import org.calando.core.workload.RequestDistribution;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.Refusal;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Values;
import org.calando.studyfile.workload.WorkloadSpec.WarmUp;
import org.calando.studyfile.workload.WorkloadSpec.Ycsb;

/** What {@code workload} may say. */
public final class WorkloadSchema {
  private static final ScalarType<String> PRESET_NAME = preset();

  private static final Key<String> NAME =
      Key.of(
              "name",
              text(
                  "a name",
                  "[a-zA-Z0-9][a-zA-Z0-9._-]{0,39}",
                  "letters, digits, . _ - (at most 40)"),
              "What results call it; without it the preset or the YCSB file's name, else custom.")
          .example("half-reads");
  private static final Key<String> PRESET =
      Key.of("preset", PRESET_NAME, "A workload of YCSB or of a paper.").example("heavy-update");

  private static final Key<String> FILE =
      Key.of("file", text("a name", "[^\\p{Cntrl}]{1,255}", ""), "What results call it.")
          .mandatory()
          .example("workloada");
  private static final Key<Map<String, Object>> PROPERTIES =
      Key.of("properties", freeMap(), "YCSB's properties.")
          .mandatory()
          .example("{recordcount: \"1000\"}");
  private static final ObjectType<Ycsb> YCSB_INLINE =
      ObjectType.named("YCSB properties", "A YCSB property file, written out.")
          .keys(FILE, PROPERTIES)
          .build(ycsb -> new Ycsb(ycsb.get(FILE), texts(ycsb.get(PROPERTIES))));
  private static final Type<Ycsb> YCSB_FILE =
      propertiesFile("a YCSB property file", Ycsb::new, WorkloadSchema::plain);
  private static final Key<Ycsb> YCSB =
      Key.of("ycsb", scalarOrMapping(YCSB_FILE, YCSB_INLINE), "A YCSB property file, unchanged.")
          .example("workloada");

  private static final Key<Mix> MIX =
      Key.of("mix", WorkloadTypes.MIX, "Shares of the kinds of operations.")
          .example("{read: 80%, update: 20%}");
  private static final Key<RequestDistribution> DISTRIBUTION =
      Key.of(
              "distribution",
              WorkloadTypes.DISTRIBUTION,
              "How requests are spread over the keys; without it as the preset or file says, and"
                  + " uniform with mix.")
          .example("{name: zipfian, constant: 0.8}");
  private static final Key<Long> RECORDS =
      Key.of(
              "records",
              longInteger(1, WorkloadTypes.MAX_COUNT),
              "Rows of the table; 1000 unless a YCSB file says otherwise.")
          .example("10000");
  private static final Key<Long> OPERATIONS =
      Key.of(
              "operations",
              longInteger(1, WorkloadTypes.MAX_COUNT),
              "Measured operations of a run; this or duration, here or in matrix.")
          .example("100000");
  private static final Key<Long> DURATION =
      Key.of(
              "duration",
              WorkloadTypes.TIME,
              "Measured time of a run; this or operations, here or in matrix.")
          .example("20s");
  private static final Key<WarmUp> WARM_UP =
      Key.of(
              "warm-up",
              WorkloadTypes.warmUp(),
              "Operations or time before measuring begins; left out of every figure. auto: until"
                  + " throughput, in an open loop latency, is steady, 15 s to 60 s. It is 0 for"
                  + " simulated clusters, for loads on files, and beside rates that change, as"
                  + " these count from the begin of the warm-up.")
          .byDefault(WorkloadTypes.AUTO)
          .example("5s");
  private static final Key<Integer> FIELDS =
      Key.of("fields", integer(1, 10_000), "Fields of a record; YCSB's default is 10.")
          .example("10");
  private static final Key<Lengths> FIELD_SIZE =
      Key.of("field-size", WorkloadTypes.FIELD_SIZE, "Size of a field; YCSB's default is 100B.")
          .example("{min: 10B, max: 1KB, distribution: zipfian}");
  private static final Key<Integer> MAX_SCAN =
      Key.of("max-scan", WorkloadTypes.SCAN, "Records of the longest scan.").example("100");
  private static final Key<Lengths.Shape> SCAN_DISTRIBUTION =
      Key.of("scan-distribution", WorkloadTypes.SHAPE, "How lengths of scans are spread.")
          .example("uniform");
  private static final Key<Boolean> READ_ALL =
      Key.of("read-all-fields", bool(), "Whether reads ask for all fields or for one.")
          .example("true");
  private static final Key<Boolean> WRITE_ALL =
      Key.of("write-all-fields", bool(), "Whether updates write all fields or one.")
          .example("false");

  /** What says what clients do. */
  private static final Key<?>[] ORIGINS = {
    PRESET, YCSB, MIX, FileWorkSchema.LOAD, FileWorkSchema.GREP
  };

  private static final Key<?>[] OF_RECORDS = {
    DISTRIBUTION, RECORDS, FIELDS, FIELD_SIZE, MAX_SCAN, SCAN_DISTRIBUTION, READ_ALL, WRITE_ALL
  };

  public static final ObjectType<WorkloadSpec> TYPE =
      ObjectType.named(
              "the workload",
              "What clients do: exactly one of preset, ycsb and mix, on HDFS one of files and grep,"
                  + " or none of them where the matrix has workloads; the other keys override it"
                  + " and hold for those too.")
          .keys(
              NAME,
              PRESET,
              YCSB,
              MIX,
              FileWorkSchema.LOAD,
              FileWorkSchema.GREP,
              DISTRIBUTION,
              RECORDS,
              OPERATIONS,
              DURATION,
              WARM_UP,
              FIELDS,
              FIELD_SIZE,
              MAX_SCAN,
              SCAN_DISTRIBUTION,
              READ_ALL,
              WRITE_ALL)
          .check(WorkloadSchema::checkCommon)
          .build(WorkloadSchema::build);

  private static final ObjectType<WorkloadSpec> OWN =
      ObjectType.named(
              "a workload of the matrix",
              "Exactly one of preset, ycsb and mix, on HDFS of files and grep; what the other keys"
                  + " leave open is as in the study's workload, which also says how long runs are.")
          .keys(
              NAME,
              PRESET,
              YCSB,
              MIX,
              FileWorkSchema.LOAD,
              FileWorkSchema.GREP,
              DISTRIBUTION,
              RECORDS,
              FIELDS,
              FIELD_SIZE,
              MAX_SCAN,
              SCAN_DISTRIBUTION,
              READ_ALL,
              WRITE_ALL)
          .check(WorkloadSchema::checkOwn)
          .build(WorkloadSchema::build);

  /** An item of {@code matrix.workload}: a preset's name, or a mapping. */
  public static final Type<WorkloadSpec> ITEM =
      scalarOrMapping(mapped(PRESET_NAME, WorkloadSchema::ofPreset), OWN);

  private WorkloadSchema() {}

  private static ScalarType<String> preset() {
    List<String> names = List.copyOf(Presets.names());
    List<String> all = new ArrayList<>(names);
    all.addAll(Presets.aliases());
    return new ScalarType<>(
        "a preset",
        String.join(", ", names),
        scalar -> {
          if (Presets.byName(scalar.text()).isEmpty()) {
            throw new Refusal("is not a preset", Nearest.advice(scalar.text(), all));
          }
          return scalar.text();
        },
        value -> value,
        Map.of("enum", all));
  }

  private static Map<String, String> texts(Map<String, Object> values) {
    Map<String, String> texts = new TreeMap<>();
    values.forEach((key, value) -> texts.put(key, String.valueOf(value)));
    return texts;
  }

  private static Object plain(Ycsb ycsb) {
    return Plain.map("file", ycsb.file(), "properties", new TreeMap<>(ycsb.properties()));
  }

  private static void checkCommon(Values workload) {
    workload.requireAtMostOne(ORIGINS);
    workload.requireAtMostOne(OPERATIONS, DURATION);
    if (Arrays.stream(ORIGINS).anyMatch(workload::given)) {
      checkPossible(workload);
    } else {
      workload.forbid("names no workload, for there is no preset, ycsb or mix beside it", NAME);
    }
  }

  private static void checkOwn(Values workload) {
    workload.requireExactlyOne(ORIGINS);
    checkPossible(workload);
  }

  private static void checkPossible(Values workload) {
    if (workload.given(FileWorkSchema.LOAD) || workload.given(FileWorkSchema.GREP)) {
      workload.forbid("is of records, and this is a load on files", OF_RECORDS);
      return;
    }
    Key<?> origin = workload.given(YCSB) ? YCSB : workload.given(PRESET) ? PRESET : MIX;
    problems(() -> build(workload)).forEach(problem -> workload.error(origin, problem, ""));
  }

  /** What makes a workload impossible, a line each; empty if nothing does. */
  static List<String> problems(Supplier<WorkloadSpec> spec) {
    try {
      if (spec.get().fileWork().isEmpty()) {
        WorkloadBinder.bind(spec.get());
      }
      return List.of();
    } catch (BadRequestException e) {
      // A heading, then a problem a line, then a remedy.
      return String.valueOf(e.getMessage())
          .lines()
          .skip(1)
          .map(String::strip)
          .filter(line -> !line.startsWith("remedy:"))
          .toList();
    }
  }

  private static WorkloadSpec ofPreset(String preset) {
    return new WorkloadSpec(
        Optional.empty(),
        Optional.of(preset),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        0,
        0,
        new WarmUp(0, 0),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static WorkloadSpec build(Values workload) {
    WorkloadSpec spec =
        new WorkloadSpec(
            workload.find(NAME),
            workload.find(PRESET),
            workload.find(YCSB),
            workload.find(MIX),
            workload.find(DISTRIBUTION),
            workload.find(RECORDS).map(OptionalLong::of).orElse(OptionalLong.empty()),
            workload.find(OPERATIONS).orElse(0L),
            workload.find(DURATION).orElse(0L),
            workload.find(WARM_UP).orElse(WarmUp.UNTIL_STEADY),
            optionalInt(workload.find(FIELDS)),
            workload.find(FIELD_SIZE),
            optionalInt(workload.find(MAX_SCAN)),
            workload.find(SCAN_DISTRIBUTION),
            workload.find(READ_ALL),
            workload.find(WRITE_ALL),
            FileWorkSchema.find(workload));
    return spec.hasLength() ? spec : WorkloadBinder.withLengthOfFile(spec);
  }

  private static OptionalInt optionalInt(Optional<Integer> value) {
    return value.map(OptionalInt::of).orElse(OptionalInt.empty());
  }
}
