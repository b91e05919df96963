package org.calando.study;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.power.ModelMeter;
import org.calando.study.config.StudySpec;
import org.jspecify.annotations.Nullable;

/**
 * A study's {@code environment.json}: what a reader must know to believe and repeat the figures.
 */
final class EnvironmentFile {
  private static final int FORMAT = 1;

  private final StudyRunner.Request request;
  private final @Nullable ObjectNode earlier;
  private ObjectNode environment = StudyFolder.object();

  /**
   * The file of a study that starts or goes on.
   *
   * @param request the study
   * @param earlier what its first start recorded, or null on the first start
   */
  EnvironmentFile(StudyRunner.Request request, @Nullable ObjectNode earlier) {
    this.request = request;
    this.earlier = earlier;
  }

  ObjectNode begin(String engine, List<Target.Node> nodes) {
    StudySpec study = request.study();
    environment = StudyFolder.object();
    environment.put("version", FORMAT);
    environment.put("study", study.name());
    environment.put("fingerprint", study.fingerprint());
    environment.set("calando", HostEnvironment.calando());
    environment.put("engine", engine);
    environment.set("host", HostEnvironment.host());
    environment.put("command", request.command());
    environment.put("seed", study.seed());
    environment.put(
        "started", earlier == null ? Instant.now().toString() : earlier.path("started").asText());
    if (RunMeter.available(nodes)) {
      environment.set("power", power(study.power().profile()));
    }
    ArrayNode list = environment.putArray("nodes");
    for (Target.Node node : nodes) {
      ObjectNode entry = list.addObject();
      entry.put("name", node.name());
      entry.put("address", node.address());
      entry.put("rack", node.rack());
      entry.put("profile", node.profile().name());
    }
    ArrayNode notes = environment.putArray("notes");
    if (earlier != null) {
      earlier.path("notes").forEach(notes::add);
      notes.add("resumed at " + Instant.now());
    }
    return environment;
  }

  ObjectNode finish(List<String> newNotes) {
    environment.put("finished", Instant.now().toString());
    newNotes.forEach(((ArrayNode) environment.path("notes"))::add);
    return environment;
  }

  private ObjectNode power(NodeProfile profile) {
    ObjectNode power = StudyFolder.object();
    power.put("meter", ModelMeter.ID);
    power.put("provenance", Provenance.MODELLED.name().toLowerCase(java.util.Locale.ROOT));
    power.put("scope", Scope.NODE.name().toLowerCase(java.util.Locale.ROOT));
    power.put(
        "resolution", "CPU time of each node's process in clock ticks (10 ms), read once a second");
    power.put("load_generator", "outside the figures");
    power.put("baseline_s", request.study().power().baselineNanos() / 1e9);
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
    return power;
  }
}
