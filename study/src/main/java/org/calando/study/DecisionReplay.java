package org.calando.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.calando.control.DecisionFile;
import org.calando.control.DecisionRow;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Controller;
import org.calando.studyfile.StudyFile;
import org.calando.studyfile.StudySpec;

/**
 * Makes the decisions of a study's runs again, of the same signals, by the policies of its file.
 * Stateless.
 */
public final class DecisionReplay {
  private DecisionReplay() {}

  /**
   * What came of the decisions on some knobs in a run, or why it has others, or none.
   *
   * @param run its id
   * @param knobs names, joined by {@code +}; empty if it is about the run as a whole
   * @param target what was decided for
   * @param policy by which name
   * @param decisions how many
   * @param differences where they are not what is decided again, a sentence each with its line;
   *     empty if all are
   */
  public record Replayed(
      String run,
      String knobs,
      String target,
      String policy,
      int decisions,
      List<String> differences) {
    /** Copies the list. */
    public Replayed {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Replays all runs of a study's folder; changes nothing.
   *
   * @param folder with study.yaml, and runs with decisions.csv
   * @throws BadRequestException if it is no study's folder, or no run has decisions
   * @throws org.calando.core.FailedWorkException naming the line of a decisions.csv that cannot be
   *     read
   */
  public static List<Replayed> of(Path folder) {
    Path file = folder.resolve("study.yaml");
    if (!Files.isRegularFile(file)) {
      throw new BadRequestException(
          "has no study.yaml", folder.toString(), "give the folder of a study, such as out/demo");
    }
    StudySpec study = StudyFile.read(file, List.of());
    List<Replayed> replayed = new ArrayList<>();
    Set<Path> others = new TreeSet<>(StudyFolder.finished(folder));
    for (RunConfig run : RunPlan.of(study)) {
      Path runFolder = folder.resolve("runs").resolve(run.id());
      List<Controller<?>> controllers = RunControllers.of(study, run);
      if (others.remove(runFolder)) {
        replayed.addAll(replayed(run, runFolder, controllers));
      } else if (!controllers.isEmpty()) {
        replayed.add(whole(run.id(), "its folder does not exist"));
      }
    }
    others.stream()
        .filter(other -> Files.exists(other.resolve(RunFiles.DECISIONS)))
        .map(other -> whole(String.valueOf(other.getFileName()), "is no run of study.yaml"))
        .forEach(replayed::add);
    if (replayed.stream().allMatch(each -> each.knobs().isEmpty())) {
      throw new BadRequestException(
          "no run has decisions",
          folder.toString(),
          "give the folder of a study with a policy, such as consistency: [{harmony: {tolerate:"
              + " 5%}}]");
    }
    return replayed;
  }

  private static List<Replayed> replayed(
      RunConfig run, Path folder, List<Controller<?>> controllers) {
    Path decisions = folder.resolve(RunFiles.DECISIONS);
    List<Replayed> replayed = new ArrayList<>();
    List<DecisionFile> parts = List.of();
    if (Files.exists(decisions)) {
      DecisionFile file = DecisionFile.read(decisions, controllers);
      parts = file.parts();
      long rows = StudyFolder.decisions(folder).orElse(file.rows().size());
      if (rows != file.rows().size()) {
        String differ = "%s has %d rows, and the run wrote %d";
        replayed.add(
            whole(run.id(), differ.formatted(RunFiles.DECISIONS, file.rows().size(), rows)));
      }
    }
    parts.forEach(part -> replayed.add(replayed(run.id(), part, controllers)));
    if (!Files.exists(decisions) && StudyFolder.decisions(folder).isEmpty()) {
      // Nothing was decided: a gear that is held on a real cluster.
      return replayed;
    }
    for (Controller<?> each : controllers) {
      String knobs = DecisionFile.knobs(each);
      if (replayed.stream().noneMatch(known -> known.knobs().equals(knobs))) {
        List<String> missing = List.of("no decision is in " + RunFiles.DECISIONS);
        replayed.add(new Replayed(run.id(), knobs, "", each.name(), 0, missing));
      }
    }
    return replayed;
  }

  private static Replayed whole(String run, String difference) {
    return new Replayed(run, "", "", "", 0, List.of(difference));
  }

  private static Replayed replayed(String run, DecisionFile part, List<Controller<?>> controllers) {
    DecisionRow first = part.rows().get(0);
    List<String> differences =
        controllers.stream()
            .filter(each -> DecisionFile.knobs(each).equals(first.knobs()))
            .findFirst()
            .map(part::differences)
            .orElseGet(
                () ->
                    List.of(
                        "line %d: no policy of the study sets %s"
                            .formatted(first.line(), first.knobs())));
    return new Replayed(
        run,
        first.knobs(),
        first.signals().target(),
        first.cell("policy"),
        part.rows().size(),
        differences);
  }
}
