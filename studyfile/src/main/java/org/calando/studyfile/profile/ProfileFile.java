package org.calando.studyfile.profile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.layout.WarmShare;
import org.calando.schema.Binding;
import org.calando.schema.Bound;
import org.calando.schema.CanonicalYaml;
import org.calando.schema.Problems;
import org.calando.schema.Refusal;
import org.calando.schema.TextFiles;
import org.calando.schema.Tree;
import org.calando.schema.Units;
import org.calando.schema.YamlTree;

/** Profiles as YAML files. Stateless and thread safe. */
public final class ProfileFile {
  private static final String REMEDY = "name a profile that ./calando calibrate wrote";

  private ProfileFile() {}

  /**
   * Reads a profile.
   *
   * @throws BadRequestException naming all that is wrong with it
   */
  public static CalibrationProfile read(Path file) {
    try {
      return parse(TextFiles.read(file), file.toString());
    } catch (Refusal refusal) {
      throw new BadRequestException("the profile " + refusal.what(), file.toString(), REMEDY);
    }
  }

  /**
   * Reads a profile's text.
   *
   * @param source the file's name for messages
   * @throws BadRequestException naming all that is wrong with it
   */
  public static CalibrationProfile parse(String text, String source) {
    Problems problems = new Problems();
    Optional<Tree> tree = YamlTree.parse(text, source, problems);
    problems.throwIfAny();
    Bound<CalibrationProfile> bound =
        ProfileType.TYPE.bind(tree.orElseThrow(), new Binding(problems, "", Path.of("")));
    problems.throwIfAny();
    if (bound == null) {
      throw new IllegalStateException("neither a profile nor a problem: " + source);
    }
    return bound.value();
  }

  /**
   * Writes a profile, so that the file is whole or as it was.
   *
   * @throws FailedWorkException if it cannot be written
   */
  public static void write(CalibrationProfile profile, Path file) {
    Path aside = file.resolveSibling(file.getFileName() + ".new");
    try {
      Path parent = file.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      Files.writeString(aside, text(profile), StandardCharsets.UTF_8);
      Files.move(aside, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new FailedWorkException(
          "the profile cannot be written: " + e, file.toString(), "name another file");
    }
  }

  /** The text of a profile. */
  public static String text(CalibrationProfile profile) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("version", (long) CalibrationProfile.VERSION);
    root.put("origin", origin(profile.origin()));
    root.put("cluster", cluster(profile.cluster()));
    Map<String, Object> parameters = new LinkedHashMap<>();
    for (Parameter parameter : Parameter.all()) {
      Interval interval = profile.parameters().get(parameter);
      if (interval != null) {
        parameters.put(parameter.key(), interval(interval));
      }
    }
    root.put("parameters", parameters);
    profile.stages().ifPresent(threads -> root.put("stages", stages(threads, profile)));
    List<Parameter> drawn = Parameter.of(profile.stages());
    root.put("draws", profile.draws().stream().map(draw -> draw(draw, drawn)).toList());
    root.put("fitted-on", range(profile.range()));
    Map<String, Object> errors = new LinkedHashMap<>();
    for (Quantity quantity : Quantity.fitted(true)) {
      Double error = profile.fitErrors().get(quantity);
      if (error != null) {
        errors.put(quantity.key(), rounded(error));
      }
    }
    root.put("fit-error", errors);
    profile.heldOut().ifPresent(heldOut -> root.put("held-out", heldOut(heldOut)));
    root.put("power", power(profile.power()));
    return CanonicalYaml.write(root);
  }

