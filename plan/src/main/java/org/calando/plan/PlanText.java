package org.calando.plan;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.policy.Words;
import org.calando.report.Figures;
import org.calando.report.TextLines;

/** A plan for a terminal of 80 columns. Not thread safe. */
final class PlanText {
  private static final int MOST_ROWS = 16;
  private static final int MOST_BINDS = 4;
  private static final List<Integer> WIDTHS = List.of(23, 12, 9, 8, 7, 15);
  private static final List<Integer> PRICES = List.of(17, 9, 9, 14, 26);

  private final Plan plan;
  private final Said said;
  private final TextLines out = new TextLines();

  PlanText(Plan plan) {
    this.plan = plan;
    this.said = new Said(plan);
  }

  /**
   * The text.
   *
   * @param charset the terminal's
   * @param more sentences at its end
   */
  String render(Charset charset, List<String> more) {
    out.wrap("Promise: " + said.promise() + ". Load: " + said.load() + ".");
    out.blank();
    table();
    said.answer().forEach(out::wrap);
    binds();
    prices();
    out.blank();
    said.idle().forEach(out::wrap);
    out.wrap(said.origin());
    if (!said.skipped().isEmpty()) {
      out.wrap(said.skipped());
    }
    if (!more.isEmpty()) {
      out.blank();
      more.forEach(out::wrap);
    }
    return out.text(charset, "\u2500\u00B1\u2026\u2013");
  }

  private void table() {
    out.line(
        List.of("setting", "W", "J/kop", "r-p99 ms", "stale", "promise"), WIDTHS, PlanText::isEnd);
    out.rule();
    shown().forEach(this::row);
    out.rule();
    int left = plan.outcomes().size() - shown().size();
    if (left > 0) {
      out.wrap(left + " dearer ones are in plan.csv.");
    }
  }

  /** The cheapest, and what everything on takes. */
  private List<Outcome> shown() {
    List<Outcome> shown = new ArrayList<>(plan.outcomes());
    while (shown.size() > MOST_ROWS) {
      int last = shown.size() - 1;
      boolean stays = shown.get(last).equals(plan.usual());
      shown.remove(stays ? last - 1 : last);
    }
    return shown;
  }

  private void row(Outcome one) {
    out.line(
        List.of(
            one.setting().words(),
            Figures.interval(one.watts(), WIDTHS.get(1)),
            Figures.within(one.joules().mean(), WIDTHS.get(2)),
            Figures.within(Said.millis(one.p99().mean()), WIDTHS.get(3)),
            Figures.percent(one.stale().mean()).replace("\u00A0", ""),
            Said.verdict(one)),
        WIDTHS,
        PlanText::isEnd);
  }

  private void binds() {
    List<String> binds = said.binds();
    if (binds.isEmpty()) {
      return;
    }
    out.blank();
    out.wrap("Cheaper, but:");
    binds.stream().limit(MOST_BINDS).forEach(one -> out.wrap("- " + one));
    if (binds.size() > MOST_BINDS) {
      out.wrap("- and " + (binds.size() - MOST_BINDS) + " more");
    }
  }

  private void prices() {
    out.blank();
    out.line(List.of("without", "saves W", "J/kop", "a year", "by"), PRICES, PlanText::isOuter);
    out.rule();
    for (Plan.Price price : plan.prices()) {
      price(said.part(price.part()), price.without());
      if (price.loosened().isPresent() && !price.loosened().equals(price.without())) {
        String looser = "  " + Said.figure(price.part(), price.limit()) + " instead";
        price(looser, price.loosened());
      }
    }
    out.rule();
    said.pricedBy().forEach(out::wrap);
    if (said.pricing().currency().isEmpty()) {
      out.wrap("Money is unknown: the file has no power.price-per-kwh.");
    }
  }

  private void price(String what, Optional<Outcome> cheaper) {
    Optional<Outcome> best = plan.best();
    if (cheaper.isEmpty() || best.isEmpty()) {
      String by = cheaper.map(one -> one.setting().words()).orElse("nothing keeps the rest");
      out.line(List.of(what, "\u2013", "\u2013", "\u2013", by), PRICES, PlanText::isOuter);
      return;
    }
    if (!cheaper.get().equals(best.get()) && !Plan.isCheaper(cheaper.get(), best.get())) {
      out.line(
          List.of(what, "\u2013", "\u2013", "\u2013", "no difference seen"),
          PRICES,
          PlanText::isOuter);
      return;
    }
    double watts = best.get().watts().mean() - cheaper.get().watts().mean();
    double joules = best.get().joules().mean() - cheaper.get().joules().mean();
    boolean same = cheaper.get().equals(best.get());
    String money = said.year(watts, "%s");
    out.line(
        List.of(
            what,
            same ? "0" : Words.number(watts),
            same ? "0" : Words.number(joules),
            same && !money.isEmpty() ? "0" : money.isEmpty() ? "unknown" : money,
            same ? "nothing that was tried" : cheaper.get().setting().words()),
        PRICES,
        PlanText::isOuter);
  }

  /** Columns of the table of settings that are words. */
  private static boolean isEnd(int column) {
    return column == 0 || column == 5;
  }

  /** Columns of the table of prices that are words. */
  private static boolean isOuter(int column) {
    return column == 0 || column == 4;
  }
}
