package org.calando.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.store.DeferralFigures;
import org.calando.core.workload.Staleness;
import org.calando.engine.GearShift;
import org.calando.load.LoadResult;
import org.calando.load.Measure;
import org.calando.power.MeterInfo;
import org.calando.power.PhaseEnergy;
import org.calando.studyfile.BufferChoice;
import org.calando.studyfile.GearChoice;
import org.calando.studyfile.LevelPair;
import org.calando.studyfile.RateSpec;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/** Turns what a run found into its row of results.csv and its summary.json. */
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
    ResultRow row = identity(run).set("status", "failed").set("message", message);
    return summary(run, row, started, finished, List.of(message));
  }

  /** The summary of a run that was measured, well or not. */
  ObjectNode measured(RunConfig run, MeasuredRun found, Instant started, Instant finished) {
    ResultRow row = identity(run);
    load(row, found.load());
    staleness(row, found);
    found.energy().ifPresent(phase -> energy(row, run, found, phase));
    found.meter().ifPresent(info -> meter(row, info));
    levels(row, run, found);
    found.clocks().ifPresent(figures -> clocks(row, figures, found.load()));
    found.gears().ifPresent(figures -> gears(row, figures));
    found.files().ifPresent(figures -> files(row, figures, found));
    row.set("warm_up_s", found.warmUpSeconds());
    row.set("client_cpu_s", found.clientCpuSeconds());
    row.set("at_risk", found.atRisk());
    found.deferral().ifPresent(figures -> deferral(row, figures));
    found.lostHints().ifPresent(lost -> row.set("lost_hints", lost));
    PaidWork.set(row, found, run.promised(study).orElse(0));
    row.set("status", found.failure().isEmpty() ? "ok" : "failed");
    row.set("message", found.failure().orElse(""));
    List<String> notes = new ArrayList<>(found.notes());
    found.failure().ifPresent(failure -> notes.add(0, failure));
    ObjectNode summary = summary(run, row, started, finished, notes);
    if (found.files().isEmpty()) {
      summary.set("staleness", staleness(found));
    }
    found
        .gears()
        .filter(figures -> !figures.each().isEmpty())
        .ifPresent(figures -> summary.set("shifts", shifts(figures)));
    summary.set("latency", latencies(found.load()));
    found
        .energy()
        .ifPresent(
            phase -> summary.set("energy", energy(phase, found.meter().orElseThrow(), found)));
    return summary;
  }

  private ResultRow identity(RunConfig run) {
    ResultRow row =
        new ResultRow()
            .set("run", run.id())
            .set("engine", engine)
            .set("workload", run.workload().label())
            .set("consistency", run.levels().label())
            .set("read_level", run.levels().read().label())
            .set("write_level", isLevelled(run) ? run.levels().write().name() : "")
            .set("repeat", run.repeat())
            .set("layout", run.layoutLabel())
            .set("gear", run.gear().map(GearChoice::label).orElse(""))
            .set("clock", run.clock().orElse(""))
            .set("write_buffer", run.writeBuffer().map(BufferChoice::label).orElse(""))
            .set("nodes", study.store().nodes());
    run.levels()
        .policy()
        .ifPresent(
            policy ->
                row.set("policy", policy.kind().label()).set("tolerated", policy.tolerated()));
    run.threads().ifPresent(threads -> row.set("threads", threads));
    run.rate()
        .ifPresent(
            rate -> {
              row.set("rate", rate.label());
              if (rate instanceof RateSpec.Constant constant) {
                row.set("intended_rate", constant.perSecond());
              } else if (rate instanceof RateSpec.Poisson poisson) {
                row.set("intended_rate", poisson.perSecond());
              }
            });
    return row;
  }

  /** Whether the store has levels. */
  private static boolean isLevelled(RunConfig run) {
    return !run.levels().equals(LevelPair.NONE);
  }

  private static void load(ResultRow row, LoadResult load) {
    row.set("operations", load.operations());
    row.set("errors", load.errors());
    row.set("duration_s", load.measuredSeconds());
    row.set("throughput_ops_s", load.throughputPerSecond());
    percentiles(row, "read", load.reads());
    percentiles(row, "write", load.writes());
  }

  private static void percentiles(ResultRow row, String kind, Histogram histogram) {
    if (histogram.getTotalCount() > 0) {
      row.set(kind + "_mean_us", histogram.getMean() / 1e3);
      row.set(kind + "_p50_us", histogram.getValueAtPercentile(50) / 1e3);
      row.set(kind + "_p99_us", histogram.getValueAtPercentile(99) / 1e3);
    }
  }

  private static void staleness(ResultRow row, MeasuredRun found) {
    if (found.files().isPresent()) {
      return; // files are written once: there is nothing newer to be missed
    }
    Staleness staleness = found.staleness();
    row.set("reads", staleness.reads());
    row.set("stale_reads", staleness.staleReads());
    if (staleness.reads() > 0) {
      row.set("stale_rate", staleness.staleRate());
      row.set("stale_coverage", staleness.staleCoverage());
      row.set("ryw_violations", staleness.readYourWritesViolations());
      row.set("monotonic_violations", staleness.monotonicReadViolations());
    }
    if (staleness.staleReads() > 0 && staleness.ageNanos().count() > 0) {
      row.set("stale_p99_ms", staleness.ageNanos().p99() / 1e6);
      row.set("stale_max_versions", staleness.versionsBehind().max());
    }
    if (found.dual() != null) {
      row.set("dual_reads", found.dual().pairs());
      row.set("dual_stale_reads", found.dual().older());
      row.set("dual_stale_rate", (double) found.dual().older() / found.dual().pairs());
    }
  }

  private void levels(ResultRow row, RunConfig run, MeasuredRun found) {
    if (!isLevelled(run)) {
      return;
    }
    int replicas = study.store().placement().among(run.levels().write());
    run.levels().fixedRead().ifPresent(level -> row.set("mean_replicas", level.replicas(replicas)));
    found.levels().ifPresent(figures -> levels(row, figures));
  }

  private static void levels(ResultRow row, LevelFigures figures) {
    figures.meanReplicas().ifPresent(mean -> row.set("mean_replicas", mean));
    row.set("one_share", figures.shareAtOne());
    row.set("fallback_share", figures.shareAtFallback());
    row.set("decisions", figures.decisions());
    row.set("monitor_requests", figures.monitorRequests());
    row.set("monitor_cpu_s", figures.monitorCpuSeconds());
    row.set("harmony_one", figures.ofOne().harmony());
    row.set("exact_one", figures.ofOne().exact());
    row.set("pbs_one", figures.ofOne().pbs());
    row.set("harmony_rate", figures.ofChoice().harmony());
    row.set("exact_rate", figures.ofChoice().exact());
    row.set("pbs_rate", figures.ofChoice().pbs());
    row.set("canary_reads", figures.canaryReads());
    row.set("canary_stale", figures.canaryStale());
  }

  private static void clocks(ResultRow row, ClockFigures figures, LoadResult load) {
    row.set("clock_energy_i0_j", figures.busyOnly().joules());
    row.set("clock_energy_i1_j", figures.idleCharged().joules());
    row.set("clock_saving_i0", figures.busyOnly().saving());
    row.set("clock_saving_i1", figures.idleCharged().saving());
    double micros = 1e6 / (load.operations() - load.errors());
    row.set("master_cpu_us_op", figures.masterCpuSeconds() * micros);
    row.set("replica_cpu_us_op", figures.replicaCpuSeconds() * micros);
    row.set("lag_p50_bytes", figures.lag().p50Bytes());
    row.set("lag_max_bytes", figures.lag().maxBytes());
    row.set("lag_max_ms", figures.lag().maxNanos() / 1e6);
    row.set("manager_cpu_s", figures.managerCpuSeconds());
    row.set("manager_j", figures.managerJoules());
    row.set("clock_changes", figures.changes());
  }

  private static void gears(ResultRow row, GearFigures figures) {
    row.set("gear_shifts", figures.shifts());
    row.set("shift_energy_j", figures.shiftJoules());
    row.set("moved_bytes", figures.movedBytes());
    row.set("shift_s", figures.shiftSeconds());
  }

  private static void files(ResultRow row, FileFigures figures, MeasuredRun found) {
    row.set("read_bytes", figures.readBytes());
    row.set("written_bytes", figures.writtenBytes());
    if (figures.megabytes() > 0 && !found.energyIsUnusable()) {
      found
          .energy()
          .ifPresent(
              phase ->
                  row.set("joules_per_mb", phase.energy().grossJoules() / figures.megabytes()));
    }
  }

  private static ArrayNode shifts(GearFigures figures) {
    ArrayNode shifts = StudyFolder.object().putArray("shifts");
    for (GearShift shift : figures.each()) {
      ObjectNode entry = shifts.addObject();
      entry.put("from", shift.from());
      entry.put("to", shift.to());
      put(entry, "seconds", shift.seconds());
      put(entry, "catch_up_s", shift.catchUpSeconds());
      entry.put("moved_bytes", shift.movedBytes());
      entry.put("predicted_bytes", shift.predictedBytes());
      put(entry, "joules", shift.joules());
      entry.put("provenance", "modelled");
    }
    return shifts;
  }

  private static void deferral(ResultRow row, DeferralFigures figures) {
    if (figures.visible() > 0) {
      row.set("freshness_p50_ms", figures.freshness50Nanos() / 1e6);
      row.set("freshness_p99_ms", figures.freshness99Nanos() / 1e6);
      row.set("freshness_max_ms", figures.freshnessMaxNanos() / 1e6);
    }
    row.set("flushes", figures.flushes());
    row.set("at_risk_max", figures.mostAtRisk());
    row.set("lost_writes", figures.failed());
  }

  private static void meter(ResultRow row, MeterInfo info) {
    row.set("meter", info.id());
    row.set("provenance", lower(info.provenance()));
    row.set("power_scope", lower(info.scope()));
  }

  private void energy(ResultRow row, RunConfig run, MeasuredRun found, PhaseEnergy phase) {
    LoadResult load = found.load();
    EnergySummary energy = phase.energy();
    row.set("cpu_s", energy.cpuSeconds());
    row.set("cpu_cv", energy.cpuPercent().cv());
    row.set("cpu_max_min", energy.cpuPercent().maxMin());
    row.set("sampling_cpu_s", phase.samplerCpuSeconds());
    double joulesPerCpuSecond = study.power().profile().marginalJoulesPerCpuSecond();
    row.set("sampling_j", phase.samplerCpuSeconds() * joulesPerCpuSecond);
    if (found.energyIsUnusable()) {
      return; // joules of a part of the window would look like those of all of it
    }
    long succeeded = load.operations() - load.errors();
    row.set("energy_j", energy.grossJoules());
    row.set("energy_net_j", hasIdleOfAll(run, found) ? energy.netJoules() : Double.NaN);
    row.set("joules_per_kop", succeeded > 0 ? energy.grossJoules() / succeeded * 1e3 : Double.NaN);
    row.set("power_mean_w", energy.watts().mean() * energy.nodes().size());
    row.set("power_cv", energy.watts().cv());
    row.set("power_max_min", energy.watts().maxMin());
    EnergyPricing pricing = study.power().pricing();
    row.set("energy_kwh", EnergyPricing.kwh(energy.grossJoules()));
    row.set("cost", pricing.cost(energy.grossJoules()));
    row.set("co2e_g", pricing.co2eGrams(energy.grossJoules()));
  }

  /** What all nodes draw idle is nothing to subtract where some of them were off meanwhile. */
  private static boolean hasIdleOfAll(RunConfig run, MeasuredRun found) {
    boolean chosen =
        run.gear().filter(choice -> choice.kind() != GearChoice.Kind.FIXED).isPresent();
    return found.files().isEmpty() || !chosen;
  }

  private ObjectNode summary(
      RunConfig run, ResultRow row, Instant started, Instant finished, List<String> notes) {
    if (!study.store().isSimulated()) {
      row.set("started", started.toString()).set("resumes", resumes);
    }
    ObjectNode summary = StudyFolder.object();
    summary.put("version", FORMAT);
    summary.put("run", run.id());
    ObjectNode values = summary.putObject("row");
    row.values().forEach(values::put);
    summary.put("seed", run.seed());
    summary.put("started", started.toString());
    summary.put("finished", finished.toString());
    ArrayNode texts = summary.putArray("notes");
    notes.forEach(texts::add);
    return summary;
  }

  private static ObjectNode staleness(MeasuredRun found) {
    Staleness staleness = found.staleness();
    ObjectNode node = StudyFolder.object();
    node.put("reads", staleness.reads());
    node.put("stale_reads", staleness.staleReads());
    node.put("stale_rate", staleness.staleRate());
    node.set("versions_behind", distribution(staleness.versionsBehind(), 1));
    node.set("age_ms", distribution(staleness.ageNanos(), 1e6));
    node.put("coverage", staleness.staleCoverage());
    node.put("read_your_writes_violations", staleness.readYourWritesViolations());
    node.put("read_your_writes_coverage", staleness.readYourWritesCoverage());
    node.put("monotonic_read_violations", staleness.monotonicReadViolations());
    node.put("monotonic_read_coverage", staleness.monotonicReadCoverage());
    node.put("tracked_coverage", staleness.trackedCoverage());
    node.put("indeterminate_writes", staleness.indeterminateWrites());
    node.put("foreign_reads", staleness.foreignReads());
    if (found.dual() != null) {
      ObjectNode dual = node.putObject("dual_read");
      dual.put("pairs", found.dual().pairs());
      dual.put("differing", found.dual().mismatches());
      dual.put("first_older", found.dual().older());
    }
    return node;
  }

  private static ObjectNode distribution(Staleness.Distribution values, double unit) {
    ObjectNode node = StudyFolder.object();
    node.put("count", values.count());
    node.put("mean", values.mean() / unit);
    node.put("p50", values.p50() / unit);
    node.put("p99", values.p99() / unit);
    node.put("max", values.max() / unit);
    return node;
  }

  private static ObjectNode latencies(LoadResult load) {
    ObjectNode node = StudyFolder.object();
    for (Map.Entry<Measure, Histogram> entry : load.histograms().entrySet()) {
      Histogram histogram = entry.getValue();
      ObjectNode figures = node.putObject(entry.getKey().label());
      figures.put("count", histogram.getTotalCount());
      figures.put("mean_us", histogram.getMean() / 1e3);
      figures.put("p50_us", histogram.getValueAtPercentile(50) / 1e3);
      figures.put("p90_us", histogram.getValueAtPercentile(90) / 1e3);
      figures.put("p99_us", histogram.getValueAtPercentile(99) / 1e3);
      figures.put("p999_us", histogram.getValueAtPercentile(99.9) / 1e3);
      figures.put("max_us", histogram.getMaxValue() / 1e3);
    }
    return node;
  }

  private ObjectNode energy(PhaseEnergy phase, MeterInfo info, MeasuredRun found) {
    ObjectNode node = StudyFolder.object();
    node.put("meter", info.id());
    node.put("provenance", lower(info.provenance()));
    node.put("scope", lower(info.scope()));
    node.put("profile", profiles);
    node.put("resolution", info.resolution());
    node.put("coverage", phase.energy().coverage());
    put(node, "sampler_cpu_s", phase.samplerCpuSeconds());
    put(node, "client_cpu_s", found.clientCpuSeconds());
    ArrayNode nodes = node.putArray("nodes");
    for (NodeEnergy each : phase.energy().nodes()) {
      ObjectNode entry = nodes.addObject();
      entry.put("node", each.node());
      put(entry, "energy_j", each.grossJoules());
      put(entry, "energy_net_j", each.netJoules());
      put(entry, "power_mean_w", each.meanWatts());
      put(entry, "cpu_s", each.cpuSeconds());
      put(entry, "cpu_percent", each.cpuPercent());
      put(entry, "idle_w", each.baselineWatts());
    }
    return node;
  }

  private static void put(ObjectNode node, String key, double value) {
    node.put(key, Double.isFinite(value) ? (@Nullable Double) value : null);
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
