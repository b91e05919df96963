package org.calando.governor.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.EnergyPricing;
import org.calando.report.Statistics.Estimate;
import org.calando.report.page.Columns;
import org.calando.report.page.Page;
import org.calando.report.page.Parts;
import org.calando.report.page.Table;
import org.calando.report.page.Table.Cell;

/**
 * A report of a cluster's days, as those of studies are: one file that loads nothing. Immutable and
 * thread safe.
 *
 * @param cluster its name in the governor's file
 * @param first the first day
 * @param days how many, 1 to {@link #MOST_DAYS}
 * @param zone whose days they are
 * @param pricing what energy costs
 * @param now when it is made: what is to come is no part of it
 */
public record PeriodReport(
    String cluster, LocalDate first, int days, ZoneId zone, EnergyPricing pricing, Instant now) {
  /** So many days a report has at most. */
  public static final int MOST_DAYS = 7;

  private static final String UNKNOWN = "unknown";
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ROOT);
  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM HH:mm:ss", Locale.ROOT);

  /**
   * A decision that changed something. Immutable.
   *
   * @param at when
   * @param what was set
   * @param why its reasons
   */
  public record Row(Instant at, String what, String why) {}

  /** Begin of the first day. */
  public Instant from() {
    return first.atStartOfDay(zone).toInstant();
  }

  /** End of the last day, or the time at which it is made if that day is not over. */
  public Instant to() {
    return isOver() ? end() : now.isBefore(from()) ? from() : now;
  }

  private Instant end() {
    return first.plusDays(days).atStartOfDay(zone).toInstant();
  }

  private boolean isOver() {
    return !now.isBefore(end());
  }

  /**
   * The page.
   *
   * @param samples of the period, the oldest first
   * @param decisions likewise
   */
  public String html(List<Sample> samples, List<Row> decisions) {
    List<Spans.Span> all = Spans.of(samples, edges(days == 1 ? ChronoUnit.HOURS : ChronoUnit.DAYS));
    // A governor that began at 22:00 has nothing to tell of the hours before, one row each.
    List<Spans.Span> spans = all.stream().dropWhile(Spans.Span::isUnknown).toList();
    Spans.Span whole = Spans.of(samples, List.of(from(), to())).get(0);
    Parts parts = new Parts();
    parts.begin("results", "Energy");
    power(spans)
        .build(
            "Power is the mean of a sample a minute. Without Calando: that and what the knobs save,"
                + " modelled by the nodes' profiles and clocks; without shifts.")
        .ifPresent(parts::figure);
    parts.table(
        days == 1 ? "By hour" : "By day",
        energy(spans),
        before(all, spans) + "Unknown time is in no figure.");
    parts.end();
    parts.begin("promises", "Promises");
    parts.table("By promise", promises(whole), "");
    if (whole.kept().isEmpty()) {
      parts.note("Nothing is promised, or nothing was known.");
    }
    parts.end();
    parts.begin("decisions", "Decisions");
    parts.table("That changed something", decisions(decisions), "");
    if (decisions.isEmpty()) {
      parts.note("None is kept.");
    }
    parts.end();
    String length = days == 1 ? "a day" : days + " days";
    String soFar = "until " + now.atZone(zone).format(TIME);
    return new Page(
            "Calando governor",
            cluster
                + ", "
                + (days == 1 ? first.toString() : first + " to " + first.plusDays(days - 1L)),
            isOver() ? List.of(length, zone.toString()) : List.of(length, zone.toString(), soFar),
            sentences(whole, decisions))
        .render(parts);
  }

  private String before(List<Spans.Span> all, List<Spans.Span> known) {
    return known.isEmpty()
        ? "Nothing is known. "
        : known.size() < all.size()
            ? "Nothing is known before " + label(known.get(0).from()) + ". "
            : "";
  }

  private List<Instant> edges(ChronoUnit step) {
    List<Instant> edges = new ArrayList<>();
    Instant end = to();
    for (Instant each = from(); each.isBefore(end); ) {
      edges.add(each);
      // Days may have 23 or 25 hours.
      each =
          step == ChronoUnit.HOURS
              ? each.plus(Duration.ofHours(1))
              : each.atZone(zone).plusDays(1).toInstant();
    }
    edges.add(end);
    return edges;
  }

  private List<String> sentences(Spans.Span all, List<Row> decisions) {
    List<String> said = new ArrayList<>();
    said.add(
        all.joulesSeconds() > 0
            ? "%s used %s in the %s in which that is known."
                .formatted(cluster, kwh(all.joules()), time(all.joulesSeconds()))
            : "What " + cluster + " used is unknown.");
    said.add(
        all.savedSeconds() > 0
            ? "Its knobs saved %s%s, modelled, in the %s in which that is known."
                .formatted(
                    range(kwh(all.savedLow()), kwh(all.savedHigh())),
                    money(all),
                    time(all.savedSeconds()))
            : "What its knobs saved is unknown.");
    long broken = all.kept().values().stream().filter(sums -> sums[1] > 0).count();
    int promised = all.kept().size();
    if (broken == 0 && promised > 0) {
      said.add("No promise was broken while it was known.");
    } else if (promised == 1) {
      said.add("The promise was broken for some time.");
    } else if (promised > 1) {
      said.add(
          "%d of %d promises %s broken for some time."
              .formatted(broken, promised, broken == 1 ? "was" : "were"));
    }
    said.add(
        switch (decisions.size()) {
          case 0 -> "No decision changed something.";
          case 1 -> "One decision changed something.";
          default -> decisions.size() + " decisions changed something.";
        });
    return said;
  }

  private String money(Spans.Span all) {
    double cost = pricing.cost((all.savedLow() + all.savedHigh()) / 2);
    double co2e = pricing.co2eGrams((all.savedLow() + all.savedHigh()) / 2);
    String text =
        (Double.isFinite(cost)
                ? String.format(Locale.ROOT, ", %.2f %s", cost, pricing.currency())
                : "")
            + (Double.isFinite(co2e) ? String.format(Locale.ROOT, ", %.0f g CO2e", co2e) : "");
    return text;
  }

  private String label(Instant at) {
    return at.atZone(zone).format(days == 1 ? HOUR : DAY);
  }

  private Columns power(List<Spans.Span> spans) {
    String drawn = "drawn";
    String without = "without Calando";
    boolean saves = spans.stream().anyMatch(span -> span.withoutWatts().isPresent());
    List<String> series = saves ? List.of(drawn, without) : List.of(drawn);
    Columns columns =
        new Columns("power", "Power", days == 1 ? "Hour" : "Day", "Power", series)
            .inTime()
            .panel("Mean power", "W");
    for (Spans.Span span : spans) {
      columns.group(label(span.from()));
      columns.bar(drawn, span.watts());
      double mean = span.withoutWatts().orElse(Double.NaN);
      columns.bar(without, new Estimate(Double.isNaN(mean) ? 0 : 1, mean, Double.NaN, mean, mean));
    }
    return columns;
  }

  private Table energy(List<Spans.Span> spans) {
    Table table =
        new Table("by-span", "Energy and savings")
            .text(days == 1 ? "Hour" : "Day", "begin")
            .number("Power", "W, mean", "power_w")
            .number("Energy", "kWh", "kwh")
            .number("Energy unknown", "min", "energy_unknown_min")
            .number("Saved", "kWh", "saved_low_kwh", "saved_high_kwh")
            .number("Saving unknown", "min", "saving_unknown_min")
            .number("Requests", "", "requests");
    for (Spans.Span each : spans) {
      boolean used = each.joulesSeconds() > 0;
      boolean saved = each.savedSeconds() > 0;
      double low = EnergyPricing.kwh(each.savedLow());
      double high = EnergyPricing.kwh(each.savedHigh());
      table.row(
          List.of(
              Cell.of(label(each.from())),
              each.watts().present() ? number(each.watts().mean()) : Cell.of(UNKNOWN),
              used ? number(EnergyPricing.kwh(each.joules())) : Cell.of(UNKNOWN),
              minutes(each.seconds() - each.joulesSeconds()),
              saved
                  ? new Cell(
                      range(figure(low), figure(high)),
                      "",
                      "",
                      "",
                      List.of(Double.toString(low), Double.toString(high)))
                  : new Cell(UNKNOWN, "", "", "", List.of("", "")),
              minutes(each.seconds() - each.savedSeconds()),
              each.requests().isPresent()
                  ? Cell.count((double) each.requests().getAsLong())
                  : Cell.of(UNKNOWN)));
    }
    return table;
  }

  private static Table promises(Spans.Span all) {
    Table table =
        new Table("promises-kept", "How long promises were kept")
            .text("Promise", "promise")
            .number("Kept", "min", "kept_min")
            .number("Broken", "min", "broken_min")
            .number("Unknown", "min", "unknown_min");
    for (Map.Entry<String, double[]> each : all.kept().entrySet()) {
      double[] sums = each.getValue();
      table.row(
          List.of(
              Cell.of(each.getKey()),
              minutes(sums[0]),
              minutes(sums[1]).withClass(sums[1] > 0 ? "bad" : ""),
              minutes(all.seconds() - sums[0] - sums[1])));
    }
    return table;
  }

  private Table decisions(List<Row> decisions) {
    Table table =
        new Table("decided", "Decisions").text("Time", "at").text("Set", "set").text("Why", "why");
    Set<Row> each = new LinkedHashSet<>(decisions);
    each.forEach(
        row ->
            table.row(
                List.of(
                    Cell.of(row.at().atZone(zone).format(TIME)),
                    Cell.of(row.what()).withClass("wrap"),
                    Cell.of(row.why()).withClass("wrap"))));
    return table;
  }

  private static Cell minutes(double seconds) {
    return Cell.value(Long.toString(Math.round(Math.max(0, seconds) / 60)), seconds / 60);
  }

  private static Cell number(double value) {
    return Cell.value(figure(value), value);
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, Math.abs(value) < 10 ? "%.3f" : "%.1f", value);
  }

  private static String kwh(double joules) {
    return figure(EnergyPricing.kwh(joules)) + " kWh";
  }

  private static String range(String low, String high) {
    return low.equals(high) ? low : low + " to " + high;
  }

  private static String time(double seconds) {
    return seconds < 7200
        ? Math.round(seconds / 60) + " min"
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }

  /** A report that is asked for as pages ask: a day, and how many. */
  public static Optional<PeriodReport> asked(
      String cluster,
      Optional<String> day,
      Optional<String> days,
      Instant now,
      ZoneId zone,
      EnergyPricing pricing) {
    try {
      int many = Integer.parseInt(days.orElse("1"));
      LocalDate last = LocalDate.ofInstant(now, zone);
      LocalDate first = day.map(LocalDate::parse).orElse(last.minusDays(many - 1L));
      return many >= 1 && many <= MOST_DAYS
          ? Optional.of(new PeriodReport(cluster, first, many, zone, pricing, now))
          : Optional.empty();
    } catch (java.time.DateTimeException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
