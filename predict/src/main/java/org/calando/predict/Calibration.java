package org.calando.predict;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.calando.core.BadRequestException;
import org.calando.core.energy.NodeProfile;
import org.calando.studyfile.profile.CalibrationProfile;
import org.calando.studyfile.profile.HeldOut;
import org.calando.studyfile.profile.Interval;
import org.calando.studyfile.profile.Parameter;
import org.calando.studyfile.profile.Parameters;
import org.calando.studyfile.profile.Quantity;
import org.calando.studyfile.profile.StageThreads;

/**
 * Makes a profile of measured runs.
 *
 * <p>Stateless and thread safe. The same folders, options and seed give the same profile.
 */
public final class Calibration {
  /** Configurations below which a fit says nothing of its errors. */
  static final int LEAST_CONFIGURATIONS = 4;

  /** Of a parameter of stages, standard deviations after the fit over before. */
  private static final double MOST_UNKNOWN = 0.9;

  /** Operations of each simulated run, unless said otherwise. */
  public static final int OPERATIONS = 6_000;

  private Calibration() {}

  /**
   * What to calibrate on.
   *
   * @param folders studies' folders, one or more
   * @param fromRepeat blocks before this one are left out, 1 or more
   * @param holdOut what is left out of the fit
   * @param seed of draws and shares
   * @param operations of each simulated run: fewer take less time and tell less
   * @param stages threads of the nodes' stages, which are fitted then
   */
  public record Request(
      List<Path> folders,
      int fromRepeat,
      HoldOut holdOut,
      long seed,
      int operations,
      Optional<StageThreads> stages) {
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
    OneMachine.require(studies);
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
    long memory = Runtime.getRuntime().maxMemory();
    all.forEach(configuration -> Simulations.requireRoom(configuration.scenario(), memory));
    requireMeasured(in, request);
    Fit fit = Fit.of(in, request.operations(), request.stages(), progress);
    requireKnown(fit, request);
    Draws draws = Draws.of(fit, request.seed());
    NodeProfile power = PowerFit.of(in.stream().flatMap(c -> c.runs().stream()).toList());
    Optional<HeldOut> heldOut = HeldOutFigures.of(request, fit, draws, out, power, progress);
    return new Result(profile(studies, in, fit, draws, heldOut, power), passedOver);
  }

  private static void requireEnough(
      List<Configuration> in, Request request, List<String> passedOver) {
    if (in.size() < LEAST_CONFIGURATIONS) {
      String reasons =
          passedOver.isEmpty() ? "" : "; not used: " + String.join("; ", first(passedOver));
      throw new BadRequestException(
          "%d configurations to fit to, and %d are needed%s"
              .formatted(in.size(), LEAST_CONFIGURATIONS, reasons),
          where(request),
          "run studies with several mixes, levels and loads, or hold less out");
    }
  }

  /** Stages are fitted to what was measured for each of their parameters, or not at all. */
  private static void requireMeasured(List<Configuration> in, Request request) {
    for (Parameter parameter : ofStages(request)) {
      for (Quantity quantity : parameter.fittedTo()) {
        if (in.stream().noneMatch(configuration -> configuration.tells(quantity))) {
          throw new BadRequestException(
              "no run measured %s, which %s of stages is fitted to"
                  .formatted(quantity.key(), parameter.key()),
              where(request),
              quantity == Quantity.LAG || quantity == Quantity.LAG_P99
                  ? "add " + MeasuredLags.FILE + " to the folders, or leave out --stages"
                  : "run reads and writes, or leave out --stages");
        }
      }
    }
  }

  private static void requireKnown(Fit fit, Request request) {
    for (Parameter parameter : ofStages(request)) {
      if (fit.unknownShare(parameter) > MOST_UNKNOWN) {
        throw new BadRequestException(
            "the measurements do not determine %s of stages: %s hardly depend on it"
                .formatted(
                    parameter.key(),
                    String.join(
                        " and ", parameter.fittedTo().stream().map(Quantity::key).toList())),
            where(request),
            Parameter.ofStalls().contains(parameter)
                ? "measure more configurations, some open loops of low load, or leave out --stalls"
                : "measure more configurations, some of high load, or leave out --stages");
      }
    }
  }

  private static List<Parameter> ofStages(Request request) {
    List<Parameter> all = Parameter.of(request.stages());
    return all.subList(Parameter.all().size(), all.size());
  }

  private static String where(Request request) {
    return String.join(", ", request.folders().stream().map(Path::toString).toList());
  }

  private static List<String> first(List<String> texts) {
    return texts.subList(0, Math.min(3, texts.size()));
  }

  /** A simulation for each draw, with random numbers of its own. */
  static Figures[] simulate(Scenario scenario, List<Parameters> draws, int operations) {
    Simulations.requireRoom(scenario, Runtime.getRuntime().maxMemory());
    return Simulations.run(
        draws.size(), Simulations.bytes(scenario), i -> simulate(scenario, draws, i, operations));
  }

  /** That of one draw. */
  static Figures simulate(Scenario scenario, List<Parameters> draws, int draw, int operations) {
    return ScenarioSimulation.run(scenario, draws.get(draw), operations, 1000 + draw);
  }

  private static CalibrationProfile profile(
      List<MeasuredStudy> studies,
      List<Configuration> in,
      Fit fit,
      Draws draws,
      Optional<HeldOut> heldOut,
      NodeProfile power) {
    Map<Quantity, Double> errors = new EnumMap<>(Quantity.class);
    for (Quantity quantity : Quantity.fitted(fit.stages().isPresent())) {
      if (Double.isFinite(fit.error(quantity))) {
        errors.put(quantity, fit.error(quantity));
      }
    }
    Map<Parameter, Interval> intervals = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.of(fit.stages())) {
      Interval drawn = draws.interval(parameter);
      double value = fit.parameters().get(parameter);
      intervals.put(
          parameter,
          new Interval(value, Math.min(value, drawn.low()), Math.max(value, drawn.high())));
    }
    return new CalibrationProfile(
        new CalibrationProfile.Origin(
            studies.stream().map(s -> String.valueOf(s.folder().getFileName())).toList(),
            studies.get(0).started(),
            studies.get(0).machine(),
            in.stream().mapToInt(c -> c.runs().size()).sum(),
            in.size()),
        in.get(0).scenario().cluster(),
        FittedRanges.of(in.stream().map(Configuration::scenario).toList()),
        intervals,
        draws.all(),
        errors,
        heldOut,
        power,
        fit.stages());
  }
}
