package org.calando.predict;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Quantity;
import org.jspecify.annotations.Nullable;

/** What a calibration found, for people and as JSON. Immutable. */
public final class CalibrationReport {
  private static final String ROW = "%-22s %-16s %9s %9s %9s %9s";
  private static final int NAME = 22;

  private final Calibration.Result result;

  /** The report of a calibration. */
  public CalibrationReport(Calibration.Result result) {
    this.result = result;
  }

  /** Lines of fewer than 80 characters. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    CalibrationProfile profile = result.profile();
    ReportLines.wrap(
        lines,
        "%d runs of %d configurations fitted: %s"
            .formatted(
                profile.origin().runs(),
                profile.origin().configurations(),
                String.join(", ", profile.origin().studies())));
    int passedOver = result.passedOver().size();
    if (passedOver > 0) {
      ReportLines.wrap(lines, passedOver + " runs not used, such as " + result.passedOver().get(0));
    }
    lines.add("");
    lines.add(String.format("%-17s %13s  %-19s %s", "parameter", "value", "range", "what it is"));
    for (Parameter parameter : Parameter.of(profile.stages())) {
      lines.add(parameter(parameter, profile.parameters().get(parameter)));
    }
    lines.add("");
    StringBuilder errors = new StringBuilder("Error of the fit (rms):");
    for (Quantity quantity : Quantity.fitted(true)) {
      Double error = profile.fitErrors().get(quantity);
      if (error != null) {
        errors.append(String.format(Locale.ROOT, " %s %.0f %%;", quantity.key(), error * 100));
      }
    }
    ReportLines.wrap(lines, errors.substring(0, errors.length() - 1) + ".");
    profile.heldOut().ifPresent(heldOut -> heldOut(lines, heldOut));
    ErrorWarning.of(profile).ifPresent(warning -> ReportLines.wrap(lines, warning));
    return lines;
  }

  private static String parameter(Parameter parameter, @Nullable Interval interval) {
    Interval known = interval == null ? Interval.of() : interval;
    return ReportLines.cut(
        String.format(
            "%-17s %13s  %-19s %s",
            parameter.key(),
            ReportLines.figure(known.value()) + " " + parameter.unit(),
            ReportLines.figure(known.low()) + " to " + ReportLines.figure(known.high()),
            parameter.meaning()),
        79);
  }

  private static void heldOut(List<String> lines, HeldOut heldOut) {
    lines.add("");
    ReportLines.wrap(lines, "Held out: " + heldOut.how());
    lines.add(String.format(ROW, "configuration", "", "runs", "+-", "predicted", "error"));
    for (HeldOut.Row row : heldOut.rows()) {
      double scale = row.quantity() == Quantity.STALE ? 100 : 1;
      lines.add(
          String.format(
              ROW,
              ReportLines.cut(row.configuration(), NAME),
              named(row.quantity(), heldOut),
              ReportLines.figure(row.measured() * scale),
              ReportLines.figure(row.halfWidth() * scale),
              ReportLines.figure(row.predicted().value() * scale),
              error(row)));
      lines.add(
          "%79s"
              .formatted(
                  ReportLines.figure(row.predicted().low() * scale)
                      + " to "
                      + ReportLines.figure(row.predicted().high() * scale)));
    }
    lines.add("");
    heldOut
        .errors()
        .forEach(
            (quantity, error) ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "%-11s mean error %.1f %s, worst %.1f %s",
                        quantity.key(),
                        error.mean() * 100,
                        unit(quantity),
                        error.worst() * 100,
                        unit(quantity))));
    if (!heldOut.wattsMeasured()) {
      ReportLines.wrap(
          lines,
          "No meter measured watts: those of the measured runs follow from their CPU time, so"
              + " errors of watts and joules do not test the power profile.");
    }
  }

  /** What it is, where the unit alone does not say so; of energy with the figures' provenance. */
  private static String named(Quantity quantity, HeldOut heldOut) {
    return switch (quantity) {
      case STALE -> "stale %";
      case WATTS, JOULES ->
          quantity.unit() + (heldOut.wattsMeasured() ? ", measured" : ", modelled");
      case THROUGHPUT, CPU, CLIENT_CPU -> quantity.unit();
      case READ_LATENCY, WRITE_LATENCY, READ_P99, WRITE_P99, LAG, LAG_P99 ->
          quantity.key() + ", " + quantity.unit();
    };
  }

  /** Of stale reads a difference in points, else in percent. */
  private static String error(HeldOut.Row row) {
    return Double.isFinite(row.error())
        ? String.format(Locale.ROOT, "%+.1f %s", row.error() * 100, unit(row.quantity()))
        : "-";
  }

  private static String unit(Quantity quantity) {
    return quantity == Quantity.STALE ? "pp" : "%";
  }

  /** The same as JSON. */
  public ObjectNode json() {
    CalibrationProfile profile = result.profile();
    ObjectNode answer = new ObjectMapper().createObjectNode();
    answer.put("runs", profile.origin().runs());
    answer.put("configurations", profile.origin().configurations());
    ObjectNode parameters = answer.putObject("parameters");
    profile
        .parameters()
        .forEach(
            (parameter, interval) ->
                parameters
                    .putObject(parameter.key())
                    .put("value", interval.value())
                    .put("low", interval.low())
                    .put("high", interval.high())
                    .put("unit", parameter.unit()));
    ObjectNode errors = answer.putObject("fit_error");
    profile.fitErrors().forEach((quantity, error) -> errors.put(quantity.key(), error));
    profile.heldOut().ifPresent(heldOut -> put(answer.putObject("held_out"), heldOut));
    result.passedOver().forEach(answer.putArray("passed_over")::add);
    ErrorWarning.of(profile).ifPresent(answer.putArray("warnings")::add);
    return answer;
  }

  private static void put(ObjectNode node, HeldOut heldOut) {
    node.put("how", heldOut.how());
    heldOut
        .errors()
        .forEach(
            (quantity, error) ->
                node.putObject(quantity.key())
                    .put("mean", error.mean())
                    .put("worst", error.worst()));
    ArrayNode rows = node.putArray("rows");
    for (HeldOut.Row row : heldOut.rows()) {
      ObjectNode one = rows.addObject();
      one.put("configuration", row.configuration());
      one.put("quantity", row.quantity().key());
      one.put("measured", row.measured());
      if (Double.isFinite(row.halfWidth())) {
        one.put("half_width", row.halfWidth());
      }
      one.put("predicted", row.predicted().value());
      one.put("low", row.predicted().low());
      one.put("high", row.predicted().high());
    }
  }
}
