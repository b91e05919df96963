package org.calando.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.calando.knob.Axis;
import org.calando.knob.DrivenKnobs;
import org.calando.knob.KnobAxis;
import org.calando.load.LoadResult;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.report.column.Column;
import org.calando.report.column.EnergyFigures;
import org.calando.report.column.LoadFigures;
import org.calando.report.column.MeterFigures;
import org.calando.report.column.PromiseColumns;
import org.calando.report.column.ResultColumns;
import org.calando.report.column.RunColumns;
import org.calando.report.column.RunRecord;
import org.calando.studyfile.StudySpec;
import org.calando.studyfile.workload.RateSpec;

/**
 * Completes the record of a run by what its study says, and makes its summary.json of it, which has
 * its row of results.csv.
 */
final class RunSummary {
  private static final int FORMAT = 1;

  private final StudySpec study;
  private final String engine;
  private final String profiles;
  private final int resumes;

  /**
   * Summaries of a study's runs.
   *
   * @param study the study
   * @param engine the engine's name
   * @param profiles names of the nodes' power profiles
   * @param resumes how often the study was resumed
   */
  RunSummary(StudySpec study, String engine, String profiles, int resumes) {
    this.study = study;
    this.engine = engine;
    this.profiles = profiles;
    this.resumes = resumes;
  }

  /** The summary of a run that could not be measured. */
  ObjectNode failed(RunConfig run, String message, Instant started, Instant finished) {
    RunRecord found = new RunRecord().fail(message);
    return summary(run, found, started, finished);
  }

  /**
   * The summary of a run that was measured, well or not.
   *
   * @param found what its {@link RunProcedure} found; it is completed
   */
  ObjectNode measured(RunConfig run, RunRecord found, Instant started, Instant finished) {
    found.find(LoadResult.class).map(RunSummary::load).ifPresent(found::add);
    Optional<MeterInfo> meter = found.find(MeterInfo.class);
    meter.map(this::meter).ifPresent(found::add);
    found
        .find(PhaseEnergy.class)
        .map(phase -> energy(phase, meter, isAboveIdle(run)))
        .ifPresent(found::add);
    run.promised(study).ifPresent(nanos -> found.give(PromiseColumns.PROMISED_MS, nanos / 1e6));
    return summary(run, found, started, finished);
  }

  private static LoadFigures load(LoadResult load) {
    Map<String, Histogram> latencies = new LinkedHashMap<>();
    load.histograms().forEach((measure, histogram) -> latencies.put(measure.label(), histogram));
    return new LoadFigures(
        load.operations(),
        load.errors(),
        load.measuredSeconds(),
        load.throughputPerSecond(),
        load.reads(),
        load.writes(),
        latencies);
  }

  private MeterFigures meter(MeterInfo info) {
    return new MeterFigures(
        info.id(), info.provenance(), info.scope(), info.resolution(), profiles);
  }

  private EnergyFigures energy(PhaseEnergy phase, Optional<MeterInfo> meter, boolean aboveIdle) {
    return new EnergyFigures(
        phase.energy(),
        meter.filter(info -> RunMeter.unusable(phase, info.renewalNanos()).isEmpty()).isPresent(),
        aboveIdle,
        phase.samplerCpuSeconds(),
        phase.samplerCpuSeconds() * study.power().profile().marginalJoulesPerCpuSecond(),
        study.power().pricing());
  }

  /** What all nodes draw idle is nothing to subtract where some of them were off meanwhile. */
  private boolean isAboveIdle(RunConfig run) {
    boolean chosen = run.gear().filter(choice -> !choice.isFixed()).isPresent();
    return study.store().isSimulated() || !chosen;
  }

  private void identify(RunConfig run, RunRecord record) {
    record
        .give(RunColumns.ID, run.id())
        .give(RunColumns.ENGINE, engine)
        .give(RunColumns.WORKLOAD, run.workload().label())
        .give(RunColumns.REPEAT, run.repeat())
        .give(RunColumns.NODES, study.store().nodes());
    DrivenKnobs.all().forEach(knob -> knob.identify(run.point(), record));
    RunKnobs.of(run).forEach(knob -> identify(run, knob, record));
    run.threads().ifPresent(threads -> record.give(RunColumns.THREADS, threads));
    run.rate()
        .ifPresent(
            rate -> {
              record.give(RunColumns.RATE, rate.label());
              if (rate instanceof RateSpec.Constant constant) {
                record.give(RunColumns.INTENDED_RATE, constant.perSecond());
              } else if (rate instanceof RateSpec.Poisson poisson) {
                record.give(RunColumns.INTENDED_RATE, poisson.perSecond());
              }
            });
  }

  /** Of the knobs that are found as services, what each was set to and its own. */
  private static List<Column> columns(RunConfig run) {
    return RunKnobs.of(run).stream()
        .flatMap(knob -> Stream.concat(Stream.of(knob.column()), knob.type().columns().stream()))
        .toList();
  }

  private static <V> void identify(RunConfig run, KnobAxis<V> knob, RunRecord record) {
    record.give(knob.column(), run.point().say(knob.axis(), Axis::label));
  }

  private ObjectNode summary(RunConfig run, RunRecord found, Instant started, Instant finished) {
    identify(run, found);
    if (!study.store().isSimulated()) {
      found.give(RunColumns.STARTED, started.toString()).give(RunColumns.RESUMES, resumes);
    }
    ObjectNode summary = StudyFolder.object();
    summary.put("version", FORMAT);
    summary.put("run", run.id());
    ResultColumns.row(found, columns(run)).forEach(summary.putObject("row")::put);
    summary.put("seed", run.seed());
    summary.put("started", started.toString());
    summary.put("finished", finished.toString());
    ArrayNode notes = summary.putArray("notes");
    found.notes().forEach(notes::add);
    ResultColumns.addParts(found, summary);
    return summary;
  }
}
