package org.calando.toy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.calando.governor.page.PageRoute;
import org.calando.http.Listening;
import org.calando.http.server.Answer;
import org.calando.http.server.AnswerSink;
import org.calando.http.server.Call;
import org.calando.http.server.HttpService;

/** The governor's page over documents that were recorded: what no toy cluster has at once. */
final class PageFixture implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ObjectNode recorded;
  private final List<AnswerSink> viewers = new CopyOnWriteArrayList<>();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final Queue<JsonNode> posts = new ConcurrentLinkedQueue<>();
  private final Queue<String> reported = new ConcurrentLinkedQueue<>();
  private volatile int auditStatus = 200;
  private int day = 27;
  private HttpService http;

  PageFixture() throws IOException {
    try (InputStream in = PageFixture.class.getResourceAsStream("governor-page.json")) {
      this.recorded = (ObjectNode) JSON.readTree(in);
    }
    this.http = listen(0);
  }

  private HttpService listen(int port) {
    return HttpService.listenLater(
        Listening.plain("127.0.0.1", port), call -> CompletableFuture.completedStage(answer(call)));
  }

  URI address() {
    return URI.create(http.address() + "/");
  }

  /** Ids that viewers have named when they connected, empty where they named none. */
  List<String> named() {
    return seen;
  }

  /** What was ordered, the first first. */
  Queue<JsonNode> posts() {
    return posts;
  }

  /** The governor ends. */
  void end() {
    viewers.forEach(AnswerSink::close);
    viewers.clear();
    http.close();
  }

  /** It begins again where it listened, and has decided meanwhile. */
  void beginAgain(int port, int decisions) {
    decide(decisions);
    http = listen(port);
  }

  /** So much was decided while nobody listened to it. */
  void decide(int decisions) {
    for (int i = 0; i < decisions; i++) {
      decide();
    }
  }

  /**
   * Another begins where it listened, whose files are gone: its ids begin anew, a day after those
   * before.
   */
  void beginAnew(int port, int decisions) {
    day++;
    ArrayNode all = recorded.withArray("decisions");
    ObjectNode one = all.get(0).deepCopy();
    all.removeAll();
    for (int id = 1; id <= decisions; id++) {
      String at = "2026-11-%02dT10:00:%02dZ".formatted(day, id);
      all.add(one.deepCopy().put("id", id).put("at", at));
    }
    http = listen(port);
  }

  /** The first decisions are not kept any more. */
  void forget(int decisions) {
    for (int i = 0; i < decisions; i++) {
      recorded.withArray("decisions").remove(0);
    }
  }

  /** A knob of the first cluster, to be changed before a page asks. */
  ObjectNode knob(String name) {
    return part("/states/0/knobs", "knob", name);
  }

  /** A promise of it, likewise. */
  ObjectNode promise(String name) {
    return part("/states/0/promises/states", "promise", name);
  }

  private ObjectNode part(String path, String key, String name) {
    for (JsonNode each : recorded.at(path)) {
      if (each.path(key).asText().equals(name)) {
        return (ObjectNode) each;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** So many calls were made besides, the newest of all. */
  void calls(int more) {
    ArrayNode all = recorded.withArray("audit");
    ObjectNode one = (ObjectNode) all.get(all.size() - 1);
    for (int i = 0; i < more; i++) {
      all.add(one.deepCopy().put("id", one.path("id").asInt() + 1 + i));
    }
  }

  /** Whoever asks for the audit is answered so from now on. */
  void audit(int status) {
    auditStatus = status;
  }

  /** No other cluster was ever called for. */
  void onlyCallsOf(String cluster) {
    Iterator<JsonNode> all = recorded.withArray("audit").iterator();
    while (all.hasNext()) {
      if (!all.next().path("cluster").asText().equals(cluster)) {
        all.remove();
      }
    }
  }

  /** Reports that were asked for, the first first. */
  Queue<String> reported() {
    return reported;
  }

  private void decide() {
    ArrayNode all = recorded.withArray("decisions");
    ObjectNode next = all.get(all.size() - 1).deepCopy();
    next.put("id", all.get(all.size() - 1).path("id").asInt() + 1);
    all.add(next);
  }

  private Answer answer(Call call) {
    if (call.path().equals("/api/v1/events")) {
      return events(call.header("last-event-id").orElse(""));
    }
    if (!call.reads()) {
      return order(call);
    }
    if (call.path().equals("/api/v1/me")) {
      return Answer.json(
          "{\"who\": null, \"role\": null, \"may_change\": false, \"why_not\": null}");
    }
    if (call.path().equals("/api/v1/audit")) {
      return auditStatus == 200
          ? Answer.json(recorded.path("audit").toString())
          : Answer.text(auditStatus, "no\n");
    }
    if (call.path().endsWith("/report")) {
      reported.add(call.path() + call.query());
      return new Answer(200, "text/html; charset=utf-8", "<!DOCTYPE html>");
    }
    String part = call.path().replaceAll(".*/", "");
    boolean shop = call.path().contains("/shop/");
    return recorded.has(part)
        ? Answer.json(shop ? recorded.path(part).toString() : "[]")
        : PageRoute.answer(call.path()).orElseGet(() -> Answer.text(404, "no\n"));
  }

  private Answer events(String last) {
    seen.add(last);
    StringBuilder begin = new StringBuilder("retry: 2000\n\n");
    recorded
        .path("states")
        .forEach(state -> begin.append("event: state\ndata: ").append(state).append("\n\n"));
    JsonNode all = recorded.path("decisions");
    int after = last.isEmpty() ? 0 : Integer.parseInt(last);
    int first = all.get(0).path("id").asInt();
    int newest = all.get(all.size() - 1).path("id").asInt();
    if (after > newest) {
      begin.append(gap(after, newest));
    } else if (!last.isEmpty() && first > after + 1) {
      begin.append(gap(after, first - 1));
    }
    for (JsonNode row : all) {
      if (!last.isEmpty() && row.path("id").asInt() > Integer.parseInt(last)) {
        begin.append("event: decision\nid: ").append(row.path("id").asInt());
        begin.append("\ndata: ").append(row).append("\n\n");
      }
    }
    return Answer.goingOn("text/event-stream", begin.toString(), viewers::add);
  }

  private static String gap(int after, int to) {
    return "event: gap\ndata: {\"after\": %d, \"to\": %d}\n\n".formatted(after, to);
  }

  /** Tells all viewers that a promise of a cluster is kept, or is not. */
  void keeps(String promise, boolean kept) {
    JsonNode state = recorded.path("states").get(0);
    for (JsonNode each : state.at("/promises/states")) {
      if (each.path("promise").asText().equals(promise)) {
        ((ObjectNode) each).put("kept", kept);
      }
    }
    viewers.forEach(sink -> sink.write("event: state\ndata: " + state + "\n\n", taken -> {}));
  }

  private Answer order(Call call) {
    try {
      JsonNode body = JSON.readTree(call.body());
      posts.add(body);
      ObjectNode answer = JSON.createObjectNode();
      answer.put("dry_run", body.path("dry_run").asBoolean()).put("cluster", "shop");
      answer.put("what", "hold gear").putObject("before").put("value", "2").putNull("held");
      ObjectNode after = answer.putObject("after").put("value", "2");
      after.putObject("held").put("value", body.path("value").asText()).put("who", "ann");
      answer.putArray("steps").add("gear 2 stays");
      return Answer.json(answer.put("request", "9f2c").toString());
    } catch (IOException e) {
      return Answer.json(400, "{\"status\": 400, \"problem\": \"is no JSON\"}");
    }
  }

  @Override
  public void close() {
    end();
  }

  /** All ids that were decided. */
  List<Integer> ids() {
    List<Integer> ids = new ArrayList<>();
    recorded.path("decisions").forEach(row -> ids.add(row.path("id").asInt()));
    return ids;
  }

  /** What HTTP answers for a path, by a header each. */
  static Map<String, String> policy() {
    return PageRoute.answer("/").orElseThrow().headers();
  }
}
