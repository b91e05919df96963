package org.calando.knob.buffer;

import java.util.List;
import org.calando.engine.Engines;
import org.calando.engine.Feature;
import org.calando.knob.Place;
import org.calando.knob.StudyChecks;
import org.calando.schema.Values;

/** Checks {@code matrix.write-buffer} against the store. */
final class BufferChecks {
  private BufferChecks() {}

  /** Reports what is wrong with buffers of writes in the matrix and in a simulated store. */
  static void check(StudyChecks checks) {
    Values study = checks.study();
    List<String> paths = checks.paths(WriteBufferKnob.AXIS);
    if (checks.store().isSimulated()) {
      checkSimulatedBuffer(study, !paths.isEmpty());
      checkSimulated(checks);
    } else if (!checks.store().supports(Feature.DEFERRED_WRITES)) {
      for (String path : paths) {
        study.errorAt(
            path,
            "is supported only by " + Engines.names(Feature.DEFERRED_WRITES),
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

  private static void checkSimulated(StudyChecks checks) {
    for (Place<BufferChoice> place : checks.values(WriteBufferKnob.AXIS)) {
      if (place.value().readYourWrites()) {
        checks.study().errorAt(place.path(), "read-your-writes is not simulated", "remove it");
      }
    }
  }
}
