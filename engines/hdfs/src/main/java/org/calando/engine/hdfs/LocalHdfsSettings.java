package org.calando.engine.hdfs;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.gears.GearSpec;
import org.calando.kept.LocalSettings;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.schema.ArgumentReader;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/**
 * What {@code --set} of {@code local start hdfs} may say.
 *
 * @param builder of the cluster
 * @param gears how blocks are laid out, if it has gears
 */
record LocalHdfsSettings(LocalHdfsConfig.Builder builder, Optional<GearSpec> gears) {
  private static final String NODES = "nodes";
  private static final String PORT = "port";
  private static final String DATA_DIR = "data-dir";
  private static final String DEAD_AFTER = "dead-after";
  private static final String JAR = "name-node-jar";
  private static final String GEARS = "gears";
  private static final String LAYOUT = "gear-layout";
  private static final String ORDER = "gear-order";
  private static final String PRIMARIES = "primaries";
  private static final String REPLICAS = "replicas";
  private static final String OFFLOAD = "offload";

  private static final List<String> KEYS =
      List.of(
          NODES,
          PORT,
          DATA_DIR,
          DEAD_AFTER,
          JAR,
          GEARS,
          LAYOUT,
          ORDER,
          PRIMARIES,
          REPLICAS,
          OFFLOAD);

  private static final ScalarType<Integer> COUNT = Types.integer(1, LocalHdfsConfig.MAX_NODES);
  private static final ScalarType<Integer> PORTS = Types.integer(1024, 65_000);
  private static final ScalarType<Long> SILENCE =
      Types.duration(Duration.ofSeconds(11).toNanos(), Duration.ofDays(1).toNanos());

  /**
   * The configuration, in which a name with a dot is a setting of HDFS.
   *
   * @param settings each {@code KEY=VALUE}
   * @throws BadRequestException naming everything that is wrong
   */
  static LocalHdfsSettings read(List<String> settings) {
    LocalHdfsConfig.Builder builder = LocalHdfsConfig.builder();
    ArgumentReader arguments =
        LocalSettings.read(settings, "HDFS", KEYS, NODES + "=7", builder::setting);
    arguments.optional(NODES, COUNT).ifPresent(builder::nodes);
    arguments.optional(PORT, PORTS).ifPresent(builder::basePort);
    arguments.optional(DEAD_AFTER, SILENCE).map(Duration::ofNanos).ifPresent(builder::deadAfter);
    if (arguments.has(DATA_DIR)) {
      builder.dataFolder(Path.of(arguments.text(DATA_DIR)));
    }
    if (arguments.has(JAR)) {
      builder.nameNodeJar(Path.of(arguments.text(JAR)));
    }
    Optional<GearSpec> gears = gears(arguments);
    gears.ifPresent(
        spec -> {
          int last = spec.gears().get(spec.gears().size() - 1);
          if (arguments.optional(NODES, COUNT).orElse(last) != last) {
            arguments.wrong(
                GEARS, "needs nodes=" + last, "leave nodes out, or make it the last of gears");
          }
          builder.nodes(last);
        });
    arguments.throwIfAny();
    return new LocalHdfsSettings(builder, gears);
  }

  private static Optional<GearSpec> gears(ArgumentReader arguments) {
    // Each by itself, so that everything that is wrong is told at once.
    String layout = word(arguments, LAYOUT, "rabbit", "paraid");
    String order = word(arguments, ORDER, "even", "per-file");
    String offload = word(arguments, OFFLOAD, "balanced", "random");
    if (!arguments.has(GEARS)) {
      for (String key : List.of(LAYOUT, ORDER, PRIMARIES, REPLICAS, OFFLOAD)) {
        if (arguments.has(key)) {
          arguments.wrong(key, "is valid only with gears", "add gears=3,7");
        }
      }
      return Optional.empty();
    }
    try {
      GearSpec spec =
          new GearSpec(
              layout,
              order,
              GearGroups.parse(arguments.text(GEARS).replaceAll("[\\[\\] ]", "")).sizes(),
              arguments.optional(PRIMARIES, COUNT).orElse(0),
              arguments.optional(REPLICAS, COUNT).orElse(2),
              offload,
              1);
      // Refuses what no cluster can have, before one is started.
      spec.check();
      return Optional.of(spec);
    } catch (BadRequestException e) {
      arguments.wrong(
          GEARS,
          "are none that a cluster can have: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "write nodes by gear, such as gears=3,7, with gear-layout=rabbit or paraid");
      return Optional.empty();
    }
  }

  /** One of two words; the first where none was given, or a wrong one. */
  private static String word(ArgumentReader arguments, String key, String usual, String other) {
    Map<String, String> words = new TreeMap<>(Map.of(usual, usual, other, other));
    return arguments.optional(key, Types.choice(usual + " or " + other, words)).orElse(usual);
  }
}
