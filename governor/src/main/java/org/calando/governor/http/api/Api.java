package org.calando.governor.http.api;

import static org.calando.governor.http.api.Shape.any;
import static org.calando.governor.http.api.Shape.bool;
import static org.calando.governor.http.api.Shape.named;
import static org.calando.governor.http.api.Shape.number;
import static org.calando.governor.http.api.Shape.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.governor.OperatorCall.What;
import org.calando.governor.http.api.Route.Parameter;
import org.calando.governor.http.api.Route.Reply;

/**
 * All routes of a governor and their documents, as they are answered and as OpenAPI 3.1 tells them.
 * Stateless.
 */
public final class Api {
  private static final String ROOT = "/api/v1";
  private static final String CLUSTER = ROOT + "/clusters/{cluster}";
  private static final String JSON = "application/json";
  private static final Reply HTML = new Reply("text/html", Optional.empty());
  private static final Reply TEXT = new Reply("text/plain", Optional.empty());
  private static final Parameter AFTER =
      new Parameter(
          "after",
          true,
          "With greater numbers only, the first of them; without it the last of all.");
  private static final Parameter LIMIT = new Parameter("limit", true, "So many at most.");
  private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");

  private static final String UNTIL =
      "A time in UTC, or a duration from now such as 30m or 2h; 168h at most.";

  private static final List<Route> ROUTES =
      List.of(
          told(ROOT + "/clusters", "All clusters.", json(Documents.CLUSTERS)),
          told(CLUSTER, "How a cluster stands.", json(Documents.CLUSTER)),
          new Route(
              "GET",
              CLUSTER + "/decisions",
              "Its decisions that changed something, the newest last.",
              List.of(AFTER, LIMIT, new Parameter("knob", false, "Decisions on this knob only.")),
              Optional.empty(),
              list(Documents.DECISION),
              Optional.empty()),
          told(
              CLUSTER + "/history",
              "The last 24 hours, a sample a minute, the newest last.",
              list(Documents.SAMPLE)),
          new Route(
              "GET",
              CLUSTER + "/report",
              "A report of one to seven days, as a page in one file.",
              List.of(
                  new Parameter("day", false, "The first day, such as 2026-11-27."),
                  new Parameter("days", true, "How many.")),
              Optional.empty(),
              HTML,
              Optional.empty()),
          told("/", "The page of all clusters; without a token.", HTML),
          new Route(
              "GET",
              ROOT + "/events",
              "Server-sent events: state, decision, gap and gone. Last-Event-ID replays decisions.",
              List.of(new Parameter("after", true, "Decisions with greater numbers are replayed.")),
              Optional.empty(),
              new Reply("text/event-stream", Optional.empty()),
              Optional.empty()),
          new Route(
              "GET",
              ROOT + "/audit",
              "Calls that changed something, or were refused for lack of right, which are at most"
                  + " half of the last; 404 where no orders are taken.",
              List.of(AFTER, LIMIT),
              Optional.empty(),
              list(Documents.AUDIT),
              Optional.empty()),
          told(ROOT + "/me", "Who asks, and what it may do.", json(Documents.ME)),
          told(
              ROOT + "/openapi.json",
              "This document.",
              new Reply(JSON, Optional.of(Shape.object("OpenAPI 3.1.").open().build()))),
          told("/healthz", "Whether it runs; without a token.", TEXT),
          told("/readyz", "Whether all is observed and controlled; 503 and why not.", TEXT),
          told("/metrics", "For Prometheus.", TEXT),
          new Route(
              "POST",
              CLUSTER + "/sessions",
              "Takes the report of an application's session.",
              List.of(),
              Optional.empty(),
              TEXT,
              Optional.empty()),
          changing(
              CLUSTER + "/pause",
              "Nothing of it is set; policies decide on.",
              What.PAUSE,
              Documents.call().maybe("until", Documents.until(), UNTIL)),
          changing(CLUSTER + "/resume", "Its knobs are set again.", What.RESUME, Documents.call()),
          changing(
              CLUSTER + "/knobs/{knob}/hold",
              "A knob is held at a value.",
              What.HOLD,
              Documents.call()
                  .key("value", any(text(), number(), bool()), "As files write it.")
                  .key("until", Documents.until(), UNTIL)),
          changing(
              CLUSTER + "/knobs/{knob}/resume",
              "A knob is set as is decided again.",
              What.RELEASE,
              Documents.call()),
          changing(
              CLUSTER + "/plans/{knob}/undo",
              "A plan under way is taken back; the knob stays as it is then, for an hour.",
              What.UNDO,
              Documents.call().maybe("until", Documents.until(), UNTIL)),
          changing(
              CLUSTER + "/promise",
              "A promise is judged by a stricter limit than the file's, or by the file's again.",
              What.PROMISE,
              Documents.call()
                  .key("promise", text(), "Such as stale.")
                  .key(
                      "limit",
                      any(number(), text()).orNull(),
                      "A number in the unit of the state, or as files write it; null for the"
                          + " file's.")
                  .maybe("until", Documents.until(), UNTIL)));

