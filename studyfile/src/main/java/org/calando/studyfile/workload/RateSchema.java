package org.calando.studyfile.workload;

import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.integer;
import static org.calando.schema.Types.list;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.number;
import static org.calando.schema.Types.rate;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.textFile;
import static org.calando.schema.Types.written;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.calando.core.BadRequestException;
import org.calando.load.LoadDays;
import org.calando.load.LoadTrace;
import org.calando.schema.Key;
import org.calando.schema.Names;
import org.calando.schema.ObjectType;
import org.calando.schema.Plain;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Units;
import org.calando.schema.Values;
import org.calando.studyfile.workload.RateSpec.Constant;
import org.calando.studyfile.workload.RateSpec.Days;
import org.calando.studyfile.workload.RateSpec.Poisson;
import org.calando.studyfile.workload.RateSpec.Ramp;
import org.calando.studyfile.workload.RateSpec.Step;
import org.calando.studyfile.workload.RateSpec.Steps;
import org.calando.studyfile.workload.RateSpec.Trace;

/** How an item of {@code matrix.rate} may be written. */
public final class RateSchema {
  /** What a kept study may hold: its text is read again. */
  private static final int MAX_STEPS = 50_000;

  private static final ScalarType<Double> RATE = rate(10_000_000);
  private static final ScalarType<Long> TIME = duration(1_000_000, 86_400_000_000_000L);

  private static final Key<Double> STEP_RATE =
      Key.of("rate", RATE, "Operations per time.").mandatory().example("100/s");
  private static final Key<Long> STEP_FOR =
      Key.of("for", TIME, "How long.").mandatory().example("10s");
  private static final ObjectType<Step> STEP =
      ObjectType.named("a step", "A rate for some time.")
          .keys(STEP_RATE, STEP_FOR)
          .build(step -> new Step(step.get(STEP_RATE), step.get(STEP_FOR)));

  private static final Key<Double> FROM =
      Key.of("from", RATE, "Rate at the start.").mandatory().example("100/s");
  private static final Key<Double> TO =
      Key.of("to", RATE, "Rate at the end, and from then on.").mandatory().example("400/s");
  private static final Key<Long> OVER =
      Key.of("over", TIME, "Time from one to the other.").mandatory().example("30s");
  private static final ObjectType<Ramp> RAMP_TYPE =
      ObjectType.named("a ramp", "A rate that changes linearly and then stays.")
          .keys(FROM, TO, OVER)
          .build(ramp -> new Ramp(ramp.get(FROM), ramp.get(TO), ramp.get(OVER)));

  private static final Key<Double> CONSTANT =
      Key.of("constant", RATE, "Evenly spaced arrivals; a bare rate means the same.")
          .example("400/s");
  private static final Key<Double> POISSON =
      Key.of("poisson", RATE, "Independent arrivals with exponentially distributed gaps.")
          .example("400/s");
  private static final Key<List<Step>> STEPS =
      Key.of("steps", list(STEP, 1, 1000), "Rates one after another; the last one stays.")
          .example("[{rate: 100/s, for: 10s}, {rate: 400/s, for: 10s}]");
  private static final Key<Ramp> RAMP =
      Key.of("ramp", RAMP_TYPE, "A rate that rises or falls.")
          .example("{from: 100/s, to: 400/s, over: 30s}");
  private static final Key<Double> PEAK =
      Key.of("peak", RATE, "Operations per time at noon of a working day; spikes go beyond.")
          .mandatory()
          .example("400/s");
  private static final Key<Integer> NUMBER =
      Key.of("number", integer(1, 28), "How many days, from Monday on; then the load stays.")
          .byDefault("2")
          .example("7");
  private static final Key<LoadDays.Shape> SHAPE =
      Key.of(
              "shape",
              choice(
                  "a shape",
                  Names.inOrder("round", LoadDays.Shape.ROUND, "steep", LoadDays.Shape.STEEP)),
              "Whether a day rises for hours or within ten minutes.")
          .byDefault("round")
          .example("steep");
  private static final Key<Double> COMPRESS =
      Key.of("compress", number(1, 86_400), "How much shorter: at 1440 a day is a minute.")
          .byDefault("1440")
          .example("1440");
  private static final Key<Long> DAYS_SEED =
      Key.of("seed", longInteger(0, Long.MAX_VALUE / 10), "Seed of noise and spikes.")
          .byDefault("1")
          .example("1");
  private static final ObjectType<Days> DAYS_TYPE =
      ObjectType.named(
              "days",
              "Days of an office's load, with nights, weekends, noise and spikes; see"
                  + " docs/simulator.md.")
          .keys(PEAK, NUMBER, SHAPE, COMPRESS, DAYS_SEED)
          .build(
              days ->
                  new Days(
                      days.get(PEAK),
                      days.get(NUMBER),
                      days.get(SHAPE),
                      days.get(COMPRESS),
                      days.get(DAYS_SEED)));
  private static final Key<Long> STEP_TIME =
      Key.of("step", TIME, "For how long each rate holds.").mandatory().example("1m");
  private static final Key<List<Double>> RATES =
      Key.of(
              "rates",
              list(number(0, 10_000_000), 2, MAX_STEPS),
              "Operations a second, one step after the other.")
          .mandatory()
          .example("[100, 120.5]");
  private static final ObjectType<LoadTrace> RECORDED =
      ObjectType.named("a recorded load", "Rates in steps of equal length.")
          .keys(STEP_TIME, RATES)
          .build(
              load ->
                  LoadTrace.of(
                      load.get(STEP_TIME),
                      load.get(RATES).stream().mapToDouble(Double::doubleValue).toArray()));
  private static final Key<LoadTrace> LOAD =
      Key.of(
              "load",
              written(
                  scalarOrMapping(
                      textFile("a trace's file", RateSchema::read, RateSchema::plainLoad),
                      RECORDED),
                  RateSchema::plainLoad),
              "The load: a CSV file seconds,ops_per_s of steps of equal length, from a Monday's"
                  + " 00:00 on, or the steps themselves; then it stays.")
          .mandatory()
          .example("{step: 1m, rates: [100, 120.5]}");
  private static final Key<Trace> TRACE =
      Key.of(
              "trace",
              ObjectType.named("a load trace", "A load that was recorded.")
                  .keys(LOAD, COMPRESS)
                  .build(trace -> new Trace(trace.get(LOAD), trace.get(COMPRESS))),
              "A load that was recorded.")
          .example("{load: {step: 1m, rates: [100, 120.5]}, compress: 60}");
  private static final Key<Days> DAYS =
      Key.of("days", DAYS_TYPE, "A load that follows the time of day.")
          .example("{peak: 400/s, number: 3}");
  private static final ObjectType<RateSpec> SHAPED =
      ObjectType.named("arrivals", "Arrivals of an open loop; exactly one of the keys.")
          .keys(CONSTANT, POISSON, STEPS, RAMP, DAYS, TRACE)
          .check(
              arrivals -> arrivals.requireExactlyOne(CONSTANT, POISSON, STEPS, RAMP, DAYS, TRACE))
          .build(RateSchema::arrivals);

