package org.calando.studyfile.workload;

import java.util.List;
import java.util.Optional;
import org.calando.knob.Place;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.Axes;
import org.calando.studyfile.MatrixSpec;
import org.calando.studyfile.Places;

/**
 * Checks the study's workload and those of its matrix against each other. Works on what is written,
 * so that it needs neither the whole workload nor the whole matrix to be right. Not thread safe.
 */
public final class WorkloadChecks {
  private static final List<String> ORIGINS = List.of("preset", "ycsb", "mix", "files", "grep");

  private final Values study;
  private final Key<WorkloadSpec> common;
  private final Key<List<MatrixSpec>> matrix;

  public WorkloadChecks(Values study, Key<WorkloadSpec> common, Key<List<MatrixSpec>> matrix) {
    this.study = study;
    this.common = common;
    this.matrix = matrix;
  }

  /** Reports all that is wrong. */
  public void run() {
    List<String> parts = Places.parts(study, matrix);
    checkPlace(parts);
    checkLengths(parts);
    List<Place<WorkloadSpec>> items = Places.values(study, matrix, Axes.WORKLOAD);
    items.forEach(this::checkPossible);
    checkNames(items);
  }

  /** Either the study's workload says what clients do, or every part of the matrix does. */
  private void checkPlace(List<String> parts) {
    if (!study.given(common)) {
      return; // reported as missing
    }
    Optional<String> origin =
        ORIGINS.stream().filter(key -> study.has("workload." + key)).findAny();
    boolean anyOwn = parts.stream().anyMatch(part -> study.has(part + ".workload"));
    if (origin.isEmpty() && !anyOwn) {
      study.errorAt(
          "workload",
          String.join(" or ", ORIGINS) + " is missing",
          "give exactly one of them, or workloads in matrix");
      return;
    }
    for (String part : parts) {
      boolean own = study.has(part + ".workload");
      if (own && origin.isPresent()) {
        study.errorAt(
            part + ".workload",
            "given beside workload." + origin.get(),
            "leave " + origin.get() + " out there, or name that workload here too");
      } else if (!own && origin.isEmpty()) {
        study.errorAt(
            part, "workload is missing", "give it in every part, or a preset in the study's");
      }
    }
  }

  private void checkLengths(List<String> parts) {
    boolean general =
        study
            .find(common)
            .map(WorkloadSpec::hasLength)
            .orElse(hasLength("workload") || study.has("workload.ycsb"));
    for (String part : parts) {
      if (general || !study.given(matrix) || hasLength(part)) {
        continue;
      }
      List<Place<WorkloadSpec>> items = Places.values(study, part, Axes.WORKLOAD);
      boolean byFiles =
          study.items(part + ".workload") > 0
              && items.stream().allMatch(item -> item.value().hasLength());
      if (!byFiles) {
        study.errorAt(
            part,
            "operations or duration is missing",
            "give exactly one of them here or in workload");
      }
    }
  }

  private boolean hasLength(String path) {
    return study.has(path + ".operations") || study.has(path + ".duration");
  }

  /** A workload that is possible by itself may not be with what the study's says. */
  private void checkPossible(Place<WorkloadSpec> item) {
    WorkloadSpec others = study.find(common).orElse(null);
    if (others != null && !others.hasOperations()) {
      WorkloadSchema.problems(() -> item.value().orAs(others))
          .forEach(problem -> study.errorAt(item.path(), problem, ""));
    }
  }

  /** Results tell workloads apart by their names only. */
  private void checkNames(List<Place<WorkloadSpec>> items) {
    for (int i = 0; i < items.size(); i++) {
      Place<WorkloadSpec> item = items.get(i);
      items.subList(0, i).stream()
          .filter(other -> other.value().label().equals(item.value().label()))
          .filter(other -> !other.value().equals(item.value()))
          .findFirst()
          .ifPresent(
              other ->
                  study.errorAt(
                      item.path(),
                      "is called '"
                          + item.value().label()
                          + "' in results, as "
                          + other.path()
                          + " is",
                      "give one of them another name"));
    }
  }
}
