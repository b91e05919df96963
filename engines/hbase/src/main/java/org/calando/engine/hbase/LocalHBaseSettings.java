package org.calando.engine.hbase;

import java.time.Duration;
import java.util.List;
import org.calando.kept.LocalSettings;
import org.calando.local.hbase.LocalHBaseConfig;
import org.calando.schema.ArgumentReader;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;

/** What {@code --set} of {@code local start hbase} may say. */
final class LocalHBaseSettings {
  private static final String NODES = "nodes";
  private static final String DATA_NODES = "data-nodes";
  private static final String PORT = "port";
  private static final String HEAP = "heap";
  private static final String SESSION_TIMEOUT = "session-timeout";
  private static final List<String> KEYS = List.of(NODES, DATA_NODES, PORT, HEAP, SESSION_TIMEOUT);

  private static final ScalarType<Integer> COUNT = Types.integer(1, LocalHBaseConfig.MAX_NODES);
  private static final ScalarType<Integer> PORTS = Types.integer(1024, 65_000);
  private static final ScalarType<Long> BYTES = Types.size(192L << 20, 32L << 30);
  private static final ScalarType<Long> SILENCE =
      Types.duration(Duration.ofSeconds(2).toNanos(), Duration.ofSeconds(90).toNanos());

  private LocalHBaseSettings() {}

  /**
   * The configuration, in which a name with a dot is a setting of HBase.
   *
   * @param settings each {@code KEY=VALUE}
   * @throws org.calando.core.BadRequestException naming everything that is wrong
   */
  static LocalHBaseConfig.Builder read(List<String> settings) {
    LocalHBaseConfig.Builder builder = LocalHBaseConfig.builder();
    ArgumentReader arguments =
        LocalSettings.read(settings, "HBase", KEYS, NODES + "=2", builder::setting);
    arguments.optional(NODES, COUNT).ifPresent(builder::nodes);
    arguments.optional(DATA_NODES, COUNT).ifPresent(builder::dataNodes);
    arguments.optional(PORT, PORTS).ifPresent(builder::basePort);
    arguments
        .optional(HEAP, BYTES)
        .ifPresent(bytes -> builder.nodeHeapMebibytes((int) (bytes >> 20)));
    arguments
        .optional(SESSION_TIMEOUT, SILENCE)
        .map(Duration::ofNanos)
        .ifPresent(builder::sessionTimeout);
    arguments.throwIfAny();
    return builder;
  }
}
