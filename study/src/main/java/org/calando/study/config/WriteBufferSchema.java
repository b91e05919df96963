package org.calando.study.config;

import static org.calando.study.config.schema.Types.bool;
import static org.calando.study.config.schema.Types.choice;
import static org.calando.study.config.schema.Types.duration;
import static org.calando.study.config.schema.Types.mapped;
import static org.calando.study.config.schema.Types.scalarOrMapping;
import static org.calando.study.config.schema.Types.size;
import static org.calando.study.config.schema.Types.written;

import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.store.hbase.WriteBuffering;
import org.calando.study.config.schema.Key;
import org.calando.study.config.schema.ObjectType;
import org.calando.study.config.schema.Type;
import org.calando.study.config.schema.Units;

/** What an item of {@code matrix.write-buffer} may say. */
final class WriteBufferSchema {
  private static final Key<Long> BYTES =
      Key.of(
              "bytes",
              size(1_000, WriteBuffering.MOST_BYTES),
              "Size of a buffer, as HBase's client counts it; a full one is sent.")
          .mandatory()
          .example("12MB");
  private static final Key<Long> DELAY =
      Key.of(
              "delay",
              duration(WriteBuffering.SHORTEST_DELAY_NANOS, 3_600_000_000_000L),
              "Age of the oldest write at which a buffer is sent, full or not; without it any.")
          .example("100ms");
  private static final Key<Boolean> SHARED =
      Key.of(
              "shared",
              bool(),
              "Whether all clients fill one buffer; otherwise each operation that may be under way"
                  + " has its own.")
          .byDefault("false")
          .example("true");
  private static final Key<Boolean> OWN =
      Key.of(
              "read-your-writes",
              bool(),
              "Whether reads see writes of this machine's clients that have not been sent.")
          .byDefault("false")
          .example("true");
  private static final ObjectType<WriteBuffering> BUFFER =
      ObjectType.named("a buffer", "A buffer of deferred writes.")
          .keys(BYTES, DELAY, SHARED, OWN)
          .build(
              buffer ->
                  new WriteBuffering(
                      buffer.get(BYTES),
                      buffer.find(DELAY).orElse(WriteBuffering.NEVER),
                      buffer.get(SHARED),
                      buffer.get(OWN)));
  private static final Key<WriteBuffering> DEFERRED =
      Key.of(
              "deferred",
              scalarOrMapping(
                  mapped(size(1_000, WriteBuffering.MOST_BYTES), WriteBuffering::deferred), BUFFER),
              "Writes are acknowledged when they are in a buffer of this size.")
          .mandatory()
          .example("12MB");
  private static final ObjectType<WriteBuffering> MAPPING =
      ObjectType.named("a way to send writes", "How writes that are not strong are sent.")
          .keys(DEFERRED)
          .build(way -> way.get(DEFERRED));

  /** An item. */
  static final Type<WriteBuffering> TYPE =
      written(
          scalarOrMapping(
              choice("a way to send writes", Map.of("strong", WriteBuffering.STRONG)), MAPPING),
          WriteBufferSchema::plain);

  private WriteBufferSchema() {}

  private static Object plain(WriteBuffering way) {
    if (way.isStrong()) {
      return "strong";
    }
    Map<String, Object> buffer = new LinkedHashMap<>();
    buffer.put(BYTES.name(), Units.formatBytes(way.bytes()));
    if (way.delayNanos() != WriteBuffering.NEVER) {
      buffer.put(DELAY.name(), Units.formatNanos(way.delayNanos()));
    }
    if (way.shared()) {
      buffer.put(SHARED.name(), true);
    }
    if (way.readYourWrites()) {
      buffer.put(OWN.name(), true);
    }
    return Map.of(DEFERRED.name(), buffer);
  }
}
