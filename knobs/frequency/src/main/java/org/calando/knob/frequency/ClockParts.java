package org.calando.knob.frequency;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.report.ResultsFolder;
import org.calando.report.page.Chart;
import org.calando.report.page.Parts;
import org.calando.report.page.Table;

/** What a report says of policies that set the clocks of masters and replicas. Not thread safe. */
final class ClockParts {
  private static final String INTRO =
      "A policy of clocks runs the cores of masters fast and those of replicas slow. all-high and"
          + " all-low set every node alike. Column: mean over repeats. Line: 95\u00A0% Student"
          + " interval. Dots: each repeat.";

  private static final String MASTERS =
      "By block, on the logarithm of the ratio, over its 95\u00A0% interval. Non-inferior: the"
          + " whole interval is at 0.97 or above (of CPU time, at 1.03 or below), and it is no"
          + " wider than 2\u00A0% each way; inferior: all of it is beyond; undecided: neither.";

  private static final String ENERGY =
      "Left: joules an operation, over blocks; below 0 more was used. Right: by the account of the"
          + " same run, as if its work had been done at the fastest clock in the same time."
          + " Published: section 5.1 of Lee and Lee 2021, who name neither i nor S.";

  private static final String HEADROOM =
      "Processing: what was measured with all-high times the fastest clock over this one."
          + " Head-room: what it leaves of the time between two writes. Busy: the main thread,"
          + " reads included. Shown: workloads of which a fifth or more is writes.";

  private static final String LINES =
      "Second 0 is the first of the measured window. Roles are what nodes say of themselves at a"
          + " second\u2019s end; a node that does not answer says nothing.";

  private static final String BREAKDOWN =
      "Not shown: Figure 2(a) (parts of a read): runs do not record it; ./calando redis lag shows"
          + " it for running servers.";

  private final ResultsFolder study;
  private final List<ClockGroup> groups;
  private final ClockSetup setup;
  private final ClockHeadroom headroom;
  private final List<String> absent = new ArrayList<>();

  ClockParts(ResultsFolder study, List<ClockGroup> groups) {
    this.study = study;
    this.groups = groups;
    this.setup = ClockSetup.of(study.environment());
    this.headroom = new ClockHeadroom(study, setup);
  }

  void write(Parts parts) {
    parts.note(INTRO + " " + origin());
    ClockTables tables = new ClockTables(groups, setup, headroom);
    parts.figures(charts());
    parts.table("Masters against all-high", tables.masters(), MASTERS);
    parts.table("Energy saved", tables.energy(), ENERGY + " " + setup.model());
    parts.table("Whether replicas keep up", tables.headroom(), HEADROOM);
    parts.table("Lag against its limits", tables.lag(), tables.limits());
    Table manager = tables.manager();
    parts.table("What managing cost", manager, "");
    if (manager.isEmpty()) {
      absent.add("Not shown: what managing cost: on a simulated cluster it costs nothing.");
    }
    ClockLines lines = new ClockLines(study);
    if (!lines.isEmpty()) {
      parts.figure(lines(lines));
    }
    absent.add(BREAKDOWN);
    parts.list(absent).data(ClockSection.DATA, lines.json());
  }

  private List<Chart> charts() {
    ConcertoFigures figures = new ConcertoFigures(groups, setup, headroom);
    List<Chart> charts = new ArrayList<>();
    keep(charts, figures.processing(), "Figure 3: no run with all-high counted writes.");
    charts.addAll(figures.throughput());
    charts.addAll(figures.energy());
    keep(
        charts,
        figures.replicaReads(),
        "Figure 9 (reads of replicas): no run\u2019s clients read from replicas by their level.");
    return charts;
  }

  private void keep(List<Chart> charts, Optional<Chart> chart, String otherwise) {
    chart.ifPresentOrElse(charts::add, () -> absent.add("Not shown: " + otherwise));
  }

  private String origin() {
    boolean simulated =
        study.results().rows().stream().anyMatch(row -> row.provenance().equals("simulated"));
    return "Joules of cores are modelled from clocks and CPU time"
        + (simulated ? ", both of them simulated." : ", not measured.");
  }

  private static Chart lines(ClockLines lines) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-clocks").put("kind", "decisions").put("picker", "Run");
    data.put("source", ClockSection.DATA).put("rows", "data-clocks");
    Table table =
        new Table("data-clocks", "Clocks and roles of the run that is picked")
            .text("Second", "second")
            .text("Node", "node");
    String words =
        "Clock, role, CPU time and lag of each node, second by second, with what was done to the"
            + " cluster, of the run that is picked; the figures are in the table.";
    String note = (LINES + " " + lines.cut()).strip();
    return new Chart("Clocks and roles, second by second", words, note, data, table);
  }
}
