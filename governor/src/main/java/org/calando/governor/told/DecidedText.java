package org.calando.governor.told;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decisions as JSON, on the disk and in answers. Stateless. */
public final class DecidedText {
  static final String ID = "id";

  private DecidedText() {}

  /** A decision of a cluster. */
  public static ObjectNode node(String cluster, Decided decided) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put(ID, decided.id()).put("cluster", cluster).put("at", decided.at().toString());
    node.put("policy", decided.policy());
    decided.knobs().forEach(node.putArray("knobs")::add);
    decided.settings().forEach(node.putArray("settings")::add);
    decided.reasons().forEach(node.putArray("reasons")::add);
    node.put("barred", decided.barred().orElse(null));
    return node;
  }

  /** One that was written; empty if it is none. */
  static Optional<Decided> read(ObjectNode node) {
    try {
      return Optional.of(
          new Decided(
              node.path(ID).asLong(),
              Instant.parse(node.path("at").asText()),
              node.path("policy").asText(),
              texts(node.path("knobs")),
              texts(node.path("settings")),
              texts(node.path("reasons")),
              node.path("barred").isTextual()
                  ? Optional.of(node.path("barred").asText())
                  : Optional.empty()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
