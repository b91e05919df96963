package org.calando.studyfile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.calando.schema.Key;
import org.calando.schema.Values;

/**
 * Checks the study's workload and those of its matrix against each other. Works on what is written,
 * so that it needs neither the whole workload nor the whole matrix to be right. Not thread safe.
 */
final class WorkloadChecks {
  private static final List<String> ORIGINS = List.of("preset", "ycsb", "mix", "files", "grep");

  private final Values study;
  private final Key<WorkloadSpec> common;
  private final Key<List<MatrixSpec>> matrix;

  /** A workload of the matrix that is right by itself, and its place. */
  private record Item(String path, WorkloadSpec workload) {}

  WorkloadChecks(Values study, Key<WorkloadSpec> common, Key<List<MatrixSpec>> matrix) {
    this.study = study;
    this.common = common;
    this.matrix = matrix;
  }

  /** Reports all that is wrong. */
  void run() {
    List<String> parts = StudySchema.parts(study, matrix);
    checkPlace(parts);
    checkLengths(parts);
    List<Item> items = new ArrayList<>();
    parts.forEach(part -> items.addAll(items(part)));
    items.forEach(this::checkPossible);
    checkNames(items);
  }

  /** Whether two parts have a workload in common; those without one have the study's. */
  static boolean shareOne(MatrixSpec part, MatrixSpec other) {
    Set<String> labels = labels(part);
    return labels.equals(labels(other)) || !Collections.disjoint(labels, labels(other));
  }

  private static Set<String> labels(MatrixSpec part) {
    return part.workloads().stream().map(WorkloadSpec::label).collect(Collectors.toSet());
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
      List<Item> items = items(part);
      boolean byFiles =
          study.items(part + ".workload") > 0
              && items.stream().allMatch(item -> item.workload().hasLength());
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

  private List<Item> items(String part) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < study.items(part + ".workload"); i++) {
      String path = part + ".workload[" + i + "]";
      study
          .peek(path, WorkloadSchema.ITEM)
          .ifPresent(workload -> items.add(new Item(path, workload)));
    }
    return items;
  }

  /** A workload that is possible by itself may not be with what the study's says. */
  private void checkPossible(Item item) {
    WorkloadSpec others = study.find(common).orElse(null);
    if (others != null && !others.hasOperations()) {
      WorkloadSchema.problems(() -> item.workload().orAs(others))
          .forEach(problem -> study.errorAt(item.path(), problem, ""));
    }
  }

  /** Results tell workloads apart by their names only. */
  private void checkNames(List<Item> items) {
    for (int i = 0; i < items.size(); i++) {
      Item item = items.get(i);
      items.subList(0, i).stream()
          .filter(other -> other.workload().label().equals(item.workload().label()))
          .filter(other -> !other.workload().equals(item.workload()))
          .findFirst()
          .ifPresent(
              other ->
                  study.errorAt(
                      item.path(),
                      "is called '"
                          + item.workload().label()
                          + "' in results, as "
                          + other.path()
                          + " is",
                      "give one of them another name"));
    }
  }
}
