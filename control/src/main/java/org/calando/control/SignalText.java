package org.calando.control;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.calando.core.policy.Observation;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Signal;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.buffer.BufferObservation;
import org.calando.core.policy.clock.ClockObservation;
import org.calando.core.policy.gear.GearObservation;

/*
 * {"v":2,"at":..,"target":"..","signals":{"gears":{"at":..,"value":{..}}}}
 *
 * A value is a record, and written by the names of its components; an optional that is empty is left out. What is observed
 * of one table alone is written as by earlier versions, see ObservationText: it refers to the observation before.
 */
/**
 * Writes signals as JSON, and reads them; one after the other, as some refer to the one before. Not
 * thread safe.
 */
final class SignalText {
  private static final int VERSION = 2;
  private static final List<SignalId<?>> KNOWN =
      List.of(
          Observation.READS,
          GearObservation.GEARS,
          ClockObservation.CLOCKS,
          BufferObservation.WRITES);

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new Jdk8Module())
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .visibility(PropertyAccessor.GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
          .visibility(PropertyAccessor.FIELD, Visibility.ANY)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
          .build();

  private final Collection<SignalId<?>> ofKnobs;
  private final Map<String, ObservationText> writers = new HashMap<>();
  private final Map<String, ObservationText> readers = new HashMap<>();

  /** Signals of {@link #KNOWN} alone are read. */
  SignalText() {
    this(List.of());
  }

  /**
   * Others are read, too.
   *
   * @param ofKnobs those that controllers of knobs need
   */
  SignalText(Collection<SignalId<?>> ofKnobs) {
    this.ofKnobs = ofKnobs;
  }

  String write(Signals signals) {
    if (signals.byId().keySet().equals(Set.of(Observation.READS))) {
      return writers
          .computeIfAbsent(signals.target(), target -> new ObservationText())
          .write(signals.get(Observation.READS));
    }
    ObjectNode node =
        JSON.createObjectNode()
            .put("v", VERSION)
            .put("at", signals.atNanos())
            .put("target", signals.target());
    ObjectNode byName = node.putObject("signals");
    for (SignalId<?> id : all(signals.byId().keySet())) {
      Signal<?> signal = signals.byId().get(id);
      if (signal != null) {
        byName
            .putObject(id.name())
            .put("at", signal.atNanos())
            .set("value", value(signals.target(), signal.value()));
      }
    }
    return node.toString();
  }

  /** An observation of a table is written as by itself. */
  private JsonNode value(String target, Object value) {
    if (!(value instanceof Observation table)) {
      return JSON.valueToTree(value);
    }
    String text = writers.computeIfAbsent(target, unused -> new ObservationText()).write(table);
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(text, e);
    }
  }

  /** Signals that refer to one that was read before are none from here on. */
  void forget() {
    readers.clear();
  }

  /**
   * What {@link #write} wrote, in that order.
   *
   * @throws IllegalArgumentException if it is no such text, or of another version
   */
  Signals read(String text) {
    try {
      JsonNode node = JSON.readTree(text);
      if (node.path("v").asInt() != VERSION) {
        return readers
            .computeIfAbsent(node.path("target").asText(), target -> new ObservationText())
            .read(text)
            .signals();
      }
      Map<SignalId<?>, Signal<?>> byId = new HashMap<>();
      JsonNode byName = node.required("signals");
      for (SignalId<?> id : all(ofKnobs)) {
        if (byName.has(id.name())) {
          byId.put(
              id,
              id.equals(Observation.READS)
                  ? table(node.required("target").asText(), byName.path(id.name()))
                  : signal(id, byName.path(id.name())));
        }
      }
      return new Signals(node.required("at").longValue(), node.required("target").asText(), byId);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** The known ones in their order, then others by name. */
  private static List<SignalId<?>> all(Collection<SignalId<?>> others) {
    return Stream.concat(
            KNOWN.stream(),
            others.stream()
                .filter(id -> !KNOWN.contains(id))
                .distinct()
                .sorted(Comparator.comparing(SignalId::name)))
        .toList();
  }

  private Signal<Observation> table(String target, JsonNode node) {
    return new Signal<>(
        readers
            .computeIfAbsent(target, unused -> new ObservationText())
            .read(node.required("value").toString()),
        node.required("at").longValue());
  }

  private static <T> Signal<T> signal(SignalId<T> id, JsonNode node)
      throws JsonProcessingException {
    return new Signal<>(
        JSON.treeToValue(node.required("value"), id.type()), node.required("at").longValue());
  }

  /** Settings in one line: {@code gear cluster=2; clock n1=800000}. */
  static String settings(List<Setting<?>> settings) {
    return settings.stream()
        .map(each -> each.knob().name() + ' ' + each.target() + '=' + value(each.value()))
        .collect(Collectors.joining("; "));
  }

  private static String value(Object value) {
    return value instanceof Number ? value.toString() : JSON.valueToTree(value).toString();
  }
}
