package org.calando.studyfile;

import java.util.List;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.engine.StoreSpec;
import org.calando.schema.Key;
import org.calando.schema.Values;
import org.calando.studyfile.Places.Place;

/** Checks {@code matrix.write-buffer} against the store. */
final class WriteBufferChecks {
  private WriteBufferChecks() {}

  /** Reports what is wrong with buffers of writes in the matrix and in a simulated store. */
  static void check(Values study, Key<StoreSpec> store) {
    study.find(store).ifPresent(studied -> check(study, studied));
  }

  private static void check(Values study, StoreSpec studied) {
    List<String> paths = Places.of(study, StudySchema.MATRIX, Axes.WRITE_BUFFER);
    if (studied.isSimulated()) {
      checkSimulatedBuffer(study, !paths.isEmpty());
      checkSimulated(study);
    } else if (!studied.supports(Feature.DEFERRED_WRITES)) {
      for (String path : paths) {
        study.errorAt(
            path,
            "holds only for " + Engines.names(Feature.DEFERRED_WRITES),
            "remove it, or study one of them");
      }
    }
  }

  /** What the matrix says of buffers is not to be said of all runs as well. */
  private static void checkSimulatedBuffer(Values study, boolean varied) {
    String path = "store.sim.write-buffer";
    boolean sized = study.has(path + ".writes");
    if (varied && sized) {
      study.errorAt(path + ".writes", "given beside matrix.write-buffer", "give only one of them");
    } else if (!varied && !sized && study.has(path)) {
      study.errorAt(path, "has no writes", "write writes, or matrix.write-buffer");
    }
  }

  private static void checkSimulated(Values study) {
    for (Place<BufferChoice> place : Places.values(study, StudySchema.MATRIX, Axes.WRITE_BUFFER)) {
      if (place.value().readYourWrites()) {
        study.errorAt(place.path(), "read-your-writes is not simulated", "remove it");
      }
    }
  }
}
