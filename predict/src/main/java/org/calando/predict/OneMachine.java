package org.calando.predict;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.calando.core.BadRequestException;

/** Refuses folders whose runs have no service times in common. Stateless. */
final class OneMachine {
  private OneMachine() {}

  /**
   * Refuses them.
   *
   * @throws BadRequestException naming two folders that differ, or one that is given twice
   */
  static void require(List<MeasuredStudy> studies) {
    Map<Path, Path> seen = new HashMap<>();
    for (MeasuredStudy study : studies) {
      if (seen.put(real(study.folder()), study.folder()) != null) {
        throw new BadRequestException(
            "is given twice, and its runs would count twice",
            study.folder().toString(),
            "name each folder once");
      }
    }
    List<MeasuredStudy> told = studies.stream().filter(s -> !s.runs().isEmpty()).toList();
    same(
        told,
        study ->
            first(study).scenario().cluster().sharedMachine()
                ? "a local cluster"
                : "nodes of their own");
    same(told, MeasuredStudy::machine);
    same(told, study -> "machines of " + first(study).scenario().cluster().cores() + " cores");
    same(told, study -> "the power profile " + first(study).profile());
  }

  private static MeasuredRun first(MeasuredStudy study) {
    return study.runs().get(0);
  }

  private static void same(List<MeasuredStudy> studies, Function<MeasuredStudy, String> what) {
    for (MeasuredStudy study : studies) {
      String one = what.apply(studies.get(0));
      String other = what.apply(study);
      if (!one.equals(other)) {
        throw new BadRequestException(
            "%s ran on %s, and %s on %s: they have no service times in common"
                .formatted(studies.get(0).folder(), one, study.folder(), other),
            "folders",
            "calibrate on one machine at a time");
      }
    }
  }

  private static Path real(Path folder) {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      return folder.toAbsolutePath().normalize();
    }
  }
}
