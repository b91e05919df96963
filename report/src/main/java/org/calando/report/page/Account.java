package org.calando.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.calando.report.Configuration;
import org.calando.report.Figures;
import org.calando.report.Load;
import org.calando.report.Results;
import org.calando.report.Results.LoadGroup;
import org.calando.report.ResultsFolder;
import org.calando.report.RunRow;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.LoadColumns;
import org.calando.report.page.Table.Cell;

/**
 * What the runs cost in joules, money and carbon, and what it cost to find out. Not thread safe.
 */
final class Account {
  private static final double JOULES_PER_KWH = 3.6e6;

  private static final String SAMPLING_NOTE =
      "CPU seconds and joules of Calando\u2019s own sampling in the measured window, and the share"
          + " they are of the nodes\u2019. Joules of sampling are modelled. The load generator\u2019s"
          + " CPU seconds stand beside.";

  private final ResultsFolder study;
  private final Results results;
  private final JsonNode power;
  private final String provenance;

  Account(ResultsFolder study) {
    this.study = study;
    this.results = study.results();
    this.power = study.environment().path("power");
    this.provenance = results.commonProvenance();
  }

  void write(Parts parts) {
    if (has(r -> r.number(EnergyColumns.ENERGY_J))) {
      parts.table("A run of each configuration", account(), accountNote());
    } else {
      parts.note("No run has an energy figure.");
    }
    if (has(this::sampled) || has(this::client)) {
      parts.table("What sampling cost", sampling(), SAMPLING_NOTE);
    } else if (!provenance.equals("simulated")) {
      parts.note("What sampling cost was not recorded.");
    }
  }

  private Table account() {
    Table table = new Table("account-table", "Energy, cost and carbon of a run, mean over repeats");
    table.text("Level", "level");
    table.estimate("Gross", unit("J"), "energy_j").estimate("Net", unit("J"), "energy_net_j");
    table.estimate("Mean power", unit("W"), "power_mean_w").estimate("Time", "s", "duration_s");
    table.estimate("Gross", unit("kWh"), "energy_kwh");
    table.estimate("Cost", power.path("currency").asText(""), "cost");
    table.estimate("CO\u2082e", "g", "co2e_g");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.measured()) {
        table.row(
            List.of(
                Cell.of(c.label()),
                energy(c, EnergyColumns.ENERGY_J),
                energy(c, EnergyColumns.ENERGY_NET_J),
                energy(c, EnergyColumns.POWER_MEAN_W),
                Cell.of(c.estimate(LoadColumns.DURATION_S)),
                small(c.estimate(Account::kwh)),
                small(c.estimate(EnergyColumns.COST)),
                small(c.estimate(EnergyColumns.CO2E_G))));
      }
    }
    return table;
  }

  private String accountNote() {
    List<String> parts = new ArrayList<>();
    double joules =
        results.rows().stream().mapToDouble(r -> finite(r.number(EnergyColumns.ENERGY_J))).sum();
    double cost =
        results.rows().stream().mapToDouble(r -> finite(r.number(EnergyColumns.COST))).sum();
    double carbon =
        results.rows().stream().mapToDouble(r -> finite(r.number(EnergyColumns.CO2E_G))).sum();
    String total =
        "All measured windows together: "
            + Figures.count(joules)
            + "\u00A0J gross, "
            + Figures.figure(joules / JOULES_PER_KWH)
            + "\u00A0kWh";
    total += cost > 0 ? ", " + Figures.figure(cost) + " " + power.path("currency").asText("") : "";
    total += carbon > 0 ? ", " + Figures.figure(carbon) + "\u00A0g CO\u2082e" : "";
    parts.add(total.strip() + ".");
    if (has(r -> r.number(EnergyColumns.COST)) || has(r -> r.number(EnergyColumns.CO2E_G))) {
      parts.add(prices());
    } else {
      parts.add(
          "Cost and CO\u2082e are blank: the study configures no price and no carbon intensity.");
    }
    return String.join(" ", parts);
  }

  private String prices() {
    List<String> known = new ArrayList<>();
    String currency = power.path("currency").asText("");
    add(known, "price_per_kwh", (currency + " a kWh").strip());
    add(known, "carbon_intensity_g_per_kwh", "g CO\u2082e a kWh");
    add(known, "pue", "PUE");
    return known.isEmpty() ? "" : "At " + String.join(", ", known) + ".";
  }

  private void add(List<String> known, String key, String unit) {
    if (power.path(key).isNumber()) {
      known.add(Figures.plain(power.path(key).asDouble()) + " " + unit);
    }
  }

  private Table sampling() {
    Table table =
        new Table("sampling", "Cost of sampling and of the load generator, mean over repeats")
            .text("Level", "level")
            .estimate("Sampling", "CPU s", "sampling_cpu_s")
            .estimate("of the nodes\u2019 CPU", "%", "sampling_cpu_share")
            .estimate("Sampling", "J, modelled", "sampling_j")
            .estimate("of gross joules", "%", "sampling_energy_share")
            .estimate("Load generator", "CPU s", "client_cpu_s");
    for (LoadGroup group : results.groups()) {
      table.section(Load.sentence(group.load().label()));
      for (Configuration c : group.measured()) {
        ToDoubleFunction<RunRow> joules = r -> r.number(EnergyColumns.SAMPLING_J);
        table.row(
            List.of(
                Cell.of(c.label()),
                small(c.estimate(this::sampled)),
                small(c.estimate(r -> sampled(r) / r.number(EnergyColumns.CPU_S) * 100)),
                small(c.estimate(joules)),
                small(
                    c.estimate(
                        r -> joules.applyAsDouble(r) / r.number(EnergyColumns.ENERGY_J) * 100)),
                Cell.of(c.estimate(this::client))));
      }
    }
    return table;
  }

  /** Older folders have the figure in their summaries only. */
  private double sampled(RunRow row) {
    double given = row.number(EnergyColumns.SAMPLING_CPU_S);
    return Double.isNaN(given) ? summary(row, "sampler_cpu_s") : given;
  }

  private double client(RunRow row) {
    double given = row.number(EnergyColumns.CLIENT_CPU_S);
    return Double.isNaN(given) ? summary(row, "client_cpu_s") : given;
  }

  private double summary(RunRow row, String field) {
    JsonNode summary = study.summaries().get(row.id());
    return summary == null ? Double.NaN : summary.path("energy").path(field).asDouble(Double.NaN);
  }

  private static double kwh(RunRow row) {
    double given = row.number(EnergyColumns.ENERGY_KWH);
    return Double.isNaN(given) ? row.number(EnergyColumns.ENERGY_J) / JOULES_PER_KWH : given;
  }

  private boolean has(ToDoubleFunction<RunRow> figure) {
    return results.rows().stream()
        .filter(r -> !r.failed())
        .mapToDouble(figure)
        .anyMatch(Double::isFinite);
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }

  private String unit(String unit) {
    return provenance.isEmpty() ? unit : unit + ", " + provenance;
  }

  private Cell energy(Configuration c, Column column) {
    Estimate estimate = c.estimate(column);
    Cell cell = Cell.of(estimate);
    return provenance.isEmpty() && estimate.present() ? cell.withDetail(c.provenance()) : cell;
  }

  /** Tiny figures need no interval on the page; it is in the download. */
  private static Cell small(Estimate estimate) {
    return Cell.of(estimate, Figures.figure(estimate.mean()));
  }
}
