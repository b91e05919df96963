package org.calando.gears.rack;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.control.file.AtomicFiles;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.rack.KeptCopies;
import org.calando.core.layout.rack.RackNode;
import org.calando.gears.rack.RackState.Kept;
import org.calando.gears.rack.RackState.Known;
import org.calando.gears.rack.RackState.Shift;

/** The state of a cluster's racks on disk: read, and replaced as a whole. Stateless. */
final class RackFile {
  private static final int VERSION = 1;
  private static final String REMEDY =
      "restore it: it says which nodes are off, and since when their writes are kept elsewhere";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private RackFile() {}

  /**
   * Reads it; where there is none all racks are on.
   *
   * @throws FailedWorkException if it cannot be read, or has another format
   */
  static RackState read(Path file) {
    if (!Files.exists(file)) {
      return RackState.ALL_ON;
    }
    try {
      JsonNode json = JSON.readTree(Files.readString(file));
      if (json.path("version").asInt() != VERSION) {
        throw new FailedWorkException(
            "is no state of racks in version " + VERSION,
            file.toString(),
            "use the version of Calando that wrote it");
      }
      JsonNode shift = json.path("shift");
      return new RackState(
          setting(json.path("off")),
          shift.isObject()
              ? Optional.of(
                  new Shift(
                      setting(shift.path("before")),
                      setting(shift.path("after")),
                      shift.path("proved").asBoolean(),
                      starts(shift.path("started_ms")),
                      texts(shift.path("without"))))
              : Optional.empty(),
          nodes(json.path("nodes")),
          kept(json.path("kept")),
          json.path("since_ms").asLong(),
          keeps(json.path("keeps")),
          tables(json.path("tables")));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new FailedWorkException(
          "is no state of racks: " + e.getMessage(), file.toString(), REMEDY, e);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + AtomicFiles.reason(e), file.toString(), REMEDY, e);
    }
  }

  private static SortedMap<String, Long> starts(JsonNode object) {
    SortedMap<String, Long> starts = new TreeMap<>();
    object.properties().forEach(each -> starts.put(each.getKey(), each.getValue().asLong()));
    return starts;
  }

  private static Optional<SortedSet<String>> tables(JsonNode array) {
    return array.isArray() ? Optional.of(texts(array)) : Optional.empty();
  }

  private static SortedSet<String> texts(JsonNode array) {
    SortedSet<String> texts = new TreeSet<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  /** Where nothing tells, no more than a copy is relied on. */
  private static KeptCopies keeps(JsonNode object) {
    if (object.isMissingNode()) {
      return new KeptCopies(OptionalInt.of(1), 0);
    }
    JsonNode copies = object.path("copies");
    return new KeptCopies(
        copies.isInt() ? OptionalInt.of(copies.asInt()) : OptionalInt.empty(),
        object.path("survive").asInt(),
        object.path("least").asInt());
  }

  private static RackSetting setting(JsonNode text) {
    return RackSetting.parse(text.asText());
  }

  private static List<Known> nodes(JsonNode array) {
    List<Known> nodes = new ArrayList<>();
    for (JsonNode each : array) {
      nodes.add(
          new Known(
              new RackNode(
                  each.path("name").asText(),
                  each.path("datacenter").asText(),
                  each.path("rack").asText()),
              each.path("host_id").asText()));
    }
    return nodes;
  }

  private static SortedMap<String, Kept> kept(JsonNode object) {
    SortedMap<String, Kept> kept = new TreeMap<>();
    object
        .properties()
        .forEach(
            entry ->
                kept.put(
                    entry.getKey(),
                    new Kept(
                        entry.getValue().path("hint_window_ms").asInt(),
                        entry.getValue().path("hints_most_mib").asInt(),
                        texts(entry.getValue().path("repairs")),
                        entry.getValue().path("started_ms").asLong(),
                        entry.getValue().path("up_ms").asLong(),
                        entry.getValue().path("hints_failed").asLong(),
                        entry.getValue().path("hints_not_kept").asLong(),
                        entry.getValue().path("hints_waiting").asLong())));
    return kept;
  }

  /**
   * Replaces it; it is on the disk on return.
   *
   * @throws FailedWorkException if it cannot be written
   */
  static void write(RackState state, Path file) {
    ObjectNode json = JSON.createObjectNode().put("version", VERSION);
    json.put("off", state.setting().text()).put("since_ms", state.sinceMillis());
    ObjectNode keeps = json.putObject("keeps");
    state.keeps().copies().ifPresent(copies -> keeps.put("copies", copies));
    keeps.put("survive", state.keeps().survive()).put("least", state.keeps().least());
    state
        .shift()
        .ifPresent(
            shift -> {
              ObjectNode noted = json.putObject("shift").put("before", shift.before().text());
              noted.put("after", shift.after().text()).put("proved", shift.proved());
              ObjectNode starts = noted.putObject("started_ms");
              shift.starts().forEach(starts::put);
              shift.without().forEach(noted.putArray("without")::add);
            });
    state
        .tables()
        .ifPresent(
            ids -> {
              ArrayNode tables = json.putArray("tables");
              ids.forEach(tables::add);
            });
    ArrayNode nodes = json.putArray("nodes");
    for (Known each : state.nodes()) {
      nodes
          .addObject()
          .put("name", each.node().name())
          .put("datacenter", each.node().dataCentre())
          .put("rack", each.node().rack())
          .put("host_id", each.hostId());
    }
    ObjectNode kept = json.putObject("kept");
    state
        .kept()
        .forEach(
            (name, node) -> {
              ObjectNode noted = kept.putObject(name);
              noted
                  .put("hint_window_ms", node.windowMillis())
                  .put("hints_most_mib", node.mostMebibytes())
                  .put("started_ms", node.startMillis())
                  .put("up_ms", node.upMillis())
                  .put("hints_failed", node.failed())
                  .put("hints_not_kept", node.notKept())
                  .put("hints_waiting", node.waiting());
              new TreeSet<>(node.repairs()).forEach(noted.putArray("repairs")::add);
            });
    try {
      AtomicFiles.write(file, JSON.writeValueAsString(json) + "\n");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
