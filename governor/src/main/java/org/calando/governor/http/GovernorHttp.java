package org.calando.governor.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.BadRequestException;
import org.calando.core.FailedWorkException;
import org.calando.governor.GovernorService;
import org.calando.http.Listening;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;
import org.calando.http.server.HttpService;

/** What a governor answers over HTTP; only reads snapshots, so no request delays a decision. */
public final class GovernorHttp {
  private final GovernorService service;
  private final StateJson json;
  private final Metrics metrics;
  private final SessionsRoute sessions;

  private GovernorHttp(GovernorService service) {
    this.service = service;
    this.json = new StateJson(service);
    this.metrics = new Metrics(service);
    this.sessions = new SessionsRoute(service);
  }

  /**
   * Listens.
   *
   * @throws BadRequestException if the port is taken, or a file is not what it should be
   * @throws FailedWorkException if it cannot listen for another reason
   */
  public static HttpService listen(Listening where, GovernorService service) {
    return HttpService.listenLater(where, new GovernorHttp(service)::answerLater);
  }

  private CompletionStage<Answer> answerLater(Call call) {
    return sessions.answer(call).orElseGet(() -> CompletableFuture.completedStage(answer(call)));
  }

  private Answer answer(Call call) {
    if (!call.reads()) {
      return Answer.text(405, "only GET and HEAD\n");
    }
    return switch (call.path()) {
      case "/metrics" -> metrics(call);
      case "/healthz" -> alive();
      case "/readyz" -> ready();
      case "/api/v1/clusters" -> Answer.json(json.clusters());
      default -> named(call.path());
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

  private Answer named(String path) {
    String begin = "/api/v1/clusters/";
    String end = "/decisions";
    Optional<String> found =
        path.startsWith(begin)
                && path.endsWith(end)
                && path.length() > begin.length() + end.length()
            ? json.decisions(path.substring(begin.length(), path.length() - end.length()))
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
