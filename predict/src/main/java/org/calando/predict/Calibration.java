package org.calando.predict;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.calando.core.BadRequestException;

/**
 * Makes a profile of measured runs.
 *
 * <p>Stateless and thread safe. The same folders, options and seed give the same profile.
 */
public final class Calibration {
  /** Configurations below which a fit says nothing of its errors. */
  static final int LEAST_CONFIGURATIONS = 4;

  private static final int OPERATIONS = 6_000;

  private Calibration() {}

  /**
   * What to calibrate on.
   *
   * @param folders studies' folders, one or more
   * @param fromRepeat blocks before this one are left out, 1 or more
   * @param holdOut what is left out of the fit
   * @param seed of draws and shares
   */
  public record Request(List<Path> folders, int fromRepeat, HoldOut holdOut, long seed) {
    /** Copies the list. */
    public Request {
      folders = List.copyOf(folders);
    }
  }

  /**
   * A profile and what was seen on the way.
   *
   * @param profile the profile
   * @param passedOver runs that could not be used, a sentence each
   */
  public record Result(CalibrationProfile profile, List<String> passedOver) {
    /** Copies the list. */
    public Result {
      passedOver = List.copyOf(passedOver);
    }
  }

  /**
   * Calibrates.
   *
   * @param progress told of every step, in words
   * @throws BadRequestException if folders are no studies', or have too few runs that can be used
   */
  public static Result run(Request request, Consumer<String> progress) {
    List<MeasuredStudy> studies = request.folders().stream().map(MeasuredStudy::read).toList();
    List<MeasuredRun> runs = new ArrayList<>();
    List<String> passedOver = new ArrayList<>();
    for (MeasuredStudy study : studies) {
      passedOver.addAll(study.passedOver());
      study.runs().stream().filter(r -> r.repeat() >= request.fromRepeat()).forEach(runs::add);
    }
    List<Configuration> all = Configuration.of(runs);
    List<Configuration> out = request.holdOut().of(all, request.seed());
    List<Configuration> in = all.stream().filter(c -> !out.contains(c)).toList();
    requireEnough(in, request, passedOver);
    Fit fit = Fit.of(in, OPERATIONS, progress);
    Draws draws = Draws.of(fit, request.seed());
    Optional<HeldOut> heldOut = heldOut(request, fit, draws, out, progress);
    return new Result(profile(studies, in, fit, draws, heldOut), passedOver);
  }

  private static void requireEnough(
      List<Configuration> in, Request request, List<String> passedOver) {
    if (in.size() < LEAST_CONFIGURATIONS) {
      String reasons =
          passedOver.isEmpty() ? "" : "; not used: " + String.join("; ", first(passedOver));
      throw new BadRequestException(
          "%d configurations to fit to, and %d are needed%s"
              .formatted(in.size(), LEAST_CONFIGURATIONS, reasons),
          String.join(", ", request.folders().stream().map(Path::toString).toList()),
          "run studies with several mixes, levels and loads, or hold less out");
    }
    if (in.stream().map(c -> c.scenario().cluster().sharedMachine()).distinct().count() > 1) {
      throw new BadRequestException(
          "local clusters and others have no service times in common",
          "folders",
          "calibrate on one kind at a time");
    }
  }

  private static List<String> first(List<String> texts) {
    return texts.subList(0, Math.min(3, texts.size()));
  }

  private static Optional<HeldOut> heldOut(
      Request request, Fit fit, Draws draws, List<Configuration> out, Consumer<String> progress) {
    List<HeldOut.Row> rows = new ArrayList<>();
    if (request.holdOut().isEach()) {
      List<Configuration> in = fit.configurations();
      for (int i = 0; i < in.size(); i++) {
        progress.accept("held out: " + in.get(i).label());
        rows.addAll(rows(in.get(i), draws.without(i)));
      }
      return Optional.of(HeldOut.of("each configuration in its turn", in.size(), rows));
    }
    for (Configuration configuration : out) {
      progress.accept("held out: " + configuration.label());
      rows.addAll(rows(configuration, draws.all()));
    }
    return out.isEmpty()
        ? Optional.empty()
        : Optional.of(HeldOut.of(request.holdOut().toString(), out.size(), rows));
  }

  private static List<HeldOut.Row> rows(Configuration configuration, List<Parameters> draws) {
    Figures[] figures = simulate(configuration.scenario(), draws, OPERATIONS);
    List<HeldOut.Row> rows = new ArrayList<>();
    for (Quantity quantity : Quantity.judged()) {
      if (configuration.tells(quantity)) {
        double[] values = new double[figures.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = figures[i].get(quantity);
        }
        rows.add(
            new HeldOut.Row(
                configuration.label(),
                quantity,
                configuration.mean(quantity),
                configuration.estimate(quantity).halfWidth(),
                Interval.of(values)));
      }
    }
    return rows;
  }

  /** A simulation for each draw, with random numbers of its own. */
  static Figures[] simulate(Scenario scenario, List<Parameters> draws, int operations) {
    Figures[] figures = new Figures[draws.size()];
    IntStream.range(0, figures.length)
        .parallel()
        .forEach(
            i -> figures[i] = ScenarioSimulation.run(scenario, draws.get(i), operations, 1000 + i));
    return figures;
  }

  private static CalibrationProfile profile(
      List<MeasuredStudy> studies,
      List<Configuration> in,
      Fit fit,
      Draws draws,
      Optional<HeldOut> heldOut) {
    Map<Quantity, Double> errors = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.all()) {
      if (Double.isFinite(fit.error(quantity))) {
        errors.put(quantity, fit.error(quantity));
      }
    }
    Map<Parameter, Interval> intervals = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.all()) {
      Interval drawn = draws.interval(parameter);
      intervals.put(
          parameter, new Interval(fit.parameters().get(parameter), drawn.low(), drawn.high()));
    }
    return new CalibrationProfile(
        new CalibrationProfile.Origin(
            studies.stream().map(s -> String.valueOf(s.folder().getFileName())).toList(),
            studies.get(0).started(),
            studies.get(0).machine(),
            in.stream().mapToInt(c -> c.runs().size()).sum(),
            in.size()),
        in.get(0).scenario().cluster(),
        FittedRange.of(in.stream().map(Configuration::scenario).toList()),
        intervals,
        draws.all(),
        errors,
        heldOut,
        PowerFit.of(in.stream().flatMap(c -> c.runs().stream()).toList()));
  }
}
