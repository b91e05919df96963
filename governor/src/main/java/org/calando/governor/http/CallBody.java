package org.calando.governor.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import org.calando.governor.Operators;
import org.calando.governor.order.RefusedOrderException;
import org.calando.governor.order.RefusedOrderException.Why;
import org.calando.schema.Refusal;
import org.calando.schema.Tree;
import org.calando.schema.Types;
import org.calando.schema.Where;

/** What a call that changes something says, in JSON. Immutable and thread safe. */
final class CallBody {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final ObjectNode body;

  private CallBody(ObjectNode body) {
    this.body = body;
  }

  /**
   * Reads it.
   *
   * @param known its keys
   * @throws RefusedOrderException if it is none
   */
  static CallBody read(String text, Set<String> known) {
    JsonNode json;
    try {
      json = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw wrong("the body is no JSON: " + e.getOriginalMessage(), "send an object");
    }
    if (!(json instanceof ObjectNode body)) {
      throw wrong("the body is no object", "send one, such as {\"reason\": \"..\"}");
    }
    Iterator<String> names = body.fieldNames();
    while (names.hasNext()) {
      String name = names.next();
      if (!known.contains(name)) {
        throw wrong("the body has an unknown key " + name, "write only " + sorted(known));
      }
    }
    return new CallBody(body);
  }

  private static String sorted(Set<String> known) {
    return String.join(", ", known.stream().sorted().toList());
  }

  private static RefusedOrderException wrong(String problem, String remedy) {
    return new RefusedOrderException(Why.WRONG, problem, remedy);
  }

  /** A text; empty if it is not there. */
  String text(String name) {
    JsonNode value = body.path(name);
    if (!value.isMissingNode() && !value.isTextual()) {
      throw wrong(name + " is no text", "write it in quotes");
    }
    return value.asText("");
  }

  /** Whether nothing is changed, as is unless the body says otherwise. */
  boolean isDryRun() {
    JsonNode value = body.path("dry_run");
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw wrong("dry_run is neither true nor false", "write false to change something");
    }
    return value.asBoolean(true);
  }

  /** A text, a number, true or false; empty for null, or if it is not there. */
  Optional<String> scalar(String name) {
    JsonNode value = body.path(name);
    if (value.isContainerNode()) {
      throw wrong(name + " is no single value", "write a text or a number");
    }
    return value.isNull() || value.isMissingNode()
        ? Optional.empty()
        : Optional.of(value.isNumber() ? value.decimalValue().toPlainString() : value.asText());
  }

  /** Whether a key is there, also with null. */
  boolean has(String name) {
    return body.has(name);
  }

  /**
   * A time, or a duration from now.
   *
   * @param now the time
   */
  Optional<Instant> until(Instant now) {
    String text = text("until");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.of(now.plus(duration(text)));
    }
  }

  private static Duration duration(String text) {
    try {
      return Duration.ofNanos(
          Types.duration(1, Operators.LONGEST.toNanos())
              .parse(new Tree.Scalar(Where.argument(text), text, false)));
    } catch (Refusal e) {
      throw wrong(
          "until is neither a time in UTC nor a duration of 168h at most: " + text,
          "write one such as 2026-12-24T18:00:00Z, or 2h");
    }
  }
}
