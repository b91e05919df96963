package org.calando.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.calando.core.observe.Promised;
import org.calando.core.policy.Words;
import org.calando.report.Figures;
import org.calando.report.RunRow;
import org.calando.report.column.EnergyColumns;
import org.calando.report.page.Chart;
import org.calando.report.page.Charts;
import org.calando.report.page.Page;
import org.calando.report.page.Parts;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/** A plan as a page that loads nothing. Not thread safe. */
final class PlanPage {
  private static final List<String> KINDS = List.of("keeps the promise", "breaks it", "undecided");

  /** Smaller shares of stale reads, in percent, are drawn at this. */
  private static final double LEAST_STALE = 0.01;

  private static final int PERCENT = 100;

  private final Plan plan;
  private final Said said;
  private final Parts parts = new Parts();

  PlanPage(Plan plan) {
    this.plan = plan;
    this.said = new Said(plan);
  }

  String render(List<String> more) {
    section("results", "Joules against stale reads", this::front);
    section(
        "settings",
        "Settings",
        () -> parts.table("All that was simulated", settings(), said.skipped()));
    section("binds", "Cheaper, but", this::binds);
    section("parts", "What each part of the promise costs", this::prices);
    section("idle", "What idle nodes draw", () -> parts.list(said.idle()));
    if (!more.isEmpty()) {
      section("confirm", "Confirming it", () -> parts.list(more));
    }
    return new Page(
            "Calando plan",
            plan.file().name(),
            List.of("promise: " + said.promise(), said.load()),
            said.answer())
        .from(said.origin())
        .render(parts);
  }

  private void section(String id, String title, Runnable content) {
    parts.begin(id, title);
    content.run();
    parts.end();
  }

  private void binds() {
    List<String> binds = said.binds();
    parts.note(binds.isEmpty() ? "Nothing that was simulated is cheaper." : "");
    parts.list(binds);
  }

  private void front() {
    List<Outcome> drawn = plan.outcomes().stream().filter(Outcome::isWhole).toList();
    List<Outcome> front = plan.front();
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-front").put("kind", "tradeoff").put("least", LEAST_STALE);
    data.put("x", "stale reads, %").put("y", "J per 1000 operations, simulated");
    plan.file().limit(Promised.STALE).ifPresent(limit -> data.put("limit", limit * PERCENT));
    ArrayNode line = data.putArray("front");
    front.forEach(
        one -> line.addArray().add(one.stale().mean() * PERCENT).add(one.joules().mean()));
    ArrayNode points = data.putArray("points");
    Table table =
        new Table("data-front", "Energy against stale reads")
            .text("Setting", "setting")
            .text("Promise", "promise")
            .estimate("Stale reads", "%", "stale_percent")
            .estimate(
                "Energy", "J per 1000 operations, simulated", EnergyColumns.JOULES_PER_KOP.name());
    List<String> words = new ArrayList<>();
    for (Outcome one : drawn) {
      boolean named =
          front.contains(one)
              || one.equals(plan.usual())
              || plan.best().equals(Optional.of(one))
              || plan.next().equals(Optional.of(one));
      points.add(point(one, named ? one.setting().words() : ""));
      table.row(
          List.of(
              Cell.of(one.setting().words()),
              Cell.of(Said.verdict(one)),
              Cell.of(one.runs().estimate(row -> row.staleRate() * PERCENT)),
              Cell.of(one.joules())));
      if (front.contains(one)) {
        words.add(
            "%s: %s stale, %s J"
                .formatted(
                    one.setting().words(),
                    Words.percent(one.stale().mean()),
                    Words.number(one.joules().mean())));
      }
    }
    parts.figure(
        new Chart(
            "Joules against stale reads",
            "The front: " + String.join("; ", words) + ".",
            "Towards the lower left is better. The line joins what nothing else has both fewer"
                + " stale reads and fewer joules than, of what keeps the rest of the promise; the"
                + " dashed line is the share that is promised.",
            KINDS,
            data,
            table));
  }

  private static ObjectNode point(Outcome one, String label) {
    int tone = one.keeps() ? 0 : one.isUndecided() ? 2 : 1;
    ObjectNode point = JsonNodeFactory.instance.objectNode().put("label", one.setting().words());
    point.put("tone", tone).put("short", label);
    point.set(
        "x",
        Charts.point(
            "",
            tone,
            one.runs().estimate(row -> row.staleRate() * PERCENT),
            one.runs().values(row -> row.staleRate() * PERCENT)));
    point.set("y", Charts.point("", tone, one.joules(), one.runs().values(RunRow::joulesPerKop)));
    return point;
  }

  private Table settings() {
    Table table =
        new Table("settings-table", "Settings and policies, the fewest joules first")
            .text("Setting", "setting")
            .text("Promise", "promise")
            .estimate("Power", "W, simulated", "watts")
            .estimate("Energy", "J per 1000 operations", EnergyColumns.JOULES_PER_KOP.name())
            .estimate("p99 of reads", "ms", "read_p99_ms")
            .estimate("Stale reads", "%", "stale_percent")
            .text("Runs", "runs");
    for (Outcome one : plan.outcomes()) {
      table.row(
          List.of(
              Cell.of(one.setting().words()),
              Cell.of(Said.verdict(one)),
              Cell.of(one.watts()),
              Cell.of(one.joules()),
              Cell.of(one.runs().estimate(row -> Said.p99Millis(row))),
              Cell.of(one.runs().estimate(row -> row.staleRate() * PERCENT)),
              Cell.of(one.runs().status())));
    }
    return table;
  }

  private void prices() {
    Table table =
        new Table("prices", "What is saved without a part of the promise")
            .text("Without", "without")
            .number("Saves", "W", "saves_w")
            .number("", "J per 1000 operations", "saves_joules_per_kop")
            .number("A year", said.pricing().currency(), "saves_a_year")
            .text("By", "by");
    for (Plan.Price price : plan.prices()) {
      row(table, said.part(price.part()), price.without());
      if (!price.loosened().equals(price.without())) {
        price
            .loosened()
            .ifPresent(
                one ->
                    row(
                        table,
                        price.part().word()
                            + " "
                            + Said.figure(price.part(), price.limit())
                            + " instead",
                        price.loosened()));
      }
    }
    String unknown =
        said.pricing().currency().isEmpty()
            ? "Money is unknown: the file has no power.price-per-kwh."
            : "";
    parts.table("What is saved", table, unknown);
    parts.list(said.pricedBy());
  }

  private void row(Table table, String what, Optional<Outcome> cheaper) {
    boolean told = said.isTold(cheaper);
    double watts = told ? saved(cheaper, true) : Double.NaN;
    double joules = told ? saved(cheaper, false) : Double.NaN;
    double money = said.yearly(watts);
    table.row(
        List.of(
            Cell.of(what),
            Cell.value(Figures.figure(watts), watts),
            Cell.value(Figures.figure(joules), joules),
            Cell.value(Figures.figure(money), money),
            Cell.of(
                told
                    ? cheaper.map(one -> one.setting().words()).orElse("nothing keeps the rest")
                    : "no difference seen")));
  }

  private double saved(Optional<Outcome> cheaper, boolean watts) {
    return Stream.of(plan.best(), cheaper).allMatch(Optional::isPresent)
        ? of(plan.best().orElseThrow(), watts) - of(cheaper.orElseThrow(), watts)
        : Double.NaN;
  }

  private static double of(Outcome one, boolean watts) {
    return watts ? one.watts().mean() : one.joules().mean();
  }
}
