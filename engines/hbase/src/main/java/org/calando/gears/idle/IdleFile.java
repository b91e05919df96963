package org.calando.gears.idle;

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
import java.util.SortedMap;
import java.util.TreeMap;
import org.calando.core.FailedWorkException;
import org.calando.gears.ReplacedFile;
import org.calando.gears.idle.IdleState.Left;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;

/** The state of nodes that sleep, on disk: read, and replaced as a whole. Stateless. */
final class IdleFile {
  private static final int VERSION = 1;
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private IdleFile() {}

  /**
   * Reads it; where there is none all nodes are awake.
   *
   * @throws FailedWorkException if it cannot be read, or has another format
   */
  static IdleState read(Path file) {
    if (!Files.exists(file)) {
      return IdleState.AWAKE;
    }
    try {
      JsonNode json = JSON.readTree(Files.readString(file));
      if (json.path("version").asInt() != VERSION) {
        throw new FailedWorkException(
            "does not tell of idle servers in version " + VERSION,
            file.toString(),
            "use the version of Calando that wrote it");
      }
      return new IdleState(
          sleepers(json.path("asleep")), shift(json.path("shift")), left(json.path("left")));
    } catch (JsonProcessingException e) {
      throw new FailedWorkException(
          "is not the state of idle servers: " + e.getOriginalMessage(),
          file.toString(),
          "restore it: it tells which regions go home where",
          e);
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be read: " + e.getMessage(), file.toString(), "see to its rights", e);
    }
  }

  private static List<Sleeper> sleepers(JsonNode array) {
    List<Sleeper> sleepers = new ArrayList<>();
    for (JsonNode each : array) {
      List<String> homes = new ArrayList<>();
      each.path("regions").forEach(region -> homes.add(region.asText()));
      sleepers.add(
          new Sleeper(each.path("node").asText(), homes, each.path("drained").asBoolean()));
    }
    return sleepers;
  }

  private static Left left(JsonNode json) {
    return new Left(sleepers(json.path("nodes")), json.path("balancer").asBoolean());
  }

  private static Optional<Shift> shift(JsonNode json) {
    if (!json.isObject()) {
      return Optional.empty();
    }
    SortedMap<String, Long> reports = new TreeMap<>();
    json.path("reports")
        .properties()
        .forEach(entry -> reports.put(entry.getKey(), entry.getValue().asLong()));
    return Optional.of(
        new Shift(
            sleepers(json.path("before")),
            sleepers(json.path("after")),
            reports,
            json.path("balancer").asBoolean()));
  }

  /**
   * Replaces it; it is on the disk on return.
   *
   * @throws FailedWorkException if it cannot be written
   */
  static void write(IdleState state, Path file) {
    ObjectNode json = JSON.createObjectNode().put("version", VERSION);
    json.set("asleep", json(state.asleep()));
    state
        .shift()
        .ifPresent(
            shift -> {
              ObjectNode each = json.putObject("shift");
              each.set("before", json(shift.before()));
              each.set("after", json(shift.after()));
              ObjectNode reports = each.putObject("reports");
              shift.reports().forEach(reports::put);
              each.put("balancer", shift.balancer());
            });
    ObjectNode left = json.putObject("left").put("balancer", state.left().balancer());
    left.set("nodes", json(state.left().nodes()));
    try {
      ReplacedFile.write(file, JSON.writeValueAsString(json) + "\n");
    } catch (IOException e) {
      throw new FailedWorkException(
          "cannot be written: " + e.getMessage(),
          file.toString(),
          "check that its folder has room and may be written",
          e);
    }
  }

  private static ArrayNode json(List<Sleeper> sleepers) {
    ArrayNode array = JSON.createArrayNode();
    for (Sleeper sleeper : sleepers) {
      ObjectNode each = array.addObject().put("node", sleeper.node());
      each.put("drained", sleeper.drained());
      ArrayNode regions = each.putArray("regions");
      sleeper.homes().forEach(regions::add);
    }
    return array;
  }
}
