package org.calando.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.BadRequestException;
import org.calando.local.hdfs.LocalHdfsConfig;
import org.calando.study.config.schema.ScalarType;
import org.calando.study.config.schema.Types;

/** What {@code --set} of {@code local start hdfs} may say. */
final class LocalHdfsSettings {
  private static final String NODES = "nodes";
  private static final String PORT = "port";
  private static final String DATA_DIR = "data-dir";
  private static final String DEAD_AFTER = "dead-after";
  private static final String JAR = "name-node-jar";

  private static final ScalarType<Integer> COUNT = Types.integer(1, LocalHdfsConfig.MAX_NODES);
  private static final ScalarType<Integer> PORTS = Types.integer(1024, 65_000);
  private static final ScalarType<Long> SILENCE =
      Types.duration(Duration.ofSeconds(11).toNanos(), Duration.ofDays(1).toNanos());

  private LocalHdfsSettings() {}

  /**
   * The configuration, in which a name with a dot is a setting of HDFS.
   *
   * @param settings each {@code KEY=VALUE}
   * @throws BadRequestException naming everything that is wrong
   */
  static LocalHdfsConfig.Builder read(List<String> settings) {
    LocalHdfsConfig.Builder builder = LocalHdfsConfig.builder();
    ArgumentReader arguments = new ArgumentReader();
    for (Map.Entry<String, String> entry : entries(settings, arguments).entrySet()) {
      String key = entry.getKey();
      switch (key) {
        case NODES, PORT, DATA_DIR, DEAD_AFTER, JAR -> arguments.put(key, entry.getValue());
        default -> {
          if (key.indexOf('.') > 0) {
            builder.setting(key, entry.getValue());
          } else {
            arguments.wrong(
                key,
                "is no setting of a local HDFS",
                "use nodes, port, data-dir, dead-after, name-node-jar, or a name of HDFS's own");
          }
        }
      }
    }
    arguments.optional(NODES, COUNT).ifPresent(builder::nodes);
    arguments.optional(PORT, PORTS).ifPresent(builder::basePort);
    arguments.optional(DEAD_AFTER, SILENCE).map(Duration::ofNanos).ifPresent(builder::deadAfter);
    if (arguments.has(DATA_DIR)) {
      builder.dataFolder(Path.of(arguments.text(DATA_DIR)));
    }
    if (arguments.has(JAR)) {
      builder.nameNodeJar(Path.of(arguments.text(JAR)));
    }
    arguments.throwIfAny();
    return builder;
  }

  private static Map<String, String> entries(List<String> settings, ArgumentReader arguments) {
    Map<String, String> entries = new TreeMap<>();
    for (String setting : settings) {
      int equals = setting.indexOf('=');
      if (equals < 1) {
        arguments.wrong(setting, "is no setting", "write KEY=VALUE, such as nodes=7");
      } else {
        entries.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return entries;
  }
}
