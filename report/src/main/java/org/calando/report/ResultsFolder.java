package org.calando.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.RunColumns;

/**
 * What a study left in its output folder. Immutable.
 *
 * <p>Only {@code results.csv} must be there. What a killed run left unfinished is passed over and
 * named in {@code problems}.
 *
 * @param studyText the study's file as it was run, empty if it is missing
 * @param environment {@code environment.json}, a missing node if there is none
 * @param summaries {@code summary.json} of the runs that have one, by run
 * @param throughput operations of each whole second of the measured window, of the runs that have
 *     {@code ops.csv}
 * @param problems what could not be read, in words
 */
public record ResultsFolder(
    Path folder,
    String studyText,
    JsonNode environment,
    Results results,
    Map<String, JsonNode> summaries,
    Map<String, double[]> throughput,
    List<String> problems) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long MAX_BYTES = 64L << 20;
  private static final long MAX_RUN_FILE_BYTES = 8L << 20;
  private static final String NAME_ONE = "name the output folder of a study, such as out/demo";

  /**
   * Reads a folder.
   *
   * @throws BadRequestException if it is no study's folder, or results.csv or environment.json is
   *     malformed
   */
  public static ResultsFolder read(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new BadRequestException("no such folder", folder.toString(), NAME_ONE);
    }
    Path resultsFile = folder.resolve("results.csv");
    if (!Files.isRegularFile(resultsFile)) {
      throw new BadRequestException(
          "not a study's output folder: it has no results.csv", folder.toString(), NAME_ONE);
    }
    List<RunRow> rows = rows(resultsFile);
    List<String> problems = new ArrayList<>();
    Map<String, JsonNode> summaries = new LinkedHashMap<>();
    Map<String, double[]> throughput = new LinkedHashMap<>();
    for (RunRow row : rows) {
      readRun(folder, row, summaries, throughput, problems);
    }
    return new ResultsFolder(
        folder,
        studyText(folder.resolve("study.yaml"), problems),
        environment(folder.resolve("environment.json"), problems),
        Results.of(rows),
        Map.copyOf(summaries),
        Map.copyOf(throughput),
        List.copyOf(problems));
  }

  /** The folder's own name, which is the study's unless the environment says otherwise. */
  public String name() {
    Path name = folder.toAbsolutePath().normalize().getFileName();
    return name == null ? "study" : name.toString();
  }

  /** How joules of runs that succeeded were found, joined by {@code +}; empty if nothing says. */
  public String provenance() {
    String column = results.joined(EnergyColumns.PROVENANCE);
    return column.isEmpty() ? environment.at("/power/provenance").asText("") : column;
  }

  /** Whether joules are made of a node profile, be it by a model or in a simulation. */
  public boolean isOfProfile() {
    String origin = provenance();
    return origin.contains("modelled") || origin.contains("simulated");
  }

  /** The rows of a run's CSV file; none if it is missing, too large or malformed. */
  public List<RunRow> runCsv(String run, String name) {
    Optional<Path> file = runFile(run, name, MAX_RUN_FILE_BYTES);
    if (file.isEmpty()) {
      return List.of();
    }
    try {
      String text = text(file.get());
      return Csv.parse(text, file.get().toString()).stream().map(RunRow::new).toList();
    } catch (BadRequestException e) {
      return List.of(); // named among the problems of the runs' folders
    }
  }

  /** A run's file, if it is there and not larger than that. */
  Optional<Path> runFile(String run, String name, long mostBytes) {
    if (!isFolderName(run)) {
      return Optional.empty();
    }
    Path file = folder.resolve("runs").resolve(run).resolve(name);
    return isSmall(file, mostBytes) ? Optional.of(file) : Optional.empty();
  }

  private static boolean isFolderName(String run) {
    return run.matches("[\\w.+=,@ -]+") && !run.startsWith(".");
  }

  private static List<RunRow> rows(Path file) {
    List<RunRow> rows = new ArrayList<>();
    for (Map<String, String> cells : Csv.parse(text(file), file.toString())) {
      if (!cells.containsKey(RunColumns.ID.name())) {
        throw new BadRequestException(
            "the header has no column \"run\"",
            file + ":1",
            "restore the file, or run the study again into a new folder");
      }
      rows.add(new RunRow(cells));
    }
    return rows;
  }

  private static void readRun(
      Path folder,
      RunRow row,
      Map<String, JsonNode> summaries,
      Map<String, double[]> throughput,
      List<String> problems) {
    String run = row.id();
    if (!isFolderName(run)) {
      problems.add("the run \"" + run + "\" has a name that no folder can have");
      return;
    }
    Path dir = folder.resolve("runs").resolve(run);
    for (String name :
        List.of("nodes.csv", "ops.csv", "decisions.csv", "clocks.csv", "summary.json")) {
      Path file = dir.resolve(name);
      if (Files.isRegularFile(file) && !isSmall(file, MAX_RUN_FILE_BYTES)) {
        problems.add(
            "runs/%s/%s is larger than %d MiB and is not shown here"
                .formatted(run, name, MAX_RUN_FILE_BYTES >> 20));
      }
    }
    Path summary = dir.resolve("summary.json");
    if (isSmall(summary, MAX_RUN_FILE_BYTES)) {
      try {
        summaries.put(run, JSON.readTree(text(summary)));
      } catch (JsonProcessingException e) {
        problems.add("runs/" + run + "/summary.json is not valid JSON: " + at(e));
      }
    }
    Path ops = dir.resolve("ops.csv");
    if (isSmall(ops, MAX_RUN_FILE_BYTES)) {
      try {
        throughput.put(run, measuredSeconds(row, Csv.parse(text(ops), ops.toString())));
      } catch (BadRequestException e) {
        problems.add("runs/" + run + "/ops.csv is not valid CSV");
      }
    }
  }

  private static double[] measuredSeconds(RunRow run, List<Map<String, String>> seconds) {
    return seconds.stream()
        .map(RunRow::new)
        .filter(OperationSeconds::isMeasured)
        .filter(second -> OperationSeconds.second(second) < OperationSeconds.whole(run))
        .mapToDouble(second -> second.number("operations"))
        .filter(Double::isFinite)
        .toArray();
  }

  private static boolean isSmall(Path file, long mostBytes) {
    try {
      return Files.isRegularFile(file) && Files.size(file) <= mostBytes;
    } catch (IOException e) {
      return false;
    }
  }

  private static String studyText(Path file, List<String> problems) {
    if (Files.isRegularFile(file)) {
      return text(file);
    }
    problems.add("study.yaml is missing");
    return "";
  }

  private static JsonNode environment(Path file, List<String> problems) {
    if (!Files.isRegularFile(file)) {
      problems.add("environment.json is missing: meter, versions and seed are not known");
      return MissingNode.getInstance();
    }
    try {
      return JSON.readTree(text(file));
    } catch (JsonProcessingException e) {
      throw new BadRequestException(
          "not valid JSON: " + at(e),
          file.toString(),
          "restore the file, or delete it to make a report without it");
    }
  }

  /** The place and cause, without the parser's quotation of its source. */
  private static String at(JsonProcessingException e) {
    String cause = e.getOriginalMessage();
    return e.getLocation() == null ? cause : "line " + e.getLocation().getLineNr() + ": " + cause;
  }

  private static String text(Path file) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        throw new BadRequestException(
            "larger than " + (MAX_BYTES >> 20) + " MiB", file.toString(), NAME_ONE);
      }
      // Unlike readString, this replaces bytes that are not UTF-8 instead of failing.
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new BadRequestException(
          "cannot be read: " + e, file.toString(), "make the file readable to this user");
    }
  }
}
