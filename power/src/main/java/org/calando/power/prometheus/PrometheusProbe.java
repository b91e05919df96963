package org.calando.power.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.ProbeInfo;
import org.calando.power.Ticker;
import org.calando.power.internal.EnergyCounter;
import org.calando.power.prometheus.PrometheusApi.Answer;
import org.calando.power.prometheus.PrometheusApi.Point;
import org.calando.power.prometheus.PrometheusApi.Series;
import org.jspecify.annotations.Nullable;

/*
 * One question brings the value and the time of its collection, evaluated at the same moment:
 *
 *     label_replace((QUERY), "calando_part", "value", "", "")
 *       or label_replace(max(timestamp(CLOCK)), "calando_part", "time", "", "")
 *
 * An instant query is better here than a range (QUERY[5m], which would bring the collections' times
 * too): it takes any expression, and a target that is gone ends at once by Prometheus's staleness
 * marker, where a range goes on showing the last figures.
 */

/** Reads a {@link PrometheusSource}. */
final class PrometheusProbe implements PowerProbe {
  private static final String PART = "calando_part";
  private static final long OPEN_NANOS = 5_000_000_000L;
  private static final long MAX_AGE_MILLIS = 300_000;
  // Prometheus's own default interval.
  private static final long USUAL_RENEWAL_NANOS = 60_000_000_000L;
  private static final int MOST_SHOWN = 5;
  private static final int MOST_POINTS = 20;

  private final PrometheusSource source;
  private final PrometheusApi api;
  private final ServerClock clock = new ServerClock();
  private final EnergyCounter counter;
  private final String question;
  private ProbeInfo info;
  private long lastMillis = Long.MIN_VALUE;
  private @Nullable PowerSample last;

  private PrometheusProbe(PrometheusSource source, PrometheusApi api) {
    this.source = source;
    this.api = api;
    counter = new EnergyCounter(source.scale());
    question = question(source);
    info = describe(USUAL_RENEWAL_NANOS, List.of());
  }

  static PrometheusProbe open(PrometheusSource source, Ticker ticker) throws MeterException {
    PrometheusProbe probe = new PrometheusProbe(source, new PrometheusApi(source.server(), ticker));
    boolean open = false;
    try {
      long deadlineNanos = ticker.nanos() + OPEN_NANOS;
      probe.sample(deadlineNanos);
      probe.learnRenewal(deadlineNanos);
      open = true;
      return probe;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MeterException("interrupted while it was opened", source.describe(), "", e);
    } finally {
      if (!open) {
        probe.close();
      }
    }
  }

  private static String question(PrometheusSource source) {
    // The line's end keeps a comment in the query from hiding the parenthesis.
    String value = part("(" + source.query() + "\n)", "value");
    return source
        .clock()
        .map(selector -> value + " or " + part("max(timestamp(" + selector + "\n))", "time"))
        .orElse(value);
  }

  private static String part(String expression, String name) {
    return "label_replace(" + expression + ", \"" + PART + "\", \"" + name + "\", \"\", \"\")";
  }

  @Override
  public ProbeInfo info() {
    return info;
  }

  @Override
  public PowerSample sample(long deadlineNanos) throws MeterException, InterruptedException {
    Answer answer = api.query(question, deadlineNanos);
    Series series = onlySeries(answer);
    Point value = series.points().get(0);
    clock.exchange(answer.sentNanos(), answer.receivedNanos(), value.millis());
    long collectedMillis = collectedMillis(answer, value.millis());
    PowerSample before = last;
    if (before != null && collectedMillis <= lastMillis) {
      return before;
    }
    // Estimates of the server's clock move a little; time must not run backwards for that.
    long atNanos = clock.nanosAt(collectedMillis);
    if (before != null) {
      atNanos = Math.max(atNanos, before.atNanos() + 1);
    }
    PowerSample now = sample(atNanos, value.value());
    lastMillis = collectedMillis;
    last = now;
    return now;
  }

  private PowerSample sample(long atNanos, double value) throws MeterException {
    if (!Double.isFinite(value) || value < 0) {
      throw new MeterException(
          "the value is " + value,
          source.describe(),
          "correct the query: power and energy are numbers from 0 up");
    }
    boolean power = source.quantity() == PrometheusSource.Quantity.POWER;
    if (power && value == 0) {
      throw new MeterException(
          "shows 0 W", source.describe(), "correct the query: a machine that is on draws power");
    }
    return power
        ? new PowerSample.Power(atNanos, value * source.scale())
        : counter.advance(atNanos, value);
  }