  private static Map<String, Object> origin(CalibrationProfile.Origin origin) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("studies", origin.studies());
    map.put("started", origin.started().isEmpty() ? "unknown" : origin.started());
    map.put("machine", origin.machine().isEmpty() ? "unknown" : origin.machine());
    map.put("runs", (long) origin.runs());
    map.put("configurations", (long) origin.configurations());
    return map;
  }

  private static Map<String, Object> cluster(ClusterShape cluster) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("nodes", (long) cluster.nodes());
    map.put("racks", (long) cluster.racks());
    map.put("rf", (long) cluster.replicationFactor());
    cluster.layout().map(WarmShare::label).ifPresent(label -> map.put("layout", label));
    map.put("cores", (long) cluster.cores());
    map.put("shared-machine", cluster.sharedMachine());
    map.put(
        "link-delay",
        cluster.delayNanos().stream()
            .map(row -> row.stream().map(Units::formatNanos).toList())
            .toList());
    return map;
  }

  private static Map<String, Object> interval(Interval interval) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("value", rounded(interval.value()));
    map.put("low", rounded(interval.low()));
    map.put("high", rounded(interval.high()));
    return map;
  }

  private static Map<String, Object> stages(StageThreads threads, CalibrationProfile profile) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("version", (long) CalibrationProfile.STAGES_VERSION);
    Map<String, Object> counts = new LinkedHashMap<>();
    for (int i = 0; i < StageThreads.KEYS.size(); i++) {
      counts.put(StageThreads.KEYS.get(i), (long) threads.list().get(i));
    }
    map.put("threads", counts);
    for (Parameter parameter : Parameter.of(profile.stages())) {
      Interval interval = profile.parameters().get(parameter);
      if (interval != null && !parameter.fittedTo().isEmpty()) {
        Map<String, Object> fitted = interval(interval);
        fitted.put("fitted-to", parameter.fittedTo().stream().map(Quantity::key).toList());
        map.put(parameter.key(), fitted);
      }
    }
    return map;
  }

  private static List<Double> draw(Parameters draw, List<Parameter> drawn) {
    return drawn.stream().map(parameter -> rounded(draw.get(parameter))).toList();
  }

  private static Map<String, Object> range(FittedRange range) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("read-share", bounds(range.readShare()));
    map.put("threads", bounds(range.threads()));
    map.put("rate", bounds(range.perSecond()));
    map.put("read-replicas", bounds(range.readReplicas()));
    map.put("write-replicas", bounds(range.writeReplicas()));
    map.put("records", bounds(range.records()));
    map.put("link-delay-ms", bounds(range.delayMillis()));
    map.put("popularity", range.popularities());
    return map;
  }

  private static List<Double> bounds(FittedRange.Bounds bounds) {
    return List.of(rounded(bounds.from()), rounded(bounds.to()));
  }

  private static Map<String, Object> heldOut(HeldOut heldOut) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("how", heldOut.how());
    map.put("configurations", (long) heldOut.configurations());
    map.put("watts-measured", heldOut.wattsMeasured());
    for (Quantity quantity : Quantity.judged(true)) {
      HeldOut.Spread error = heldOut.errors().get(quantity);
      if (error != null) {
        map.put(quantity.key(), List.of(rounded(error.mean()), rounded(error.worst())));
      }
    }
    return map;
  }

  private static Map<String, Object> power(NodeProfile power) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", power.name());
    map.put("off", rounded(power.offWatts()));
    map.put("idle", rounded(power.idleWatts()));
    map.put("busy", rounded(power.busyWatts()));
    map.put("cores", (long) power.cores());
    map.put("cpu-scale", rounded(power.cpuScale()));
    if (power.curve() instanceof PowerCurve.Points points) {
      map.put("curve", points.watts());
    } else if (power.curve() instanceof PowerCurve.PowerLaw law) {
      map.put("exponent", rounded(law.exponent()));
    }
    map.put("boot-seconds", rounded(power.bootSeconds()));
    map.put("boot-watts", rounded(power.bootWatts()));
    map.put("source", power.source());
    return map;
  }

  private static double rounded(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("a profile holds numbers only, and this is " + value);
    }
    return Double.parseDouble(String.format(Locale.ROOT, "%.6g", value));
  }
}
