package org.calando.power.redfish;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.calando.power.MeterException;
import org.calando.power.redfish.RedfishClient.Resource;

/**
 * The action that resets a resource, as the resource describes it.
 *
 * @param target where it is posted
 * @param types the values of ResetType that it takes; empty if it does not tell
 */
record RedfishReset(String target, List<String> types) {
  private static final String PARAMETER = "ResetType";
  private static final String ALLOWED = "@Redfish.AllowableValues";

  RedfishReset {
    types = List.copyOf(types);
  }

  /** The action of a resource; what it takes is in it, or in the ActionInfo that it links to. */
  static RedfishReset of(RedfishClient client, Resource resource, String action, long deadlineNanos)
      throws MeterException, InterruptedException {
    JsonNode described = resource.json().path("Actions").path(action);
    String target = described.path("target").asText();
    if (target.isEmpty()) {
      throw new MeterException(
          "the service does not let this user switch the machine",
          resource.path(),
          "give the user the role Operator, or use another switch");
    }
    List<String> types = texts(described.path(PARAMETER + ALLOWED));
    JsonNode info = described.path("@Redfish.ActionInfo");
    if (types.isEmpty() && info.isTextual()) {
      Optional<Resource> found = client.find(info.asText(), deadlineNanos);
      if (found.isPresent()) {
        types = ofParameter(found.get().json());
      }
    }
    return new RedfishReset(target, types);
  }

  private static List<String> ofParameter(JsonNode info) {
    for (JsonNode parameter : info.path("Parameters")) {
      if (parameter.path("Name").asText().equals(PARAMETER)) {
        return texts(parameter.path("AllowableValues"));
      }
    }
    return List.of();
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(item -> texts.add(item.asText()));
    return texts;
  }

  /** Posts it. */
  void order(RedfishClient client, String type, long deadlineNanos)
      throws MeterException, InterruptedException {
    if (!types.isEmpty() && !types.contains(type)) {
      throw new MeterException(
          "the system has no reset of type " + type,
          target,
          "it has " + RedfishProblems.shorten(String.join(", ", types)) + "; use another switch");
    }
    client.post(target, Map.of(PARAMETER, type), deadlineNanos);
  }
}