  private long collectedMillis(Answer answer, long evaluatedMillis) throws MeterException {
    Optional<Series> time = part(answer, "time").stream().findFirst();
    if (source.clock().isEmpty()) {
      return evaluatedMillis;
    }
    if (time.isEmpty()) {
      throw new MeterException(
          "the time of the value is not known",
          source.describe(),
          "correct the clock '" + source.clock().get() + "', or leave it out");
    }
    long millis = Math.round(time.get().points().get(0).value() * 1000);
    if (evaluatedMillis - millis > MAX_AGE_MILLIS) {
      throw new MeterException(
          "the newest value is " + (evaluatedMillis - millis) / 1000 + " s old",
          source.describe(),
          "check that the exporter runs and that Prometheus collects it");
    }
    return Math.min(millis, evaluatedMillis);
  }

  private Series onlySeries(Answer answer) throws MeterException {
    List<Series> found = part(answer, "value");
    if (found.size() == 1) {
      return found.get(0);
    }
    String warnings =
        answer.warnings().isEmpty()
            ? ""
            : "; the server warns: " + String.join("; ", answer.warnings());
    if (found.isEmpty()) {
      throw new MeterException(
          "the query finds no series" + warnings,
          source.describe(),
          "check that the exporter runs, that Prometheus collects it (its page /targets), and the"
              + " names and labels in the query");
    }
    String labels =
        found.stream()
            .limit(MOST_SHOWN)
            .map(series -> labels(series.labels()))
            .collect(Collectors.joining(" "));
    throw new MeterException(
        "the query finds "
            + found.size()
            + " series, not one: "
            + labels
            + (found.size() > MOST_SHOWN ? " ..." : "")
            + warnings,
        source.describe(),
        "select one by its labels, or add them up with sum()");
  }

  private static List<Series> part(Answer answer, String name) {
    return answer.series().stream()
        .filter(series -> !series.points().isEmpty())
        .filter(series -> name.equals(series.labels().get(PART)))
        .toList();
  }

  private static String labels(Map<String, String> all) {
    Map<String, String> labels = new TreeMap<>(all);
    labels.remove(PART);
    String name = labels.remove("__name__");
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + PrometheusPreset.quoted(label.getValue()))
        .collect(Collectors.joining(",", (name == null ? "" : name) + "{", "}"));
  }

  /** Looks how often the value was collected lately; keeps what is usual where that fails. */
  private void learnRenewal(long deadlineNanos) throws MeterException, InterruptedException {
    String selector = source.clock().orElse("");
    if (!PrometheusSource.isSelector(selector)) {
      return;
    }
    Answer answer = api.query(selector.strip() + "[5m]", deadlineNanos);
    long longestMillis = 0;
    for (Series series : answer.series()) {
      List<Point> points = series.points();
      int first = Math.max(1, points.size() - MOST_POINTS);
      for (int i = first; i < points.size(); i++) {
        long step = points.get(i).millis() - points.get(i - 1).millis();
        longestMillis = Math.max(longestMillis, step);
      }
    }
    long renewalNanos = longestMillis > 0 ? longestMillis * 1_000_000 : USUAL_RENEWAL_NANOS;
    info = describe(renewalNanos, answer.warnings());
  }

  private ProbeInfo describe(long renewalNanos, List<String> warnings) {
    List<String> parts = new ArrayList<>();
    if (source.clock().isPresent()) {
      parts.add("collected every %.3g s".formatted(renewalNanos / 1e9));
    } else {
      parts.add("dated when asked, older by up to an interval of the collection");
    }
    if (!source.note().isEmpty()) {
      parts.add(source.note());
    }
    warnings.forEach(warning -> parts.add("the server warns: " + warning));
    return new ProbeInfo(
        source.scope(),
        String.join("; ", parts),
        renewalNanos,
        source.quantity() == PrometheusSource.Quantity.ENERGY,
        false,
        source.modelled());
  }

  @Override
  public void close() {
    api.close();
  }
}
