package org.calando.governor.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.governor.GovernorService;
import org.calando.governor.audit.AuditLog;
import org.calando.governor.http.api.Api;
import org.calando.governor.http.events.Viewers;
import org.calando.governor.page.PageRoute;
import org.calando.http.Listening;
import org.calando.http.Tokens;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;
import org.calando.http.server.HttpService;

/**
 * What a governor answers over HTTP; but for operators' orders it only reads snapshots, so no
 * request delays a decision.
 */
public final class GovernorHttp {
  private static final Pattern DECISIONS =
      Pattern.compile("/api/v1/clusters/([a-z0-9-]+)/decisions");
  private static final int MOST_ROWS = 1000;

  private final GovernorService service;
  private final StateJson json;
  private final Metrics metrics;
  private final SessionsRoute sessions;
  private final ChangeRoutes changes;
  private final Viewers viewers;
  private final HistoryRoute history;

  private GovernorHttp(GovernorService service) {
    this.service = service;
    this.json = new StateJson(service);
    this.sessions = new SessionsRoute(service);
    this.changes = new ChangeRoutes(service);
    this.history = new HistoryRoute(service);
    this.viewers = new Viewers(service.notes().decisions(), json::each);
    this.metrics = new Metrics(service, viewers::size);
  }

  /**
   * Listens.
   *
   * @throws BadRequestException if the port is taken, or a file is not what it should be
   * @throws FailedWorkException if it cannot listen for another reason
   */
  public static HttpService listen(Listening where, GovernorService service) {
    GovernorHttp http = new GovernorHttp(service);
    boolean listens = false;
    try {
      HttpService listening =
          HttpService.listenLater(
              where,
              http::answerLater,
              new HttpService.Fronts(
                  PageRoute.paths(), http.changes::refusedBefore, http.viewers::close));
      listens = true;
      return listening;
    } finally {
      if (!listens) {
        http.viewers.close();
      }
    }
  }

  private CompletionStage<Answer> answerLater(Call call) {
    return sessions.answer(call).orElseGet(() -> CompletableFuture.completedStage(answer(call)));
  }

  private Answer answer(Call call) {
    Optional<Answer> changed = changes.answer(call);
    if (changed.isPresent()) {
      return changed.get();
    }
    if (!call.reads()) {
      return Answer.text(405, "only GET and HEAD\n");
    }
    try {
      return read(call);
    } catch (IllegalArgumentException e) {
      return Answer.text(400, e.getMessage() + "\n");
    }
  }

  private Answer read(Call call) {
    return switch (call.path()) {
      case "/metrics" -> metrics(call);
      case "/healthz" -> alive();
      case "/readyz" -> ready();
      case "/api/v1/clusters" -> Answer.json(json.clusters());
      case "/api/v1/events" -> viewers.answer(call);
      case "/api/v1/audit" -> audit(call);
      case "/api/v1/me" -> me(call);
      case "/api/v1/openapi.json" -> Answer.json(Api.document(false).toPrettyString() + "\n");
      default ->
          PageRoute.answer(call.path()).or(() -> history.answer(call)).orElseGet(() -> named(call));
    };
  }

  private Answer alive() {
    return service.isAlive()
        ? Answer.text(200, "ok\n")
        : Answer.text(503, "a cluster is not looked after any more\n");
  }

  private Answer ready() {
    String waits = json.notReady();
    return waits.isEmpty() ? Answer.text(200, "ok\n") : Answer.text(503, waits);
  }

  private static long after(Call call) {
    return call.number("after", 0, Long.MAX_VALUE).orElse(-1);
  }

  private static int limit(Call call) {
    return (int) call.number("limit", 1, MOST_ROWS).orElse(MOST_ROWS);
  }

  private Answer audit(Call call) {
    Optional<AuditLog> audit = service.notes().audit();
    if (audit.isEmpty()) {
      return Answer.text(404, "this governor takes no orders, and keeps no audit\n");
    }
    ArrayNode all = JsonNodeFactory.instance.arrayNode();
    audit.get().after(after(call), limit(call)).forEach(all::add);
    return Answer.json(all + "\n");
  }

  private static Answer me(Call call) {
    Optional<Tokens.Holder> holder = call.client().holder();
    Optional<String> whyNot = ChangeRoutes.whyNot(call);
    return Answer.json(
        JsonNodeFactory.instance
                .objectNode()
                .put("who", holder.flatMap(Tokens.Holder::name).orElse(null))
                .put(
                    "role",
                    holder.map(each -> each.role().name().toLowerCase(Locale.ROOT)).orElse(null))
                .put("may_change", whyNot.isEmpty())
                .put("why_not", whyNot.orElse(null))
            + "\n");
  }

  private Answer named(Call call) {
    String path = call.path();
    String begin = "/api/v1/clusters/";
    Matcher decisions = DECISIONS.matcher(path);
    Optional<String> found =
        decisions.matches()
            ? json.decisions(
                decisions.group(1),
                after(call),
                Optional.ofNullable(call.query().get("knob")),
                limit(call))
            : path.startsWith(begin)
                ? json.cluster(path.substring(begin.length()))
                : Optional.empty();
    return found
        .map(Answer::json)
        .orElseGet(() -> Answer.text(404, "there is no such path, or no such cluster\n"));
  }

  private Answer metrics(Call call) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      String type = metrics.write(call.accept().orElse(null), body);
      return new Answer(200, type, body.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be written", e);
    }
  }
}
