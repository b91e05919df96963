package org.calando.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.calando.control.file.AtomicFiles;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Words;
import org.calando.knob.DrivenKnobs;
import org.calando.report.Configuration;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.Statistics.Ratio;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunRecord;
import org.calando.schema.Units;
import org.calando.studyfile.StudySpec;

/**
 * A study of the file's own cluster that confirms a plan: of the cheapest setting, and of the next
 * one that the cluster supports beside it. Not thread safe.
 */
final class Confirmation {
  private static final String FILE = "confirm.yaml";
  private static final String FOLDER = "confirm";
  private static final int REPEATS = 5;

  private final Plan plan;
  private final Path out;
  private final List<String> refused = new ArrayList<>();

  Confirmation(Plan plan, Path out) {
    this.plan = plan;
    this.out = out;
  }

  private record Chosen(StudySpec study, List<Outcome> settings) {}

  /**
   * Writes the study, or removes an older one where nothing is to be confirmed.
   *
   * @return how to run it, or what it found; a sentence each
   */
  List<String> write() {
    Path file = out.resolve(FILE);
    Optional<Chosen> chosen = choose();
    if (chosen.isEmpty()) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        throw AtomicFiles.cannotWrite(file, e);
      }
      return refused;
    }
    AtomicFiles.write(file, chosen.get().study().canonicalText());
    Path folder = out.resolve(FOLDER);
    if (Files.isRegularFile(folder.resolve("results.csv"))) {
      return Stream.concat(compare(chosen.get(), folder).stream(), refused.stream()).toList();
    }
    String names =
        String.join(
            " and ", chosen.get().settings().stream().map(one -> one.setting().words()).toList());
    String how =
        "To confirm %s: ./calando study %s --out %s, then plan again with --resume."
            .formatted(names, file, folder);
    return Stream.concat(Stream.of(how), refused.stream()).toList();
  }

  /** The cheapest of what keeps the promise and is supported there, and the next of one study. */
  private Optional<Chosen> choose() {
    Optional<Chosen> chosen = Optional.empty();
    for (Outcome one : plan.outcomes().stream().filter(Outcome::keeps).toList()) {
      List<Outcome> settings = new ArrayList<>(chosen.map(Chosen::settings).orElse(List.of()));
      boolean fits =
          settings.isEmpty() || settings.get(0).setting().clock() == one.setting().clock();
      if (!fits) {
        continue;
      }
      settings.add(one);
      Optional<StudySpec> study = study(settings);
      if (study.isPresent()) {
        chosen = Optional.of(new Chosen(study.get(), settings));
      }
      if (settings.size() > 1 && study.isPresent()) {
        return chosen;
      }
    }
    return chosen;
  }

  private Optional<StudySpec> study(List<Outcome> settings) {
    PlanFile file = plan.file();
    int clock = settings.get(0).setting().clock();
    List<String> set = new ArrayList<>();
    set.add("seed=" + (file.study().seed() + 1));
    set.add("repeats=" + Math.max(REPEATS, file.study().repeats()));
    if (clock > 0 && !file.isSimulated()) {
      return Optional.empty(); // clocks of real processors are not those of the file
    }
    if (clock > 0) {
      double ghz = file.held().cluster().clocksKHz().get(clock) / 1e6;
      set.add("store.sim.clocks.ghz=" + Units.formatNumber(ghz));
    }
    try {
      return Optional.of(file.confirming(settings.stream().map(Outcome::setting).toList(), set));
    } catch (BadRequestException e) {
      String words = settings.get(settings.size() - 1).setting().words();
      refused.add("Not in %s: %s; %s".formatted(FILE, words, e.getMessage()));
      return Optional.empty();
    }
  }

  private List<String> compare(Chosen chosen, Path folder) {
    ResultsFolder results = ResultsFolder.read(folder);
    String ran = StudySpec.withoutProcessIds(results.studyText());
    if (!ran.equals(StudySpec.withoutProcessIds(chosen.study().canonicalText()))) {
      return List.of(
          "Not confirmed: %s holds the runs of another study; remove it, and run %s again."
              .formatted(folder, out.resolve(FILE)));
    }
    List<RunRow> rows = results.results().rows();
    List<String> said = new ArrayList<>();
    for (int i = 0; i < chosen.settings().size(); i++) {
      Outcome one = chosen.settings().get(i);
      RunRecord told = new RunRecord();
      var point = chosen.study().matrix().get(0).control().get(i);
      DrivenKnobs.all().forEach(knob -> knob.identify(point, told));
      Configuration found =
          Batch.configuration(
              one.setting(), rows.stream().filter(row -> Batch.isOf(row, told)).toList());
      said.add(compare(one, found));
    }
    return said;
  }

  private String compare(Outcome planned, Configuration found) {
    if (found.ok().isEmpty()) {
      return "Not confirmed: " + planned.setting().words() + " has no run in " + FOLDER + ".";
    }
    Outcome seen = Outcome.of(plan.file(), planned.setting(), found);
    return "%s: planned and then found %s; joules %s, p99 %s; the promise was %s."
        .formatted(
            planned.setting().words(),
            "(" + found.provenance() + ")",
            ratio(planned, found, row -> row.number(EnergyColumns.JOULES_PER_KOP)),
            ratio(planned, found, row -> row.number(LoadColumns.READ_P99_US)),
            seen.keeps() ? "kept" : seen.isUndecided() ? "kept or not: undecided" : "broken");
  }

  private static String ratio(
      Outcome planned, Configuration found, ToDoubleFunction<RunRow> figure) {
    Ratio ratio = Statistics.welchRatio(found.values(figure), planned.runs().values(figure));
    if (!ratio.hasInterval()) {
      return "times " + Words.number(ratio.ratio());
    }
    return "times %s (%s to %s)"
        .formatted(
            Words.number(ratio.ratio()), Words.number(ratio.low()), Words.number(ratio.high()));
  }
}