  private Api() {}

  private static Reply json(String document) {
    return new Reply(JSON, Optional.of(named(document)));
  }

  private static Reply list(String document) {
    return new Reply(JSON, Optional.of(named(document).list()));
  }

  private static Route told(String path, String doc, Reply answer) {
    return new Route("GET", path, doc, List.of(), Optional.empty(), answer, Optional.empty());
  }

  private static Route changing(String path, String doc, What what, Shape.Builder body) {
    return new Route(
        "POST",
        path,
        doc + " An operator's token is needed.",
        List.of(),
        Optional.of(body.build()),
        json(Documents.CHANGED),
        Optional.of(what));
  }

  /** All routes. */
  public static List<Route> routes() {
    return ROUTES;
  }

  /** The route that changes something at a path; empty if there is none. */
  public static Optional<Route> changing(String path) {
    return ROUTES.stream()
        .filter(route -> route.what().isPresent() && route.names(path).isPresent())
        .findFirst();
  }

  /**
   * The OpenAPI document.
   *
   * @param isStrict whether its documents refuse keys that are not declared, for tests; clients are
   *     to ignore such keys
   */
  public static ObjectNode document(boolean isStrict) {
    ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "Calando's governor")
        .put("version", "1")
        .put("description", "Further keys may be added to documents; ignore those.");
    ObjectNode paths = document.putObject("paths");
    ROUTES.forEach(route -> add(route, paths, isStrict));
    ObjectNode components = document.putObject("components");
    ObjectNode schemas = components.putObject("schemas");
    Documents.all().forEach((name, shape) -> schemas.set(name, shape.schema(isStrict)));
    components
        .putObject("securitySchemes")
        .putObject("token")
        .put("type", "http")
        .put("scheme", "bearer");
    return document;
  }

  private static void add(Route route, ObjectNode paths, boolean isStrict) {
    ObjectNode path =
        paths.has(route.path())
            ? (ObjectNode) paths.get(route.path())
            : paths.putObject(route.path());
    ObjectNode operation = path.putObject(route.method().equals("GET") ? "get" : "post");
    operation.put("summary", route.doc());
    ArrayNode parameters = operation.putArray("parameters");
    Matcher names = NAME.matcher(route.path());
    while (names.find()) {
      parameter(parameters, names.group(1), "path", "string", "As in the file.")
          .put("required", true);
    }
    for (Parameter each : route.query()) {
      parameter(
          parameters, each.name(), "query", each.isNumber() ? "integer" : "string", each.doc());
    }
    route
        .body()
        .ifPresent(
            shape ->
                content(
                    operation.putObject("requestBody").put("required", true),
                    JSON,
                    Optional.of(shape),
                    isStrict));
    ObjectNode responses = operation.putObject("responses");
    content(
        responses.putObject("200").put("description", "Done."),
        route.answer().type(),
        route.answer().shape(),
        isStrict);
    boolean changes = route.what().isPresent();
    if (changes) {
      operation.putArray("security").addObject().putArray("token");
    }
    content(
        responses.putObject("default").put("description", "Refused: the status says how."),
        changes ? JSON : "text/plain",
        changes ? Optional.of(named(Documents.REFUSED)) : Optional.empty(),
        isStrict);
  }

  private static ObjectNode parameter(
      ArrayNode parameters, String name, String in, String type, String doc) {
    ObjectNode parameter = parameters.addObject().put("name", name).put("in", in);
    parameter.put("description", doc).putObject("schema").put("type", type);
    return parameter;
  }

  private static void content(ObjectNode of, String type, Optional<Shape> shape, boolean isStrict) {
    ObjectNode content = of.putObject("content").putObject(type);
    content.set(
        "schema",
        shape
            .map(each -> each.schema(isStrict))
            .orElseGet(() -> JsonNodeFactory.instance.objectNode().put("type", "string")));
  }
}
