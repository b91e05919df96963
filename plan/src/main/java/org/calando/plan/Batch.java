package org.calando.plan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.joint.HeldSettings;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.Point;
import org.calando.report.Configuration;
import org.calando.report.Load;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;
import org.calando.schema.Units;
import org.calando.studyfile.StudySpec;

/**
 * Settings that are simulated as one study, as their clusters have one clock at first and one power
 * profile. Immutable.
 *
 * @param name of its folder
 * @param words what its runs have in common
 * @param study the study
 * @param settings in the order of the study's {@code control}
 * @param idleShare idle power of its nodes over their busy power, where that is not the file's
 */
record Batch(
    String name, String words, StudySpec study, List<Setting> settings, OptionalDouble idleShare) {
  private static final int CURVE_POINTS = 11;

  /** Settings by their clocks, and what decides by watts again at other shares of idle power. */
  static List<Batch> of(PlanFile file, List<Setting> settings, List<Double> idleShares) {
    List<Batch> batches = new ArrayList<>();
    List<Long> clocks = file.held().cluster().clocksKHz();
    for (int clock : Candidates.clocks(settings)) {
      String ghz = Units.formatNumber(clocks.get(clock) / 1e6);
      List<Setting> of = settings.stream().filter(one -> one.clock() == clock).toList();
      String name = clocks.size() == 1 ? "settings" : "at-" + ghz + "ghz";
      List<String> set = clock == 0 ? List.<String>of() : List.of("store.sim.clocks.ghz=" + ghz);
      batches.add(
          new Batch(
              name,
              clocks.size() == 1 ? "all settings" : "at " + ghz + " GHz",
              file.study(name.replace('.', '-'), of, set),
              of,
              OptionalDouble.empty()));
    }
    List<Setting> sighted = settings.stream().filter(one -> !one.isBlindToPower()).toList();
    for (double share : sighted.isEmpty() ? List.<Double>of() : idleShares) {
      String percent = Units.formatNumber(Math.rint(share * 100));
      batches.add(
          new Batch(
              "idle-" + percent,
              "policies, with idle power of " + percent + " % of peak",
              file.study("idle-" + percent, sighted, power(file, share)),
              sighted,
              OptionalDouble.of(share)));
    }
    return batches;
  }

  /** Idle cores draw no more of a busy one's dynamic power than idle nodes do of all power. */
  private static List<String> power(PlanFile file, double idleShare) {
    List<String> set = new ArrayList<>();
    set.add("power.profile=" + profile(file.study().power().profile(), idleShare));
    if (file.held().cluster().clocks().idleActivity() > idleShare) {
      set.add("store.sim.clocks.idle-activity=" + Units.formatNumber(idleShare));
    }
    return set;
  }

  private static String profile(NodeProfile usual, double idleShare) {
    NodeProfile profile = HeldSettings.idle(usual, idleShare);
    String text =
        "name: %s, off: %s, idle: %s, busy: %s, cores: %d, cpu-scale: %s, boot-seconds: %s,"
            + " boot-watts: %s";
    String curve = curve(profile);
    return "{"
        + text.formatted(
            "idle-" + Units.formatNumber(Math.rint(idleShare * 100)),
            Units.formatNumber(profile.offWatts()),
            Units.formatNumber(profile.idleWatts()),
            Units.formatNumber(profile.busyWatts()),
            profile.cores(),
            Units.formatNumber(profile.cpuScale()),
            Units.formatNumber(profile.bootSeconds()),
            Units.formatNumber(profile.bootWatts()))
        + curve
        + "}";
  }

  private static String curve(NodeProfile profile) {
    if (profile.curve() instanceof PowerCurve.Linear) {
      return "";
    }
    List<String> watts = new ArrayList<>();
    for (int i = 0; i < CURVE_POINTS; i++) {
      watts.add(Units.formatNumber(profile.watts(i / (CURVE_POINTS - 1.0))));
    }
    return watts.stream().collect(Collectors.joining(", ", ", curve: [", "]"));
  }

  /** How many settings, in words. */
  String count() {
    return settings.size() == 1 ? "1 setting" : settings.size() + " settings";
  }

  /** How many runs it has. */
  int runs() {
    return study.runs();
  }

  /** What became of its settings. */
  List<Outcome> outcomes(PlanFile file, Path folder) {
    List<RunRow> rows = rows(folder);
    List<Point> points = study.matrix().get(0).control();
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < settings.size(); i++) {
      RunRecord told = new RunRecord();
      Point point = points.get(i);
      DrivenKnobs.all().forEach(knob -> knob.identify(point, told));
      List<RunRow> of = rows.stream().filter(row -> isOf(row, told)).toList();
      outcomes.add(Outcome.of(file, settings.get(i), configuration(settings.get(i), of)));
    }
    return outcomes;
  }

  private static List<RunRow> rows(Path folder) {
    return Files.isRegularFile(folder.resolve("results.csv"))
        ? ResultsFolder.read(folder).results().rows()
        : List.of();
  }

  /** Whether a run was of a setting, as results call it. */
  static boolean isOf(RunRow row, RunRecord setting) {
    return List.of(RunColumns.CONSISTENCY, RunColumns.GEAR, RunColumns.CLOCK).stream()
        .allMatch(column -> row.text(column).equals(setting.text(column.name())));
  }

  static Configuration configuration(Setting setting, List<RunRow> rows) {
    Load load = Load.of(rows.isEmpty() ? new RunRow(Map.of()) : rows.get(0), false);
    return new Configuration(
        setting.words(),
        load,
        rows.stream().filter(row -> !row.failed()).toList(),
        rows.stream().filter(RunRow::failed).toList());
  }
}
