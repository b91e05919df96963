package org.calando.study.config;

import java.util.List;
import org.calando.study.config.schema.Key;
import org.calando.study.config.schema.Values;

/** Refuses what studies of simulated clusters cannot do yet. Not thread safe. */
final class SimulatedStudyChecks {
  private final Values study;

  SimulatedStudyChecks(Values study) {
    this.study = study;
  }

  /** Reports it, if the store is simulated. */
  void run(Key<StoreSpec> store, Key<List<MatrixSpec>> matrix) {
    if (study.find(store).filter(StoreSpec::isSimulated).isEmpty()) {
      return;
    }
    for (String part : StudySchema.parts(study, matrix)) {
      String levels = part + ".consistency";
      for (int i = 0; i < study.items(levels); i++) {
        String path = levels + "[" + i + "]";
        study
            .peek(path, MatrixSchema.LEVELS)
            .filter(pair -> pair.policy().isPresent())
            .ifPresent(
                pair ->
                    study.errorAt(
                        path,
                        "policies on a simulated cluster are not available in this version",
                        "write a fixed level"));
      }
    }
    if (study.peek("monitor", MonitorSchema.TYPE).filter(MonitorSpec::staticLevels).isPresent()) {
      study.errorAt(
          "monitor.static-levels",
          "is not available on a simulated cluster in this version",
          "remove it");
    }
  }
}
