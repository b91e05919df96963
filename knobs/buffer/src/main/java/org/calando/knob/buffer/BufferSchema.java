package org.calando.knob.buffer;

import static org.calando.schema.Types.bool;
import static org.calando.schema.Types.choice;
import static org.calando.schema.Types.duration;
import static org.calando.schema.Types.longInteger;
import static org.calando.schema.Types.mapped;
import static org.calando.schema.Types.scalarOrMapping;
import static org.calando.schema.Types.size;
import static org.calando.schema.Types.written;

import java.util.LinkedHashMap;
import java.util.Map;
import org.calando.core.policy.buffer.BufferSetting;
import org.calando.core.policy.buffer.FreshPromise;
import org.calando.core.store.WriteBuffering;
import org.calando.schema.Key;
import org.calando.schema.ObjectType;
import org.calando.schema.ScalarType;
import org.calando.schema.Type;
import org.calando.schema.Units;

/** What an item of {@code matrix.write-buffer} may say. */
final class BufferSchema {
  private static final long LONGEST_NANOS = 3_600_000_000_000L;
  private static final long MOST_AT_RISK = 1_000_000_000L;

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
              duration(WriteBuffering.SHORTEST_DELAY_NANOS, LONGEST_NANOS),
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
              "Whether reads see writes of this machine's clients that have not been sent; not in"
                  + " the simulator.")
          .byDefault("false")
          .example("true");
  private static final ObjectType<BufferChoice> BUFFER =
      ObjectType.named("a buffer", "A buffer of deferred writes.")
          .keys(BYTES, DELAY, SHARED, OWN)
          .build(
              buffer ->
                  BufferChoice.fixed(
                      new BufferSetting(
                          buffer.get(BYTES), buffer.find(DELAY).orElse(BufferSetting.NO_DELAY)),
                      buffer.get(SHARED),
                      buffer.get(OWN)));
  private static final Key<BufferChoice> DEFERRED =
      Key.of(
              "deferred",
              scalarOrMapping(
                  mapped(size(1_000, WriteBuffering.MOST_BYTES), BufferSchema::deferred), BUFFER),
              "Writes are acknowledged when they are in a buffer of this size.")
          .example("12MB");

  private static final ScalarType<Long> FRESHNESS =
      duration(2 * WriteBuffering.SHORTEST_DELAY_NANOS, LONGEST_NANOS);
  private static final Key<Long> PROMISE =
      Key.of(
              "promise",
              FRESHNESS,
              "Time from the call of a write until others see it, at the 99th percentile.")
          .mandatory()
          .example("500ms");
  private static final Key<Long> AT_RISK =
      Key.of(
              "at-risk",
              longInteger(1, MOST_AT_RISK),
              "Maximum of writes that are acknowledged and not on the store; further ones"
                  + " wait. Without it any number.")
          .example("10000");
  private static final ObjectType<BufferChoice> FRESH_PARTS =
      ObjectType.named("a promise", "What is promised of deferred writes.")
          .keys(PROMISE, AT_RISK, OWN)
          .build(
              fresh ->
                  BufferChoice.fresh(
                      new FreshPromise(
                          fresh.get(PROMISE), fresh.find(AT_RISK).orElse(FreshPromise.ANY)),
                      fresh.get(OWN)));
  private static final Key<BufferChoice> FRESH =
      Key.of(
              "fresh",
              scalarOrMapping(mapped(FRESHNESS, BufferSchema::fresh), FRESH_PARTS),
              "Writes are deferred as far as this freshness allows, by a policy;"
                  + " decisions.csv of the run has its decisions.")
          .example("500ms");
  private static final ObjectType<BufferChoice> MAPPING =
      ObjectType.named("a way to send writes", "How writes that are not strong are sent.")
          .keys(DEFERRED, FRESH)
          .check(way -> way.requireExactlyOne(DEFERRED, FRESH))
          .build(way -> way.find(DEFERRED).or(() -> way.find(FRESH)).orElseThrow());

  /** An item. */
  static final Type<BufferChoice> TYPE =
      written(
          scalarOrMapping(
              choice("a way to send writes", Map.of("strong", BufferChoice.STRONG)), MAPPING),
          BufferSchema::plain);

  private BufferSchema() {}

  private static BufferChoice deferred(long bytes) {
    return BufferChoice.fixed(BufferSetting.deferred(bytes), false, false);
  }

  private static BufferChoice fresh(long nanos) {
    return BufferChoice.fresh(new FreshPromise(nanos, FreshPromise.ANY), false);
  }

  private static Object plain(BufferChoice way) {
    if (way.equals(BufferChoice.STRONG)) {
      return "strong";
    }
    return way.promise()
        .map(promise -> plainFresh(way, promise))
        .orElseGet(() -> plainDeferred(way));
  }

  private static Object plainFresh(BufferChoice way, FreshPromise promise) {
    Map<String, Object> fresh = new LinkedHashMap<>();
    fresh.put(PROMISE.name(), Units.formatNanos(promise.freshNanos()));
    if (promise.mostAtRisk() != FreshPromise.ANY) {
      fresh.put(AT_RISK.name(), promise.mostAtRisk());
    }
    if (way.readYourWrites()) {
      fresh.put(OWN.name(), true);
    }
    return Map.of(FRESH.name(), fresh);
  }

  private static Object plainDeferred(BufferChoice way) {
    Map<String, Object> buffer = new LinkedHashMap<>();
    buffer.put(BYTES.name(), Units.formatBytes(way.setting().bytes()));
    if (way.setting().delayNanos() != BufferSetting.NO_DELAY) {
      buffer.put(DELAY.name(), Units.formatNanos(way.setting().delayNanos()));
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
