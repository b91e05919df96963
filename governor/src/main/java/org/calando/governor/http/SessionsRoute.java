package org.calando.governor.http;

import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.calando.governor.GovernorService;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;

/*
 * A report is answered when a level changes, a second later at most: no thread waits for that.
 */
/** Reports of applications' sessions, and their levels. Thread safe. */
final class SessionsRoute {
  private static final Pattern PATH = Pattern.compile("/api/v1/clusters/([a-z0-9-]+)/sessions");

  private final GovernorService service;

  SessionsRoute(GovernorService service) {
    this.service = service;
  }

  /** The answer to a report; empty if it is none. */
  Optional<CompletionStage<Answer>> answer(Call call) {
    Matcher path = PATH.matcher(call.path());
    if (!path.matches() || !call.method().equals("POST")) {
      return Optional.empty();
    }
    return Optional.of(
        service
            .exchange(path.group(1), call.body())
            .thenApply(
                levels ->
                    levels
                        .map(text -> Answer.text(200, text))
                        .orElseGet(
                            () ->
                                Answer.text(404, "no such cluster, or it has no sessions: true\n")))
            .exceptionally(error -> Answer.text(503, "the sessions cannot be governed now\n")));
  }
}
