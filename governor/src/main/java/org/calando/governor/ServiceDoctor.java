package org.calando.governor;

import java.nio.file.Path;
import java.util.List;
import org.calando.engine.Finding;
import org.calando.governor.promise.PromiseSources;
import org.calando.study.StudyDoctor;
import org.calando.studyfile.ServiceSpec;

/** What is looked at of several clusters before they are governed. */
public final class ServiceDoctor {
  private ServiceDoctor() {}

  /**
   * A doctor for the clusters that the governor governs: their knobs, and what measures promises.
   *
   * @param spec what its file says, which is right
   * @param base folder that relative paths in it are relative to
   */
  public static StudyDoctor of(ServiceSpec spec, Path base) {
    StudyDoctor doctor = new StudyDoctor();
    for (ServiceSpec.Cluster cluster : spec.clusters()) {
      doctor
          .with(() -> List.of(new Finding(true, "file", "cluster " + cluster.name())))
          .with(() -> KnobGovernor.examine(cluster, base));
    }
    for (ServiceSpec.Cluster cluster : spec.clusters()) {
      doctor.with(() -> PromiseSources.examine(cluster, base));
    }
    return doctor;
  }
}
