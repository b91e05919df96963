package org.calando.knob.gear;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.calando.report.Configuration;
import org.calando.report.Load;
import org.calando.report.Results.LoadGroup;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.Statistics;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.FileColumns;
import org.calando.report.column.GearColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Parts;
import org.calando.report.page.Section;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** Runs in gears: what each gear draws and gives, and what shifts between them took. */
public final class GearSection extends Section {
  private static final double MEGA = 1e6;

  private static final String INTRO =
      "In gear 1 the fewest nodes are on, in the highest all are. A policy shifts while a run goes."
          + " Mean over repeats with its 95\u00A0% Student interval.";

  private static final String SHIFTS =
      "Of a fixed gear: the shift down before the measured window and the one up after it, which"
          + " are in no other figure. Of a policy: those that it ordered in the window. Joules are"
          + " modelled: the boot of each node that comes by its profile, which a process that"
          + " starts within seconds stands for, idle power of the nodes that come or go, and the"
          + " CPU time of all.";

  private static final String EACH =
      "Middle shift over the range of all. Seconds are from the order to the end of the plan, those"
          + " of the catch-up among them.";

  /** As a service. */
  public GearSection() {
    super("gears", "Gears", 700);
  }

  /** Empty if no run had a gear. */
  @Override
  public Optional<Content> of(PageStudy study) {
    List<LoadGroup> groups =
        study.results().groups().stream()
            .filter(group -> group.measured().stream().anyMatch(GearSection::hasGear))
            .toList();
    return groups.isEmpty() ? Optional.empty() : Optional.of(parts -> write(study, groups, parts));
  }

  private static void write(PageStudy study, List<LoadGroup> groups, Parts parts) {
    parts.note(INTRO + " " + study.origin());
    parts.table("Power, speed and energy in each gear", gears(groups), "");
    parts.table("What shifting cost", costs(groups), SHIFTS);
    parts.table("Shifts one by one", shifts(study.folder()), EACH);
  }

  private static boolean hasGear(Configuration configuration) {
    return !configuration.value(RunColumns.GEAR).isEmpty();
  }

  private static Table gears(List<LoadGroup> groups) {
    boolean files = isOfFiles(groups);
    Table table = new Table("gears-each", "Power, speed and energy by gear").text("Gear", "gear");
    table.estimate("Mean power", "W", "power_mean_w").estimate("Energy", "J", "energy_j");
    table.estimate("Throughput", "ops/s", "throughput_ops_s");
    if (files) {
      table.estimate("Read and written", "MB/s", "mb_per_s");
      table.estimate("Energy", "J per MB", "joules_per_mb");
    }
    table.estimate("Energy", "J per 1000 ops", "joules_per_kop");
    for (LoadGroup group : groups) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.measured()) {
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(c.label()));
        cells.add(Cell.of(c.estimate(EnergyColumns.POWER_MEAN_W)));
        cells.add(Cell.of(c.estimate(EnergyColumns.ENERGY_J)));
        cells.add(Cell.of(c.estimate(LoadColumns.THROUGHPUT_OPS_S)));
        if (files) {
          cells.add(Cell.of(c.estimate(GearSection::megabytesPerSecond)));
          cells.add(Cell.of(c.estimate(FileColumns.JOULES_PER_MB)).withClass("key"));
        }
        cells.add(Cell.of(c.estimate(RunRow::joulesPerKop)).withClass(files ? "" : "key"));
        table.row(cells);
      }
    }
    return table;
  }

  private static boolean isOfFiles(List<LoadGroup> groups) {
    return groups.stream()
        .flatMap(group -> group.measured().stream())
        .anyMatch(c -> c.estimate(GearSection::megabytesPerSecond).present());
  }

  private static double megabytesPerSecond(RunRow row) {
    return (row.number(FileColumns.READ_BYTES) + row.number(FileColumns.WRITTEN_BYTES))
        / MEGA
        / row.number(LoadColumns.DURATION_S);
  }

  private static Table costs(List<LoadGroup> groups) {
    Table table = new Table("gears-costs", "Shifts of a run").text("Gear", "gear");
    table.estimate("Shifts", "a run", "gear_shifts").estimate("Time", "s", "shift_s");
    table.estimate("Energy", "J, modelled", "shift_energy_j");
    table.estimate("Moved", "MB", "moved_mb");
    for (LoadGroup group : groups) {
      table.section(Load.sentence(group.load().label()));
      group.measured().stream()
          .filter(c -> c.estimate(GearColumns.GEAR_SHIFTS).present())
          .forEach(
              c ->
                  table.row(
                      List.of(
                          Cell.of(c.label()),
                          Cell.of(c.estimate(GearColumns.GEAR_SHIFTS)),
                          Cell.of(c.estimate(GearColumns.SHIFT_S)),
                          Cell.of(c.estimate(GearColumns.SHIFT_ENERGY_J)).withClass("key"),
                          Cell.of(c.estimate(row -> row.number(GearColumns.MOVED_BYTES) / MEGA)))));
    }
    return table;
  }

  private static Table shifts(ResultsFolder study) {
    Table table = new Table("gears-shifts", "Shifts by their gears").text("Shift", "shift");
    table.number("Number", "", "number").spread("Time", "s", "seconds");
    table.spread("Catch-up", "s", "catch_up_s").spread("Moved", "MB", "moved_mb");
    table.spread("Foreseen", "MB", "predicted_mb").spread("Energy", "J, modelled", "joules");
    table.sectionsAre("layout");
    all(study)
        .forEach(
            (layout, kinds) -> {
              table.section(layout.isEmpty() ? "" : "Layout " + layout);
              kinds.forEach((kind, each) -> table.row(shift(kind, each)));
            });
    return table;
  }

  private static List<Cell> shift(String kind, List<JsonNode> each) {
    return List.of(
        Cell.of(kind),
        Cell.count(each.size()),
        spread(each, shift -> shift.path("seconds").asDouble(Double.NaN)),
        spread(each, shift -> shift.path("catch_up_s").asDouble(Double.NaN)),
        spread(each, shift -> shift.path("moved_bytes").asDouble(Double.NaN) / MEGA),
        spread(each, shift -> shift.path("predicted_bytes").asDouble(Double.NaN) / MEGA),
        spread(each, shift -> shift.path("joules").asDouble(Double.NaN)));
  }

  private static Cell spread(List<JsonNode> each, ToDoubleFunction<JsonNode> figure) {
    return Cell.of(Statistics.spread(each.stream().mapToDouble(figure).toArray()), 1);
  }

  /** The shifts of runs that succeeded, by layout and by their gears. */
  private static Map<String, Map<String, List<JsonNode>>> all(ResultsFolder study) {
    Map<String, Map<String, List<JsonNode>>> all = new LinkedHashMap<>();
    for (RunRow row : study.results().rows()) {
      JsonNode summary = study.summaries().getOrDefault(row.id(), MissingNode.getInstance());
      if (!row.failed()) {
        for (JsonNode shift : summary.path("shifts")) {
          String kind = "gear " + shift.path("from").asInt() + " to " + shift.path("to").asInt();
          all.computeIfAbsent(row.text(RunColumns.LAYOUT), layout -> new LinkedHashMap<>())
              .computeIfAbsent(kind, gears -> new ArrayList<>())
              .add(shift);
        }
      }
    }
    return all;
  }
}
