package org.calando.knob.buffer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.report.PublishedClaim;
import org.calando.report.page.Chart;
import org.calando.report.page.PageStudy;
import org.calando.report.page.Parts;
import org.calando.report.page.Section;
import org.calando.report.page.Table;

/** Runs whose writes were sent one by one or deferred: what deferring saved, and what it cost. */
public final class BufferSection extends Section {
  private static final String INTRO =
      "Strong writes are sent one by one; deferred ones wait in a buffer of the client. Column:"
          + " mean over repeats. Line: 95\u00A0% Student interval. Dots: each repeat.";

  private static final String COST =
      "Work is operations that the store has acknowledged by the end of the run; energy is gross.";

  private static final String RATIOS =
      "By block, on the logarithm of the ratio. Published: throughput of the paper\u2019s mix of"
          + " writes under high concurrency, on 40 machines; here it stands beside the most threads"
          + " of this study.";

  private static final String FRESHNESS =
      "Freshness: from the call of a write until the store has it, so that others can read it. At"
          + " risk: acknowledged to the application and not on the store, what a crash of the"
          + " client would lose. Percentiles and flushes are the middle run\u2019s, over the range"
          + " of all.";

  private static final String PROMISED =
      " A promise is kept where at least 99\u00A0% of the writes are as fresh; kept per energy is"
          + " the share that was, over the joules of 1000 operations, and 0 where the promise was"
          + " broken.";

  private static final String READS =
      "Ratio: joules an operation of the mix with the most reads over that with the fewest, under"
          + " the same load and with the same buffer, over its 95\u00A0% interval by block. Above"
          + " idle: the same without what the nodes draw when they do nothing.";

  private static final String TRADE_OFF =
      "Towards the lower left is better. Freshness is on a logarithmic scale: the middle run\u2019s"
          + " 99th percentile. ";

  private static final String CHOICE =
      "Fresh enough in every repeat, and the cheapest of these by the mean of its joules for 1000"
          + " operations, which is no test of a difference.";

  /** As a service. */
  public BufferSection() {
    super("buffers", "Writes one by one and deferred", 800);
  }

  /** Empty if no run says how its writes were sent. */
  @Override
  public Optional<Content> of(PageStudy study) {
    BufferGroups buffers = BufferGroups.of(study.results());
    return buffers.isEmpty()
        ? Optional.empty()
        : Optional.of(parts -> write(study, buffers, parts));
  }

  private static void write(PageStudy study, BufferGroups buffers, Parts parts) {
    String provenance = study.results().commonProvenance();
    BufferRatios ratios = new BufferRatios(buffers);
    BufferWords words = new BufferWords(buffers, ratios);
    BufferTables tables = new BufferTables(buffers, provenance);
    parts.note(INTRO + " " + study.origin());
    parts.list(words.warnings());
    parts.figures(charts(new BufferCharts(buffers)));
    parts.list(words.gains());
    parts.table("Speed and cost", tables.cost(), COST);
    parts.table("Deferred against strong", tables.ratios(ratios), RATIOS);
    String promise = BufferTables.hasPromise(buffers) ? PROMISED : "";
    parts.table("Freshness, and what a crash would lose", tables.freshness(), FRESHNESS + promise);
    reads(parts, new ReadCost(buffers, study.results().rows(), provenance), study.claims());
    tradeOff(parts, new BufferTradeOff(buffers, provenance), study.origin());
  }

  private static List<Chart> charts(BufferCharts all) {
    List<Chart> charts = new ArrayList<>();
    all.energy().ifPresent(charts::add);
    all.throughput().ifPresent(charts::add);
    return charts;
  }

  private static void reads(Parts parts, ReadCost cost, List<PublishedClaim> claims) {
    Table table = cost.table();
    if (!table.isEmpty()) {
      parts.table("Whether reads cost more", table, READS).list(cost.words(claims));
    }
  }

  private static void tradeOff(Parts parts, BufferTradeOff tradeOff, String origin) {
    List<Chart> charts = tradeOff.charts();
    if (!charts.isEmpty()) {
      parts.html().element("h3", "Freshness against joules");
      parts.note(TRADE_OFF + origin).pair(charts);
      parts.table("What to take", tradeOff.table(), CHOICE);
    }
  }
}
