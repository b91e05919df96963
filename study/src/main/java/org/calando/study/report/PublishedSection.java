package org.calando.study.report;

import java.util.List;
import org.calando.study.report.Table.Cell;

/** What a paper published beside this study's figures. Immutable. */
final class PublishedSection {
  private static final String NOTE =
      "Ratios; 1 is \u201Cno difference\u201D. Ours with its 95\u00A0% interval over repeats.";

  private final List<PublishedClaim> claims;

  PublishedSection(List<PublishedClaim> claims) {
    this.claims = claims;
  }

  /** Writes the section, or nothing if there is no claim. */
  void render(Html html) {
    if (claims.isEmpty()) {
      return;
    }
    html.open("section", "id", "published", "aria-labelledby", "h-published");
    html.element("h2", "Beside what was published", "id", "h-published");
    table().render(html);
    html.element("p", NOTE, "class", "note");
    html.close("section").newLine();
  }

  private Table table() {
    Table table =
        new Table("claims", "Published figures beside this study\u2019s")
            .text("Claim", "claim")
            .text("Source", "source")
            .number("Published", "ratio", "published")
            .number("Ours", "ratio", "ours")
            .number("95\u00A0% interval", "", "low", "high")
            .text("Verdict", "verdict")
            .text("Note", "note");
    for (PublishedClaim claim : claims) {
      String interval =
          claim.hasInterval() ? Figures.range(claim.low(), claim.high()) : Figures.NONE;
      List<String> ends = List.of(Figures.exact(claim.low()), Figures.exact(claim.high()));
      table.row(
          List.of(
              Cell.of(claim.claim()),
              Cell.of(claim.source()),
              Cell.value(Figures.figure(claim.published()), claim.published()),
              Cell.value(Figures.figure(claim.ours()), claim.ours()).withClass("key"),
              new Cell(interval, "", "", "", ends),
              Cell.of(claim.verdict()),
              Cell.of(claim.note())));
    }
    return table;
  }
}
