package org.calando.predict;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;
import org.calando.core.layout.WarmShare;
import org.calando.core.store.ConsistencyLevel;
import org.calando.core.workload.Workload;
import org.calando.engine.Feature;
import org.calando.engine.GearedNodes;
import org.calando.engine.LinkDelay;
import org.calando.engine.LocalSpec;
import org.calando.report.RunRow;
import org.calando.report.RunRows;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.GearColumns;
import org.calando.report.column.LevelColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.StaleColumns;
import org.calando.schema.Refusal;
import org.calando.schema.TextFiles;
import org.calando.studyfile.Axes;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.profile.ClusterShape;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadBinder;

/**
 * The runs of a study's folder that a calibration can use. Immutable.
 *
 * @param folder the folder
 * @param started when the study began, as its environment tells; may be empty
 * @param machine the processor that it ran on; may be empty
 * @param runs those that can be used
 * @param passedOver why others cannot, a sentence each
 */
record MeasuredStudy(
    Path folder, String started, String machine, List<MeasuredRun> runs, List<String> passedOver) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String REMEDY = "name the output folder of a study, such as out/demo";

  MeasuredStudy {
    runs = List.copyOf(runs);
    passedOver = List.copyOf(passedOver);
  }

  /**
   * Reads a folder.
   *
   * @throws BadRequestException if it is no study's folder, or is malformed
   */
  static MeasuredStudy read(Path folder) {
    List<RunRow> rows = RunRows.read(folder);
    JsonNode environment = json(folder.resolve("environment.json"));
    StudySpec study = study(folder);
    Reader reader = new Reader(folder, study, environment);
    rows.forEach(reader::take);
    return new MeasuredStudy(
        folder,
        environment.path("started").asText(""),
        environment.path("host").path("cpu").asText(""),
        reader.runs,
        reader.passedOver);
  }

  private static StudySpec study(Path folder) {
    Path file = folder.resolve("study.yaml");
    return StudyFile.parse(text(file), file.toString(), folder, List.of());
  }

  private static JsonNode json(Path file) {
    try {
      return JSON.readTree(text(file));
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          "not valid JSON: " + e.getOriginalMessage(), file.toString(), "restore the file");
    }
  }

  private static String text(Path file) {
    try {
      return TextFiles.read(file);
    } catch (Refusal refusal) {
      throw new BadRequestException("the file " + refusal.what(), file.toString(), REMEDY);
    }
  }

  /** Goes through the rows of one folder. */
  private static final class Reader {
    private final Path folder;
    private final StudySpec study;
    private final int cores;
    private final String highest;
    private final MeasuredLags lags;
    private final List<MeasuredRun> runs = new ArrayList<>();
    private final List<String> passedOver = new ArrayList<>();

    Reader(Path folder, StudySpec study, JsonNode environment) {
      this.folder = folder;
      this.study = study;
      OptionalInt gears =
          GearedNodes.of(study.store()).map(GearedNodes::highest).orElse(OptionalInt.empty());
      this.highest = gears.isPresent() ? String.valueOf(gears.getAsInt()) : "";
      this.lags = MeasuredLags.read(folder);
      this.cores = environment.path("host").path("cores").asInt(0);
      if (study.store().local().isPresent() && cores < 1) {
        throw new BadRequestException(
            "the number of the machine's cores is missing (host.cores)",
            folder.resolve("environment.json").toString(),
            "restore the file, or run the study again");
      }
    }

    void take(RunRow row) {
      Optional<String> why = useless(row);
      if (why.isPresent()) {
        passedOver.add("%s/%s: %s".formatted(folder.getFileName(), row.id(), why.get()));
        return;
      }
      try {
        runs.add(run(row));
      } catch (BadRequestException e) {
        passedOver.add(
            "%s/%s: %s".formatted(folder.getFileName(), row.id(), String.valueOf(e.getMessage())));
      }
    }

    private Optional<String> useless(RunRow row) {
      if (row.failed()) {
        return Optional.of("it failed");
      }
      if (study.store().isSimulated()) {
        return Optional.of("it was simulated, not measured");
      }
      if (study.store().supports(Feature.FILES)) {
        return Optional.of("it is of files, which are not simulated");
      }
      if (!row.text(LevelColumns.POLICY).isEmpty()) {
        return Optional.of("a policy chose its levels");
      }
      if (row.number(GearColumns.GEAR_SHIFTS) > 0) {
        return Optional.of("its gear was shifted");
      }
      String gear = row.text(RunColumns.GEAR);
      if (!gear.isEmpty() && !gear.equals(highest)) {
        return Optional.of("nodes of it were off, or might be: gear " + gear);
      }
      if (!study.events().isEmpty()) {
        return Optional.of("the cluster changed in it");
      }
      if (!(row.number(EnergyColumns.CPU_S) > 0) || !(row.number(LoadColumns.DURATION_S) > 0)) {
        return Optional.of("the CPU time of its nodes is not known");
      }
      return Optional.empty();
    }

    private MeasuredRun run(RunRow row) {
      String id = row.id();
      JsonNode latency = json(folder.resolve("runs").resolve(id).resolve("summary.json"));
      double successful =
          row.number(LoadColumns.OPERATIONS) - orZero(row.number(LoadColumns.ERRORS));
      double nodes = study.store().nodes();
      double watts =
          row.text(EnergyColumns.PROVENANCE).equals("measured")
              ? row.number(EnergyColumns.POWER_MEAN_W) / nodes
              : Double.NaN;
      Figures figures =
          new Figures(
              row.number(LoadColumns.THROUGHPUT_OPS_S),
              row.number(EnergyColumns.CPU_S) / successful * 1e3,
              row.number(EnergyColumns.CLIENT_CPU_S) / successful * 1e3,
              meanMillis(latency, "read"),
              meanMillis(latency, "update"),
              (long) orZero(row.number(StaleColumns.READS)),
              (long) orZero(row.number(StaleColumns.STALE_READS)),
              List.of(row.number(EnergyColumns.CPU_S) / row.number(LoadColumns.DURATION_S) / nodes),
              new Figures.Tails(
                  row.number(LoadColumns.READ_P99_US) / 1e3,
                  row.number(LoadColumns.WRITE_P99_US) / 1e3,
                  lags.of(id)[0],
                  lags.of(id)[1]));
      return new MeasuredRun(
          id,
          String.valueOf(folder.getFileName()),
          row.text(RunColumns.WORKLOAD),
          (int) row.number(RunColumns.REPEAT),
          scenario(row),
          figures,
          watts,
          study.power().profile());
    }

    private static double orZero(double value) {
      return Double.isNaN(value) ? 0 : value;
    }

    private static double meanMillis(JsonNode summary, String kind) {
      return summary.path("latency").path(kind).path("mean_us").asDouble(Double.NaN) / 1000;
    }

    private Scenario scenario(RunRow row) {
      Workload workload =
          study.workloads().stream()
              .filter(spec -> spec.label().equals(row.text(RunColumns.WORKLOAD)))
              .findFirst()
              .map(spec -> WorkloadBinder.bind(spec).workload())
              .orElseThrow(
                  () -> new BadRequestException("its workload is not the study's", "", ""));
      OptionalInt threads =
          row.number(RunColumns.THREADS) > 0
              ? OptionalInt.of((int) row.number(RunColumns.THREADS))
              : OptionalInt.empty();
      return new Scenario(
          cluster(row),
          workload,
          level(row.text(RunColumns.READ_LEVEL)),
          level(row.text(RunColumns.WRITE_LEVEL)),
          threads,
          threads.isPresent() ? Double.NaN : rate(row.text(RunColumns.RATE)));
    }

    private static ConsistencyLevel level(String name) {
      try {
        return ConsistencyLevel.valueOf(name.toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new BadRequestException("'" + name + "' is no level", "", "");
      }
    }

    private double rate(String label) {
      return study.matrix().stream()
          .flatMap(part -> part.of(Axes.RATE).stream())
          .filter(rate -> rate.label().equals(label))
          .filter(rate -> rate instanceof RateSpec.Poisson || rate instanceof RateSpec.Constant)
          .mapToDouble(RateSpec::peakPerSecond)
          .findFirst()
          .orElseThrow(() -> new BadRequestException("its rate changes, or is unknown", "", ""));
    }

    private ClusterShape cluster(RunRow row) {
      Optional<WarmShare> layout =
          row.text(RunColumns.LAYOUT).isEmpty() || row.text(RunColumns.LAYOUT).equals("even")
              ? Optional.empty()
              : Optional.of(WarmShare.parse(row.text(RunColumns.LAYOUT)));
      Optional<LocalSpec> local = study.store().local();
      if (local.isEmpty()) {
        int nodes = study.store().nodes();
        long racks =
            study.store().inventory().orElseThrow().nodes().stream()
                .map(node -> node.rack())
                .distinct()
                .count();
        return new ClusterShape(
            nodes,
            (int) racks,
            study.store().replicationFactor(),
            layout,
            ClusterShape.NO_DELAY,
            study.power().profile().cores(),
            false);
      }
      LocalSpec here = local.get();
      return new ClusterShape(
          here.nodes(),
          here.racks(),
          here.replicationFactor(),
          layout,
          delays(here.linkDelay(), here.nodes()),
          cores,
          true);
    }

    private static List<List<Long>> delays(LinkDelay delay, int nodes) {
      return delay.isUniform()
          ? delay.matrix()
          : IntStream.range(0, nodes)
              .mapToObj(
                  from -> IntStream.range(0, nodes).mapToObj(to -> delay.nanos(from, to)).toList())
              .toList();
    }
  }
}
