package org.calando.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.calando.control.file.AtomicFiles;
import org.calando.report.Csv;
import org.calando.report.Figures;
import org.calando.report.Statistics.Estimate;
import org.calando.report.column.EnergyColumns;
import org.calando.report.column.StaleColumns;

/**
 * What a plan leaves in its folder: {@code plan.html}, {@code plan.csv}, {@code plan.json}, and
 * studies that confirm it. Immutable.
 */
public final class PlanFiles {
  private static final String PAGE = "plan.html";
  private static final String HEADER =
      "setting,control,promise,watts,watts_low,watts_high,joules_per_kop,joules_per_kop_low,"
          + "joules_per_kop_high,read_p99_ms,read_p99_ms_low,read_p99_ms_high,stale_rate,"
          + "stale_rate_low,stale_rate_high,runs,failed";
  private static final Estimate NONE =
      new Estimate(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  private final Plan plan;
  private final Said said;
  private final Path out;
  private final List<String> confirming;
  private final ObjectNode json;

  private PlanFiles(Plan plan, Path out, List<String> confirming) {
    this.plan = plan;
    this.said = new Said(plan);
    this.out = out;
    this.confirming = List.copyOf(confirming);
    this.json = json(plan, out);
  }

  /** Writes all of them in place of older ones. */
  public static PlanFiles write(Plan plan, Path out) {
    PlanFiles files = new PlanFiles(plan, out, new Confirmation(plan, out).write());
    AtomicFiles.write(out.resolve("plan.csv"), files.csv());
    AtomicFiles.write(out.resolve("plan.json"), files.json.toPrettyString() + "\n");
    AtomicFiles.write(out.resolve(PAGE), new PlanPage(plan).render(files.confirming));
    return files;
  }

  /** The plan for a terminal, with where its page is. */
  public String text(Charset charset) {
    List<String> more = new ArrayList<>(confirming);
    more.add("Page: " + out.resolve(PAGE));
    return new PlanText(plan).render(charset, more);
  }

  /** The plan for programs. */
  public JsonNode json() {
    return json;
  }

  private String csv() {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (Outcome one : plan.outcomes()) {
      List<String> cells = new ArrayList<>();
      cells.add(Csv.quote(one.setting().words()));
      cells.add(Csv.quote(one.setting().control()));
      cells.add(Csv.quote(Said.verdict(one)));
      add(cells, one.watts());
      add(cells, one.joules());
      add(cells, one.runs().estimate(Said::p99Millis));
      add(cells, one.stale());
      cells.add(String.valueOf(one.runs().ok().size()));
      cells.add(String.valueOf(one.runs().failed().size()));
      text.append(String.join(",", cells)).append('\n');
    }
    return text.toString();
  }

  private static void add(List<String> cells, Estimate seen) {
    cells.add(Figures.exact(seen.mean()));
    cells.add(Figures.exact(seen.low()));
    cells.add(Figures.exact(seen.high()));
  }

  private ObjectNode json(Plan of, Path folder) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("version", 1).put("plan", of.file().name()).put("out", folder.toString());
    root.put("page", folder.resolve(PAGE).toString());
    ObjectNode promise = root.putObject("promise");
    of.file().promise().limits().forEach((part, limit) -> promise.put(key(part.word()), limit));
    root.putObject("load")
        .put("arrivals", of.file().rate().label())
        .put("mean_ops_per_s", of.load().mean())
        .put("peak_ops_per_s", of.load().peak())
        .put("read_share", of.load().reads());
    name(root, "best", of.best());
    name(root, "next", of.next());
    name(root, "best_held", of.bestHeld());
    name(root, "best_policy", of.bestPolicy());
    name(root, "usual", Optional.of(of.usual()));
    ArrayNode settings = root.putArray("settings");
    of.outcomes().forEach(one -> setting(settings.addObject(), one));
    ArrayNode prices = root.putArray("prices");
    of.prices().forEach(price -> price(prices, price));
    ArrayNode idle = root.putArray("idle");
    for (IdleShares.AtShare at : of.idle().cheapest()) {
      ObjectNode node = idle.addObject().put("idle_share", at.share());
      IdleShares.first(at)
          .ifPresent(
              first ->
                  node.put("best", first.outcome().setting().words()).put("watts", first.watts()));
    }
    ArrayNode front = root.putArray("front");
    of.front().forEach(one -> front.add(one.setting().words()));
    ObjectNode left = root.putObject("left_out");
    of.skipped().forEach(left::put);
    root.put("provenance", "simulated").put("power", said.origin());
    return root;
  }

  private static void name(ObjectNode root, String key, Optional<Outcome> one) {
    one.ifPresentOrElse(found -> root.put(key, found.setting().words()), () -> root.putNull(key));
  }

  private static void setting(ObjectNode node, Outcome one) {
    node.put("setting", one.setting().words()).put("control", one.setting().control());
    node.put("promise", Said.verdict(one));
    estimate(node, "watts", one.watts());
    estimate(node, EnergyColumns.JOULES_PER_KOP.name(), one.joules());
    estimate(node, "read_p99_ms", one.isWhole() ? one.runs().estimate(Said::p99Millis) : NONE);
    estimate(node, StaleColumns.STALE_RATE.name(), one.stale());
    ObjectNode parts = node.putObject("parts");
    one.verdicts()
        .forEach(
            (part, verdict) ->
                parts.put(key(part.word()), verdict.name().toLowerCase(Locale.ROOT)));
  }

  /** What is not known is null. */
  private static void estimate(ObjectNode node, String key, Estimate seen) {
    number(node, key, seen.mean());
    number(node, key + "_low", seen.low());
    number(node, key + "_high", seen.high());
  }

  private static void number(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, value);
    } else {
      node.putNull(key);
    }
  }

  private void price(ArrayNode prices, Plan.Price price) {
    ObjectNode node = prices.addObject().put("without", key(price.part().word()));
    saved(node, "", price.without());
    number(node, "instead", price.limit());
    saved(node, "instead_", price.loosened());
  }

  private void saved(ObjectNode node, String prefix, Optional<Outcome> cheaper) {
    double watts =
        plan.best()
            .filter(best -> said.isTold(cheaper))
            .flatMap(best -> cheaper.map(one -> best.watts().mean() - one.watts().mean()))
            .orElse(Double.NaN);
    number(node, prefix + "saves_w", watts);
    number(node, prefix + "saves_a_year", said.yearly(watts));
    name(node, prefix + "by", cheaper);
  }

  private static String key(String word) {
    return word.replace('-', '_');
  }
}
