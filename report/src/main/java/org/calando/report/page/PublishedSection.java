package org.calando.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.report.Figures;
import org.calando.report.PublishedClaim;
import org.calando.report.page.Table.Cell;

/** What a paper published beside this study's figures. */
final class PublishedSection extends Section {
  private static final String NOTE =
      "Ratios on a logarithmic scale; 1 is \u201Cno difference\u201D. Hollow: as published. Filled,"
          + " with a line: this study\u2019s, with its 95\u00A0% interval over repeats."
          + " Claims on shares stand in the table only.";

  PublishedSection() {
    super("published", "Beside what was published", 1000);
  }

  @Override
  public Optional<Content> of(PageStudy study) {
    return study.claims().isEmpty() ? Optional.empty() : Optional.of(parts -> write(study, parts));
  }

  private static void write(PageStudy study, Parts parts) {
    List<PublishedClaim> claims = study.claims();
    parts.note(
        "Of %d claims: %s. %s"
            .formatted(claims.size(), PublishedClaim.tally(claims), study.origin()));
    if (claims.stream().anyMatch(PublishedClaim::isDrawn)) {
      parts.figure(chart(claims));
    }
    parts.table("Claim by claim", table("claims", claims), "");
  }

  private static Chart chart(List<PublishedClaim> claims) {
    ObjectNode data = JsonNodeFactory.instance.objectNode();
    data.put("id", "chart-published").put("kind", "claims");
    ArrayNode rows = data.putArray("rows");
    List<String> words = new ArrayList<>();
    for (PublishedClaim claim : claims) {
      if (!claim.isDrawn()) {
        continue;
      }
      ObjectNode row = rows.addObject().put("label", claim.claim());
      row.put("published", claim.published()).put("verdict", claim.verdict());
      if (claim.hasOurs()) {
        row.put("ours", claim.ours());
      }
      if (claim.hasInterval() && claim.low() > 0) {
        row.put("low", claim.low()).put("high", claim.high());
      }
      words.add(
          claim.claim()
              + ": published "
              + Figures.exact(claim.published())
              + ", ours "
              + Figures.figure(claim.ours())
              + ", "
              + claim.verdict());
    }
    String said = "Published ratios beside ours. " + String.join("; ", words) + ".";
    return new Chart("Published and ours", said, NOTE, data, table("data-published", claims));
  }

  private static Table table(String id, List<PublishedClaim> claims) {
    Table table =
        new Table(id, "Published figures beside this study\u2019s")
            .text("Claim", "claim")
            .text("Unit", "unit")
            .number("Published", "", "published")
            .number("Ours", "", "ours")
            .number("Error", "%", "error_percent")
            .number("95\u00A0% interval", "", "low", "high")
            .text("Verdict", "verdict")
            .text("Source", "source")
            .text("Note", "note")
            .sectionsAre("place");
    Map<String, List<PublishedClaim>> places =
        claims.stream()
            .collect(
                Collectors.groupingBy(
                    PublishedClaim::place, LinkedHashMap::new, Collectors.toList()));
    places.forEach(
        (place, here) -> {
          table.section(place);
          rows(table, here);
        });
    return table;
  }

  private static void rows(Table table, List<PublishedClaim> here) {
    for (PublishedClaim claim : here) {
      String interval =
          claim.hasInterval() ? Figures.range(claim.low(), claim.high()) : Figures.NONE;
      List<String> ends = List.of(Figures.exact(claim.low()), Figures.exact(claim.high()));
      table.row(
          List.of(
              Cell.of(claim.claim()).withClass("wrap"),
              Cell.of(claim.kind().word()),
              Cell.value(Figures.exact(claim.published()), claim.published()),
              Cell.value(Figures.figure(claim.ours()), claim.ours()).withClass("key"),
              error(claim),
              new Cell(interval, "", "", "", ends),
              Cell.of(claim.verdict()),
              Cell.of(claim.source()).withClass("wrap"),
              Cell.of(claim.note()).withClass("wrap")));
    }
  }

  private static Cell error(PublishedClaim claim) {
    double percent = claim.error() * 100;
    String shown =
        Double.isFinite(percent) ? String.format(Locale.ROOT, "%+.0f", percent) : Figures.NONE;
    return Cell.value(shown, percent);
  }
}
