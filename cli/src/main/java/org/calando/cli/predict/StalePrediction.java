package org.calando.cli.predict;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.calando.core.policy.ReadLevels;
import org.calando.core.staleness.ExactStaleness;
import org.calando.core.staleness.Harmony;
import org.calando.core.staleness.LagStaleness;
import org.calando.core.staleness.PropagationLags;
import org.calando.core.staleness.StaleDepthEstimate;
import org.calando.core.staleness.StaleEstimate;
import org.calando.schema.Units;

/** What each model says of the same figures. */
final class StalePrediction {
  private static final String ROW = "%-24s %12s %12s   %s";
  private static final double LEAST_PLAIN_PERCENT = 0.01;

  private final StaleFigures figures;
  private final Harmony harmony;
  private final StaleDepthEstimate exact;
  private final Optional<StaleDepthEstimate> lags;
  private final Optional<WarsAnswer> wars;

  /** WARS at the time that is asked for, and over all times. */
  private record WarsAnswer(
      StaleFigures.Wars figures, StaleEstimate after, StaleDepthEstimate underWrites) {}

  private StalePrediction(StaleFigures figures) {
    this.figures = figures;
    this.harmony =
        new Harmony(
            figures.replicas(),
            figures.requests().readsPerSecond(),
            figures.requests().writesPerSecond(),
            figures.tpSeconds());
    this.exact =
        ExactStaleness.of(
            figures.replicas(),
            figures.write(),
            tpSeconds(figures),
            figures.requests().writesPerSecond(),
            figures.requests().keys());
    this.lags =
        figures
            .live()
            .flatMap(LiveFigures::lags)
            .map(
                sample ->
                    LagStaleness.of(
                        sample.windows(),
                        figures.requests().writesPerSecond(),
                        figures.requests().keys()));
    this.wars =
        figures
            .wars()
            .map(
                given ->
                    new WarsAnswer(
                        given,
                        given.model().after(given.afterMillis()),
                        given
                            .model()
                            .underWrites(
                                figures.requests().writesPerSecond() / 1000,
                                figures.requests().keys())));
  }

  /** Of each canary, if there were any: one that never arrived is one of many. */
  private static double[] tpSeconds(StaleFigures figures) {
    return figures
        .live()
        .flatMap(LiveFigures::lags)
        .map(
            sample ->
                IntStream.range(0, sample.samples())
                    .mapToDouble(canary -> sample.lagSeconds(canary, sample.replicas()))
                    .toArray())
        .orElseGet(() -> new double[] {figures.tpSeconds()});
  }

  static StalePrediction of(StaleFigures figures) {
    return new StalePrediction(figures);
  }

  /** The answer of {@code --json}. */
  ObjectNode json() {
    ObjectNode answer = new ObjectMapper().createObjectNode();
    ObjectNode published = answer.putObject("harmony");
    published.put("stale_rate", harmony.rate(figures.read()));
    published.put("unclamped", harmony.unclamped(figures.read()));
    choice(published, harmony);
    ObjectNode perKey = answer.putObject("exact");
    perKey.put("stale_rate", exact.rate(figures.read()));
    choice(perKey, exact);
    lags.ifPresent(
        model -> {
          ObjectNode measured = answer.putObject("lags");
          measured.put("stale_rate", model.rate(figures.read()));
          choice(measured, model);
        });
    wars.ifPresent(model -> wars(answer.putObject("wars"), model));
    figures.live().ifPresent(live -> live(answer.putObject("live"), live));
    return answer;
  }

  private void live(ObjectNode node, LiveFigures live) {
    node.put("table", live.table());
    node.put("seconds", live.seconds());
    node.put("replicas", live.replicas());
    node.put("reads_per_s", live.readsPerSecond());
    node.put("writes_per_s", live.writesPerSecond());
    putNumber(node, "write_bytes", live.writeBytes());
    putNumber(
        node,
        "propagation_ms",
        live.lags().map(sample -> sample.meanSeconds() * 1000).orElse(Double.NaN));
    node.put("canaries", live.lags().map(PropagationLags::samples).orElse(0));
  }

