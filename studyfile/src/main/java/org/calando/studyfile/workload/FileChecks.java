package org.calando.studyfile.workload;

import java.util.List;
import java.util.Optional;
import org.calando.engine.Engine;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.StoreSchema;
import org.calando.knob.Axis;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.Axes;
import org.calando.studyfile.MatrixSpec;
import org.calando.studyfile.Places;
import org.calando.studyfile.StudySpec;

/** Checks a study of files, and that no other has what only files can do. Not thread safe. */
public final class FileChecks {
  /** Reads of files at once: each has a thread. */
  static final int MAX_IN_FLIGHT = 256;

  private static final int MAX_MAPS = 64;
  private static final int MAX_GREPS = 100;

  private final Values study;
  private final Key<WorkloadSpec> workload;
  private final Key<List<MatrixSpec>> matrix;

  public FileChecks(Values study, Key<WorkloadSpec> workload, Key<List<MatrixSpec>> matrix) {
    this.study = study;
    this.workload = workload;
    this.matrix = matrix;
  }

  /** Reports all that is wrong. */
  public void run(Key<StudySpec.Staleness> staleness) {
    Optional<Engine> engine = StoreSchema.engine(study);
    String title = engine.map(Engine::title).orElse("");
    boolean files = engine.filter(one -> one.supports(Feature.FILES)).isPresent();
    if (files) {
      if (study.find(staleness).equals(Optional.of(StudySpec.Staleness.DUAL_READ))) {
        forbid("staleness", "is not supported by " + title + ", whose reads are never stale");
      }
      for (Axis<?> knob : Axes.SERVICES) {
        Places.of(study, matrix, knob)
            .forEach(path -> forbid(path, "is not supported by " + title + ", which stores files"));
      }
    }
    study.find(matrix).ifPresent(parts -> checkParts(parts, files));
  }

  private void forbid(String path, String why) {
    if (study.has(path)) {
      study.errorAt(path, why, "remove it");
    }
  }

  private void checkParts(List<MatrixSpec> parts, boolean files) {
    Optional<WorkloadSpec> common = study.find(workload);
    List<String> paths = Places.parts(study, matrix);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).of(Axes.WORKLOAD).isEmpty() && common.isEmpty()) {
        continue; // told already
      }
      MatrixSpec part = orAs(parts.get(i), common);
      for (WorkloadSpec each : part.of(Axes.WORKLOAD)) {
        check(paths.get(i), part, each, files);
      }
    }
  }

  private static MatrixSpec orAs(MatrixSpec part, Optional<WorkloadSpec> common) {
    return common.map(each -> part.orAs(each, Optional.empty())).orElse(part);
  }

  private void check(String path, MatrixSpec part, WorkloadSpec each, boolean files) {
    Optional<FileWork> work = each.fileWork();
    if (!each.hasOperations()) {
      return; // told already
    }
    if (work.isPresent() != files) {
      study.errorAt(
          study.has(path + ".workload") ? path + ".workload" : "workload",
          files
              ? "is of records, and the store has files"
              : "is of files, and the store has records",
          files
              ? "write files or grep"
              : "write a preset, ycsb or mix, or engine: " + Engines.names(Feature.FILES));
    } else if (work.isPresent() && work.get() instanceof FileWork.Grep) {
      checkGrep(path, part, each);
    } else if (work.isPresent()) {
      checkStreams(path, part, each);
    }
  }

  private void checkStreams(String path, MatrixSpec part, WorkloadSpec each) {
    if (part.hasLength() ? part.durationNanos() == 0 : each.durationNanos() == 0) {
      study.errorAt(path, "a load on files goes by time", "write duration, not operations");
    }
    checkWarmUp(each);
    part.of(Axes.THREADS).stream()
        .filter(threads -> threads > MAX_IN_FLIGHT)
        .findFirst()
        .ifPresent(
            threads ->
                study.errorAt(
                    path + ".threads", threads + " on files", "write at most " + MAX_IN_FLIGHT));
  }

  private void checkGrep(String path, MatrixSpec part, WorkloadSpec each) {
    if (part.isOpenLoop()) {
      study.errorAt(path + ".rate", "a grep has no rate", "write threads, its maps at once");
    }
    long greps = part.hasLength() ? part.operations() : each.operations();
    if (greps < 1 || greps > MAX_GREPS) {
      study.errorAt(path, "greps are counted", "write operations: 1, or up to " + MAX_GREPS);
    }
    part.of(Axes.THREADS).stream()
        .filter(threads -> threads > MAX_MAPS)
        .findFirst()
        .ifPresent(
            maps -> study.errorAt(path + ".threads", maps + " maps", "write at most " + MAX_MAPS));
    if (each.warmUp().operations() + each.warmUp().nanos() > 0) {
      study.errorAt("workload.warm-up", "is not supported by a grep", "remove it");
    }
  }

  private void checkWarmUp(WorkloadSpec each) {
    if (each.warmUp().operations() > 0) {
      study.errorAt("workload.warm-up", "goes by time on files", "write a time, such as 2s");
    }
  }
}
