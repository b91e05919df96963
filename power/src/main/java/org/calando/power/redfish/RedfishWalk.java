package org.calando.power.redfish;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.calando.power.MeterException;
import org.calando.power.redfish.RedfishClient.Resource;

/**
 * Walks a service's links to what shows the power: root, chassis, and there what {@link
 * RedfishFigures} knows. Paths are the service's own; none is guessed. Not thread safe.
 */
final class RedfishWalk {
  private static final int MAX_CHASSIS = 100;

  private final RedfishSource source;
  private final RedfishClient client;
  private final long deadlineNanos;

  RedfishWalk(RedfishSource source, RedfishClient client, long deadlineNanos) {
    this.source = source;
    this.client = client;
    this.deadlineNanos = deadlineNanos;
  }

  /** A chassis that shows power. */
  private record Found(Resource chassis, RedfishPlan plan) {}

  /**
   * What to ask for each sample.
   *
   * @throws MeterException if nothing shows the power, or several things do
   */
  RedfishPlan find() throws MeterException, InterruptedException {
    String path = source.uri().getRawPath() == null ? "" : source.uri().getRawPath();
    boolean wholeService = path.isEmpty() || RedfishClient.root().startsWith(withSlash(path));
    return wholeService ? findChassis() : findAt(path);
  }

  private static String withSlash(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  private RedfishPlan findAt(String path) throws MeterException, InterruptedException {
    Resource resource = client.get(path, deadlineNanos);
    RedfishFigures figures = new RedfishFigures(client, deadlineNanos);
    return figures
        .find(resource)
        .orElseThrow(() -> nothing("this resource", figures))
        .withState(path);
  }

  private RedfishPlan findChassis() throws MeterException, InterruptedException {
    JsonNode root = client.get(RedfishClient.root(), deadlineNanos).json();
    String link =
        link(root, "Chassis")
            .orElseThrow(() -> problem("the service has no chassis", "use another meter"));
    List<Resource> all = members(client, link, MAX_CHASSIS, deadlineNanos);
    List<Resource> wanted = all.stream().filter(this::isWanted).toList();
    if (wanted.isEmpty()) {
      throw problem("there is no such chassis", "chassis it has: " + names(all));
    }
    List<Found> found = new ArrayList<>();
    RedfishFigures figures = new RedfishFigures(client, deadlineNanos);
    for (Resource chassis : wanted) {
      figures.find(chassis).ifPresent(plan -> found.add(new Found(chassis, plan)));
    }
    Found chosen = choose(found, figures);
    return chosen.plan().withState(chosen.chassis().path());
  }

  /** A chassis within another one is in that one's power. */
  private Found choose(List<Found> found, RedfishFigures figures) throws MeterException {
    List<String> paths = found.stream().map(each -> trimmed(each.chassis().path())).toList();
    List<Found> outer =
        found.stream()
            .filter(
                each ->
                    !paths.contains(
                        trimmed(each.chassis().json().at("/Links/ContainedBy/@odata.id").asText())))
            .toList();
    if (found.isEmpty()) {
      throw nothing("no chassis", figures);
    }
    if (outer.size() != 1) {
      throw problem(
          "several chassis show power",
          "set chassis to one of: " + names(found.stream().map(Found::chassis).toList()));
    }
    return outer.get(0);
  }

  private MeterException nothing(String what, RedfishFigures figures) {
    return figures.sawEmpty()
        ? problem(
            what + " shows power now: the readings are null",
            "wait until the controller measures; some do so only while the machine is on")
        : problem(
            what + " shows power or energy",
            "use another meter, or give url the path of the resource that shows it");
  }

  private MeterException problem(String what, String remedy) {
    return new MeterException(what, source.describe(), remedy);
  }

  private boolean isWanted(Resource chassis) {
    if (source.chassis().isEmpty()) {
      return true;
    }
    String wanted = source.chassis().get();
    return wanted.equalsIgnoreCase(name(chassis))
        || wanted.equalsIgnoreCase(chassis.json().path("Name").asText())
        || trimmed(wanted).equalsIgnoreCase(trimmed(chassis.path()));
  }

  private static String names(List<Resource> chassis) {
    return chassis.stream().map(RedfishWalk::name).limit(20).collect(Collectors.joining(", "));
  }

  private static String name(Resource chassis) {
    String path = trimmed(chassis.path());
    String id = chassis.json().path("Id").asText();
    return RedfishProblems.shorten(id.isEmpty() ? path.substring(path.lastIndexOf('/') + 1) : id);
  }

  private static String trimmed(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /** Where a property links to. */
  static Optional<String> link(JsonNode resource, String property) {
    JsonNode id = resource.path(property).path("@odata.id");
    return id.isTextual() && !id.asText().isEmpty() ? Optional.of(id.asText()) : Optional.empty();
  }

  /**
   * The resources of a collection, those that are there.
   *
   * @throws MeterException if one cannot be read
   */
  static List<Resource> members(
      RedfishClient client, String collection, int most, long deadlineNanos)
      throws MeterException, InterruptedException {
    List<Resource> members = new ArrayList<>();
    Optional<Resource> list = client.find(collection, deadlineNanos);
    if (list.isPresent()) {
      for (JsonNode member : list.get().json().path("Members")) {
        JsonNode id = member.path("@odata.id");
        if (id.isTextual() && members.size() < most) {
          client.find(id.asText(), deadlineNanos).ifPresent(members::add);
        }
      }
    }
    return members;
  }
}
