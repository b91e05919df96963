package org.calando.governor.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.calando.control.order.KnobOrders;
import org.calando.governor.ClusterState;
import org.calando.governor.GovernorService;
import org.calando.governor.OrderText;
import org.calando.governor.sessions.ClusterSessions;
import org.calando.governor.told.DecidedText;
import org.calando.knob.GearSchema;
import org.jspecify.annotations.Nullable;

/** The state of a governor as JSON. What is not known is null. Thread safe. */
final class StateJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Duration P99_WINDOW = Duration.ofMinutes(1);

  private final GovernorService service;

  StateJson(GovernorService service) {
    this.service = service;
  }

  /** All clusters. */
  String clusters() {
    ObjectNode all = JSON.createObjectNode().put("begun", service.begun().toString());
    OwnCost cost = OwnCost.now();
    ObjectNode own = all.putObject("own_cost");
    put(own, "cpu_seconds", cost.cpuSeconds());
    put(own, "resident_bytes", cost.residentBytes());
    ArrayNode clusters = all.putArray("clusters");
    service.states().forEach(state -> clusters.add(node(state)));
    return text(all);
  }

  /** A cluster; empty if there is none of that name. */
  Optional<String> cluster(String name) {
    return service.states().stream()
        .filter(state -> state.name().equals(name))
        .findFirst()
        .map(state -> text(node(state)));
  }

  /** All clusters by their names, in the file's order. */
  Map<String, ObjectNode> each() {
    Map<String, ObjectNode> all = new LinkedHashMap<>();
    service.states().forEach(state -> all.put(state.name(), node(state)));
    return all;
  }

  /**
   * Decisions on a cluster, the newest last; empty if there is no such cluster.
   *
   * @param after with greater numbers only; below 0 for all
   * @param knob on this knob only; empty for all
   * @param most so many: the first after a number, the last where that is below 0
   */
  Optional<String> decisions(String name, long after, Optional<String> knob, int most) {
    if (service.states().stream().noneMatch(state -> state.name().equals(name))) {
      return Optional.empty();
    }
    ArrayNode all = JSON.createArrayNode();
    service
        .notes()
        .decisions()
        .of(name, after, each -> knob.map(each.knobs()::contains).orElse(true), most)
        .forEach(decided -> all.add(DecidedText.node(name, decided)));
    return Optional.of(text(all));
  }

  /** Clusters of which not all is done that is to be, a line each; empty if there are none. */
  String notReady() {
    return service.states().stream()
        .filter(state -> !state.isReady())
        .map(state -> state.name() + ": " + why(state) + "\n")
        .collect(Collectors.joining());
  }

  private static String why(ClusterState state) {
    return state
        .control()
        .filter(part -> part.problem().isPresent())
        .or(
            () ->
                state
                    .promises()
                    .map(ClusterState.Promises::part)
                    .filter(part -> state.observing().works()))
        .orElse(state.observing())
        .problem()
        .orElse("not yet");
  }

  private ObjectNode node(ClusterState state) {
    ObjectNode node = JSON.createObjectNode();
    node.put("name", state.name()).put("engine", state.engine());
    node.put("mode", state.control().isPresent() ? "control" : "observe");
    node.put("works", state.works());
    node.set("paused", paused(state.orders()));
    node.set("observing", part(state.observing()));
    node.set("control", state.control().map(StateJson::part).orElse(null));
    ArrayNode knobs = node.putArray("knobs");
    state.knobs().forEach(knob -> knobs.add(ordered(knob)));
    ArrayNode plans = node.putArray("plans");
    state.orders().plans().forEach((knob, plan) -> plans.add(plan(knob, plan, state.orders())));
    node.set("considered", state.considered().map(StateJson::considered).orElse(null));
    node.set("figures", FiguresJson.node(state.figures(), service.pricing(state.name())));
    node.set(
        "promises",
        state
            .promises()
            .map(all -> PromiseJson.node(all, word -> service.canChangePromise(state.name(), word)))
            .orElse(null));
    node.set("sessions", service.sessions(state.name()).map(StateJson::sessions).orElse(null));
    return node;
  }

  private static ObjectNode sessions(ClusterSessions sessions) {
    ObjectNode node = JSON.createObjectNode().put("governed", sessions.sessions());
    node.put("problem", sessions.problem().orElse(null)).put("reads", sessions.reads().total());
    return node.put(
        "read_p99_ms", sessions.readP99(P99_WINDOW).map(time -> time.toNanos() / 1e6).orElse(null));
  }

  static ObjectNode part(ClusterState.Part part) {
    return JSON.createObjectNode()
        .put("works", part.works())
        .put("since", part.since().toString())
        .put("problem", part.problem().orElse(null))
        .put("failures", part.failures());
  }

  private static ObjectNode knob(ClusterState.Knob knob) {
    ObjectNode node = JSON.createObjectNode();
    node.put("knob", knob.knob()).put("target", knob.target()).put("choice", knob.choice());
    node.put("value", knob.value().orElse(null)).put("since", knob.since().toString());
    node.put("decisions", knob.decisions());
    knob.reasons().forEach(node.putArray("reasons")::add);
    node.set("paused", knob.paused().map(StateJson::paused).orElse(null));
    return node;
  }

  private static @Nullable ObjectNode paused(ClusterState.Orders orders) {
    return orders
        .pause()
        .map(pause -> OrderText.node(pause).put("barred", orders.barred()))
        .orElse(null);
  }

  private static ObjectNode ordered(ClusterState.Knob knob) {
    ClusterState.Order order = knob.order();
    ObjectNode node = knob(knob).put("in_force", order.inForce().orElse(null));
    node.set(
        "held",
        order
            .held()
            .map(held -> OrderText.held(held).put("problem", order.problem().orElse(null)))
            .orElse(null));
    return node.put("barred", order.barred().orElse(null)).put("can_hold", order.canHold());
  }

  private static ObjectNode plan(
      String knob, KnobOrders.OpenPlan plan, ClusterState.Orders orders) {
    ObjectNode node = JSON.createObjectNode();
    ArrayNode lines = node.putArray("lines");
    if (knob.equals(GearSchema.AXIS.name())) {
      orders.shiftLines().forEach(lines::add);
    }
    return node.put("knob", knob)
        .put("what", plan.what())
        .put("under_way", plan.underWay())
        .put("can_undo", plan.canUndo())
        .put("undoing", plan.undoing());
  }

  private static ObjectNode paused(ClusterState.Paused paused) {
    return JSON.createObjectNode()
        .put("reason", paused.reason())
        .put("until", paused.until().toString());
  }

  private static ObjectNode considered(ClusterState.Considered considered) {
    ObjectNode node = JSON.createObjectNode();
    node.set("deciding", part(considered.part()));
    ArrayNode knobs = node.putArray("knobs");
    for (ClusterState.Knob each : considered.knobs()) {
      ObjectNode one = knob(each);
      put(one, "saves_w", each.savesWatts());
      knobs.add(one);
    }
    return node;
  }

  static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  static void put(ObjectNode node, String name, OptionalDouble value) {
    if (value.isPresent()) {
      node.put(name, value.getAsDouble());
    } else {
      node.putNull(name);
    }
  }

  private static String text(Object node) {
    return node + "\n";
  }
}
