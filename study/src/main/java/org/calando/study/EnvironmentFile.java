package org.calando.study;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PStates;
import org.calando.core.energy.Provenance;
import org.calando.engine.Target;
import org.calando.knob.ManagedClocks;
import org.calando.power.MeterInfo;
import org.calando.power.schema.PowerSpec;
import org.calando.study.sim.SimulatedClusters;
import org.calando.studyfile.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * A study's {@code environment.json}: what a reader must know to believe and repeat the figures.
 * Not thread safe.
 */
final class EnvironmentFile {
  private static final int FORMAT = 1;
  private static final String RESUMED = "resumed at ";

  private final ObjectNode json;

  private EnvironmentFile(ObjectNode json) {
    this.json = json;
  }

  /**
   * The file of a study that starts or goes on.
   *
   * @param request the study
   * @param earlier what was recorded for the runs that are finished, or null without such runs
   * @param engine the engine and its version
   * @param nodes the cluster
   * @param meter how the cluster's energy is told
   * @param notes what a reader should know
   */
  static EnvironmentFile begin(
      StudyRunner.Request request,
      @Nullable ObjectNode earlier,
      String engine,
      List<Target.Node> nodes,
      MeterChoice meter,
      List<String> notes) {
    StudySpec study = request.study();
    String now = Instant.now().toString();
    ObjectNode json = StudyFolder.object();
    json.put("version", FORMAT);
    json.put("study", study.name());
    json.put("fingerprint", study.fingerprint());
    json.set("calando", HostEnvironment.calando());
    json.put("engine", engine);
    json.set("host", HostEnvironment.host());
    json.put("command", request.command());
    json.put("out", request.out().toString());
    json.put("allow_load", request.allowLoad());
    json.put("seed", study.seed());
    study.paper().ifPresent(paper -> json.put("paper", paper));
    json.put("started", earlier == null ? now : earlier.path("started").asText());
    if (study.setsClocks()) {
      json.set("clocks", clocks(study));
    }
    meter.info().ifPresent(info -> json.set("power", power(study.power(), meter, info)));
    ArrayNode list = json.putArray("nodes");
    nodes.forEach(node -> node(list.addObject(), node));
    Set<String> all = new LinkedHashSet<>();
    if (earlier != null) {
      earlier.path("notes").forEach(note -> all.add(note.asText()));
    }
    all.addAll(notes);
    if (earlier != null) {
      all.add(RESUMED + now + changes(earlier, json));
    }
    all.forEach(json.putArray("notes")::add);
    return new EnvironmentFile(json);
  }

  /** How often a study was resumed that has this file, if it has one. */
  static int resumes(@Nullable ObjectNode environment) {
    int resumes = 0;
    if (environment != null) {
      for (JsonNode note : environment.path("notes")) {
        resumes += note.asText().startsWith(RESUMED) ? 1 : 0;
      }
    }
    return resumes;
  }

  /** What the earlier runs were made with, where it differs from what the later ones are. */
  private static String changes(ObjectNode earlier, ObjectNode now) {
    StringBuilder text = new StringBuilder();
    for (String part : List.of("calando", "engine", "host", "nodes")) {
      JsonNode was = earlier.path(part);
      if (!was.toString().equals(now.path(part).toString())) {
        text.append("; until then ").append(part).append(" was ");
        text.append(was.isTextual() ? was.asText() : was.toString());
      }
    }
    return text.toString();
  }

  private static void node(ObjectNode entry, Target.Node node) {
    entry.put("name", node.name());
    entry.put("address", node.address());
    entry.put("rack", node.rack());
    entry.put("profile", node.profile().name());
  }

  /** The file of a study that is under way. */
  ObjectNode json() {
    return json;
  }

  /** The file of a study whose last run has ended. */
  ObjectNode finished() {
    return json.put("finished", Instant.now().toString());
  }

  /** How clocks are managed and their joules are modelled; not whose processors they are. */
  private static ObjectNode clocks(StudySpec study) {
    ManagedClocks clocks = study.clocks().orElse(ManagedClocks.SIMULATED);
    ObjectNode json = StudyFolder.object();
    json.put("core_watts", clocks.coreWatts());
    json.put("static_share", clocks.power().staticShare());
    json.put("lag_limit_bytes", clocks.limits().lagBytes());
    json.put("lag_limit_ms", clocks.limits().lagNanos() / 1e6);
    json.put("busy_limit", clocks.slack().busyShare());
    Optional<PStates> states =
        study.store().isSimulated() ? SimulatedClusters.states(study) : clocks.states();
    states.ifPresent(told -> states(json, told));
    return json;
  }

  private static void states(ObjectNode clocks, PStates states) {
    ArrayNode list = clocks.putArray("states");
    for (PStates.State state : states.states()) {
      list.addObject().put("ghz", state.ghz()).put("volts", state.volts());
    }
  }

  /** Adds whose processors are managed on a real cluster, and the machine's own states. */
  void addClocks(ClockBounds bounds) {
    ObjectNode clocks =
        json.get("clocks") instanceof ObjectNode told ? told : json.putObject("clocks");
    clocks.setAll(bounds.json());
    states(clocks, bounds.states());
  }

  private static ObjectNode power(PowerSpec spec, MeterChoice meter, MeterInfo info) {
    NodeProfile profile = spec.profile();
    ObjectNode power = StudyFolder.object();
    power.put("meter", info.id());
    power.put("provenance", info.provenance().name().toLowerCase(Locale.ROOT));
    power.put("scope", info.scope().name().toLowerCase(Locale.ROOT));
    power.put("resolution", info.resolution());
    power.put("cumulative", info.cumulative());
    info.instruments().forEach(power.putArray("instruments")::add);
    meter.reasons().forEach(power.putArray("reasons")::add);
    power.put("load_generator", meter.loadGeneratorInside() ? "inside" : "outside");
    power.put("interval_s", spec.intervalNanos() / 1e9);
    boolean simulated = info.provenance() == Provenance.SIMULATED;
    power.put("baseline_s", simulated ? 0 : spec.baselineNanos() / 1e9);
    ObjectNode entry = power.putObject("profile");
    entry.put("name", profile.name());
    entry.put("off_w", profile.offWatts());
    entry.put("idle_w", profile.idleWatts());
    entry.put("busy_w", profile.busyWatts());
    entry.put("cores", profile.cores());
    entry.put("cpu_scale", profile.cpuScale());
    entry.put("curve", profile.curve().describe());
    entry.put("boot_s", profile.bootSeconds());
    entry.put("boot_w", profile.bootWatts());
    entry.put("source", profile.source());
    pricing(power, spec.pricing());
    return power;
  }

  private static void pricing(ObjectNode power, EnergyPricing pricing) {
    if (!pricing.currency().isEmpty()) {
      power.put("price_per_kwh", pricing.pricePerKwh());
      power.put("currency", pricing.currency());
    }
    if (!Double.isNaN(pricing.carbonGramsPerKwh())) {
      power.put("carbon_intensity_g_per_kwh", pricing.carbonGramsPerKwh());
    }
    power.put("pue", pricing.pue());
  }
}
