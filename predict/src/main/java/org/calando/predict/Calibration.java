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

/**
 * Makes a profile of measured runs.
 *
 * <p>Stateless and thread safe. The same folders, options and seed give the same profile.
 */
public final class Calibration {
  /** Configurations below which a fit says nothing of its errors. */
  static final int LEAST_CONFIGURATIONS = 4;

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
   */
  public record Request(
      List<Path> folders, int fromRepeat, HoldOut holdOut, long seed, int operations) {
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
    Fit fit = Fit.of(in, request.operations(), progress);
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
          String.join(", ", request.folders().stream().map(Path::toString).toList()),
          "run studies with several mixes, levels and loads, or hold less out");
    }
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
    for (Quantity quantity : Quantity.fitted()) {
      if (Double.isFinite(fit.error(quantity))) {
        errors.put(quantity, fit.error(quantity));
      }
    }
    Map<Parameter, Interval> intervals = new EnumMap<>(Parameter.class);
    for (Parameter parameter : Parameter.all()) {
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
        power);
  }
}