  private static void putNumber(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, value);
    } else {
      node.putNull(name);
    }
  }

  private void wars(ObjectNode node, WarsAnswer model) {
    int read = figures.read();
    node.put("stale_rate", model.after().rate(read));
    choice(node, model.underWrites());
    node.put("mode", model.figures().model().mode().name().toLowerCase(Locale.ROOT));
    node.put("t_ms", model.figures().afterMillis());
    node.put("poisson_stale_rate", model.underWrites().rate(read));
    OptionalDouble fresh = freshAfterMillis(model);
    if (fresh.isPresent() && Double.isFinite(fresh.getAsDouble())) {
      node.put("tolerable_after_ms", fresh.getAsDouble());
    }
  }

  /** What to read; null if no share is tolerated. */
  private void choice(ObjectNode node, StaleEstimate estimate) {
    if (figures.tolerated().isEmpty()) {
      node.putNull("replicas");
      node.putNull("level");
      return;
    }
    int read = estimate.replicasFor(figures.tolerated().getAsDouble());
    node.put("replicas", read);
    node.put("level", level(read));
  }

  /** The answer for people, in lines of fewer than 80 characters. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "%d replicas, writes acknowledged by %d, reads of %d (%s), Tp %s s",
            figures.replicas(),
            figures.write(),
            figures.read(),
            level(figures.read()),
            number(figures.tpSeconds())));
    lines.add(
        number(figures.requests().readsPerSecond())
            + " reads and "
            + number(figures.requests().writesPerSecond())
            + " writes per second"
            + (figures.requests().popularity().isPresent()
                ? ","
                : " of " + figures.requests().of()));
    figures.requests().popularity().ifPresent(keys -> lines.add("of " + figures.requests().of()));
    figures.live().ifPresent(live -> measured(lines, live));
    lines.add("");
    String chosen =
        figures.tolerated().isPresent()
            ? "read for " + percent(figures.tolerated().getAsDouble())
            : "";
    lines.add(String.format(ROW, "", "stale reads", "2+ behind", chosen).stripTrailing());
    lines.add(row("harmony", harmony.rate(figures.read()), "-", harmony));
    lines.add(row("exact", exact.rate(figures.read()), behind(exact), exact));
    lags.ifPresent(
        model -> lines.add(row("lags", model.rate(figures.read()), behind(model), model)));
    wars.ifPresent(
        model -> {
          StaleDepthEstimate random = model.underWrites();
          lines.add(
              row("wars, at random times", random.rate(figures.read()), behind(random), random));
          double stale = model.after().rate(figures.read());
          boolean now = model.figures().afterMillis() == 0;
          String when = now ? "wars, just after a write" : "wars, --t after a write";
          lines.add(String.format(ROW, when, percent(stale), "-", "").stripTrailing());
        });
    lines.add("");
    assumptions(lines);
    return lines;
  }

  private void measured(List<String> lines, LiveFigures live) {
    lines.add(live.table() + ", looked at for " + number(live.seconds()) + " s:");
    lines.add(
        String.format(
            Locale.ROOT,
            "  %s reads and %s writes per second%s",
            number(live.readsPerSecond()),
            number(live.writesPerSecond()),
            Double.isNaN(live.writeBytes())
                ? ""
                : " of about " + number(live.writeBytes()) + " bytes"));
    live.lags()
        .ifPresent(
            sample ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "  %d canaries, on every replica after %s s in the mean",
                        sample.samples(),
                        number(sample.meanSeconds()))));
    if (figures.requests().popularity().isEmpty()) {
      lines.add("  Without --keys all requests are taken to be for one key: the worst case.");
    }
  }

  private String behind(StaleDepthEstimate estimate) {
    return percent(estimate.rateOfVersions(figures.read(), 2));
  }

  private String row(String name, double rate, String behind, StaleEstimate estimate) {
    String chosen = "";
    if (figures.tolerated().isPresent()) {
      int read = estimate.replicasFor(figures.tolerated().getAsDouble());
      chosen = read + " (" + level(read) + ")";
    }
    return String.format(ROW, name, percent(rate), behind, chosen).stripTrailing();
  }

  private void assumptions(List<String> lines) {
    double unclamped = harmony.unclamped(figures.read());
    lines.add("harmony  as published: takes these rates as one key's, grows with the rate of");
    lines.add("         reads, adds up windows that overlap, and does not know W.");
    if (unclamped > 1) {
      lines.add("         Its formula says " + percent(unclamped) + ".");
    }
    if (figures.write() > 1) {
      lines.add(
          "         With W = "
              + figures.write()
              + " it is too high"
              + (figures.read() + figures.write() > figures.replicas()
                  ? ": reads overlap writes here, none is stale."
                  : "."));
    }
    lines.add("exact    the same model solved: random writes, W replicas have a write at once,");
    lines.add("         the others after Tp; a read asks X at random. Per key.");
    if (lags.isPresent()) {
      lines.add("lags     each replica as late as the canaries' writes were on it. Per key.");
    }
    wars.ifPresent(model -> assumptions(lines, model));
  }

  private void assumptions(List<String> lines, WarsAnswer model) {
    lines.add("wars     exponential latencies, every replica alike; for a read that begins");
    lines.add(
        String.format(
            "         %s ms after a write's acknowledgement, no newer one under way.",
            number(model.figures().afterMillis())));
    lines.add(
        "         At random times, with these writes: at most "
            + percent(model.underWrites().rate(figures.read()))
            + " stale.");
    OptionalDouble fresh = freshAfterMillis(model);
    if (fresh.isPresent()) {
      lines.add(
          "         "
              + percent(figures.tolerated().orElseThrow())
              + " is reached "
              + (Double.isFinite(fresh.getAsDouble())
                  ? String.format(Locale.ROOT, "%.3g ms after the write.", fresh.getAsDouble())
                  : "never."));
    }
  }

  private OptionalDouble freshAfterMillis(WarsAnswer model) {
    return figures.tolerated().isPresent()
        ? OptionalDouble.of(
            model.figures().model().timeFor(figures.read(), figures.tolerated().getAsDouble()))
        : OptionalDouble.empty();
  }

  private String level(int read) {
    return ReadLevels.plain(figures.replicas()).level(read).name();
  }

  private static String percent(double share) {
    double percent = share * 100;
    if (percent == 0 || percent == 100) {
      return percent == 0 ? "0 %" : "100 %";
    }
    return String.format(
        Locale.ROOT, percent < LEAST_PLAIN_PERCENT ? "%.1e %%" : "%.2f %%", percent);
  }

  /** As it was given; what was measured is not known to more than four digits. */
  private String number(double value) {
    if (!Double.isFinite(value)) {
      return "infinite";
    }
    return Units.formatNumber(
        figures.live().isPresent()
            ? new BigDecimal(value).round(new MathContext(4)).doubleValue()
            : value);
  }
}