  public static final Type<RateSpec> TYPE =
      written(scalarOrMapping(mapped(RATE, Constant::new), SHAPED), RateSchema::plain);

  private RateSchema() {}

  private static RateSpec arrivals(Values values) {
    if (values.given(POISSON)) {
      return new Poisson(values.get(POISSON));
    }
    if (values.given(STEPS)) {
      return new Steps(values.get(STEPS));
    }
    if (values.given(DAYS)) {
      return values.get(DAYS);
    }
    if (values.given(TRACE)) {
      return values.get(TRACE);
    }
    return values.given(RAMP) ? values.get(RAMP) : new Constant(values.get(CONSTANT));
  }

  private static Object plain(RateSpec rate) {
    if (rate instanceof Poisson poisson) {
      return Map.of("poisson", Units.formatRate(poisson.perSecond()));
    }
    if (rate instanceof Steps steps) {
      return Map.of("steps", steps.steps().stream().map(RateSchema::plainStep).toList());
    }
    if (rate instanceof Ramp ramp) {
      Map<String, Object> plain =
          Plain.map(
              "from", Units.formatRate(ramp.fromPerSecond()),
              "to", Units.formatRate(ramp.toPerSecond()),
              "over", Units.formatNanos(ramp.durationNanos()));
      return Map.of("ramp", plain);
    }
    if (rate instanceof Days days) {
      Map<String, Object> plain =
          Plain.map(
              PEAK.name(),
              Units.formatRate(days.peakPerSecond()),
              NUMBER.name(),
              days.days(),
              SHAPE.name(),
              days.shape().name().toLowerCase(Locale.ROOT),
              COMPRESS.name(),
              days.speed(),
              DAYS_SEED.name(),
              days.seed());
      return Map.of(DAYS.name(), plain);
    }
    if (rate instanceof Trace trace) {
      return Map.of(
          TRACE.name(),
          Plain.map(LOAD.name(), plainLoad(trace.recorded()), COMPRESS.name(), trace.speed()));
    }
    return rate.label();
  }

  private static LoadTrace read(String text, String name) {
    LoadTrace trace = LoadTrace.parse(text, name);
    if (trace.steps() > MAX_STEPS || trace.peak() == 0) {
      throw new BadRequestException(
          trace.steps() + " steps, to " + trace.peak() + " operations a second",
          name,
          "write at most " + MAX_STEPS + " steps, one of them above 0");
    }
    return trace;
  }

  private static Map<String, Object> plainLoad(LoadTrace load) {
    return Plain.map(
        STEP_TIME.name(),
        Units.formatNanos(load.stepNanos()),
        RATES.name(),
        Arrays.stream(load.rates()).boxed().toList());
  }

  private static Map<String, Object> plainStep(Step step) {
    return Plain.map(
        "rate", Units.formatRate(step.perSecond()), "for", Units.formatNanos(step.durationNanos()));
  }
}
