package org.calando.governor.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.governor.GovernorService;
import org.calando.governor.history.PeriodReport;
import org.calando.governor.history.Sample;
import org.calando.governor.told.Decided;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;

/** A cluster's past over HTTP: samples of the last day, and reports of days. Thread safe. */
final class HistoryRoute {
  private static final String HTML = "text/html; charset=utf-8";

  private static final int MOST_DECISIONS = 1000;
  private static final Pattern PATH =
      Pattern.compile("/api/v1/clusters/([a-z0-9-]+)/(history|report)");

  private final GovernorService service;

  HistoryRoute(GovernorService service) {
    this.service = service;
  }

  /** What is answered; empty if the path is another's, or there is no such cluster. */
  Optional<Answer> answer(Call call) {
    Matcher path = PATH.matcher(call.path());
    if (!path.matches()) {
      return Optional.empty();
    }
    return path.group(2).equals("history")
        ? samples(path.group(1))
        : report(path.group(1), call.query());
  }

  /** Samples as JSON, the newest last; empty if there is no such cluster. */
  private Optional<Answer> samples(String cluster) {
    return service
        .history(cluster)
        .map(
            history -> {
              ArrayNode all = JsonNodeFactory.instance.arrayNode();
              history.recent().forEach(sample -> all.add(node(sample)));
              return Answer.json(all + "\n");
            });
  }

  private static ObjectNode node(Sample sample) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("at", sample.at().toString());
    StateJson.put(node, "power_w", sample.watts());
    StateJson.put(node, "joules", sample.joules());
    StateJson.put(node, "saving_low_w", sample.savingLow());
    StateJson.put(node, "saving_high_w", sample.savingHigh());
    ObjectNode kept = node.putObject("kept");
    sample.kept().forEach((promise, known) -> kept.put(promise, known.orElse(null)));
    return node;
  }

  /**
   * A report of days as a page; empty if there is no such cluster.
   *
   * @param query {@code day}, the first one, and {@code days}, how many
   */
  private Optional<Answer> report(String cluster, Map<String, String> query) {
    return service
        .history(cluster)
        .map(
            history ->
                PeriodReport.asked(
                        cluster,
                        Optional.ofNullable(query.get("day")),
                        Optional.ofNullable(query.get("days")),
                        Instant.now(),
                        ZoneId.systemDefault(),
                        service.pricing(cluster))
                    .map(
                        report ->
                            new Answer(
                                200,
                                HTML,
                                report.html(
                                    history.between(report.from(), report.to()),
                                    decisions(cluster, report))))
                    .orElseGet(
                        () ->
                            Answer.text(
                                400,
                                "day is a date such as 2026-11-27, and days 1 to "
                                    + PeriodReport.MOST_DAYS
                                    + "\n")));
  }

  private List<PeriodReport.Row> decisions(String cluster, PeriodReport report) {
    return service
        .notes()
        .decisions()
        .of(
            cluster,
            -1,
            each -> !each.at().isBefore(report.from()) && each.at().isBefore(report.to()),
            MOST_DECISIONS)
        .stream()
        .map(HistoryRoute::row)
        .toList();
  }

  private static PeriodReport.Row row(Decided each) {
    return new PeriodReport.Row(
        each.at(),
        String.join(", ", each.settings())
            + each.barred().map(why -> " (not set: " + why + ")").orElse(""),
        String.join("; ", each.reasons()));
  }
}
