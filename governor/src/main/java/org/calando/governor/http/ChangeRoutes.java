package org.calando.governor.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.calando.core.CalandoException;
import org.calando.governor.GovernorService;
import org.calando.governor.OperatorCall;
import org.calando.governor.OperatorCall.What;
import org.calando.governor.Operators;
import org.calando.governor.audit.AuditLog;
import org.calando.governor.http.api.Api;
import org.calando.governor.http.api.Route;
import org.calando.governor.order.RefusedOrderException;
import org.calando.http.Listening;
import org.calando.http.Tokens;
import org.calando.http.server.Answer;
import org.calando.http.server.Call;

/*
 *   site, Host, token    of the service, before this; it is asked what is answered, and notes it
 *   operator             a token of one: also on the loopback, where any process of the machine may ask
 *   encrypted            or of this machine itself, and not handed on by a proxy, which hides who asks
 *   application/json     what a page of another site cannot send unasked
 *   body, legal          then it is done
 */
/** Answers the routes that change something. Thread safe. */
final class ChangeRoutes {
  private static final String MAKE_ONE =
      "give the governor a token-file with a line: operator NAME TOKEN; see"
          + " docs/governor-api.md";

  private final GovernorService service;
  private final Clock clock = Clock.systemUTC();

  ChangeRoutes(GovernorService service) {
    this.service = service;
  }

  /** A refusal with its status. */
  private record Refused(int status, String problem, String remedy) {}

  /** The answer to a call; empty if its path changes nothing. */
  Optional<Answer> answer(Call call) {
    return Api.changing(call.path()).map(route -> answer(call, route));
  }

  private Answer answer(Call call, Route route) {
    AuditLog.Caller caller = caller(call);
    if (!call.method().equals("POST")) {
      return refused(new Refused(405, "it is " + call.method(), "send a POST"), caller);
    }
    Optional<Refused> noRight = noRight(call);
    if (noRight.isPresent()) {
      note(call, route, caller, noRight.get().problem());
      return refused(noRight.get(), caller);
    }
    if (!call.header("content-type").map(ChangeRoutes::isJson).orElse(false)) {
      return refused(
          new Refused(
              415, "the body is not said to be JSON", "send Content-Type: application/json"),
          caller);
    }
    try {
      OperatorCall asked = asked(call, route, caller);
      return answered(asked, service.operators().call(asked));
    } catch (RefusedOrderException e) {
      return refused(new Refused(status(e.why()), e.problem(), e.remedy()), caller);
    }
  }

  private static boolean isJson(String type) {
    return type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  private static int status(RefusedOrderException.Why why) {
    return switch (why) {
      case WRONG -> 400;
      case NO_SUCH -> 404;
      case NOT_NOW -> 409;
      case NOT_LEGAL -> 422;
      case UNAVAILABLE -> 503;
    };
  }

  private static AuditLog.Caller caller(Call call) {
    Optional<Tokens.Holder> holder = call.client().holder();
    return new AuditLog.Caller(
        holder.flatMap(Tokens.Holder::name),
        holder.map(each -> each.role().name().toLowerCase(Locale.ROOT)),
        call.client().address(),
        UUID.randomUUID().toString());
  }

  /** Why who asks may change nothing, with the remedy; empty if it may. */
  static Optional<String> whyNot(Call call) {
    return noRight(call).map(why -> why.problem() + ": " + why.remedy());
  }

  private static Optional<Refused> noRight(Call call) {
    Call.Client client = call.client();
    if (client.holder().isEmpty()) {
      return Optional.of(new Refused(403, "an operator's token is missing", MAKE_ONE));
    }
    if (client.holder().get().role() != Tokens.Role.OPERATOR) {
      return Optional.of(new Refused(403, "the token is no operator's", MAKE_ONE));
    }
    boolean isHandedOn =
        call.header("forwarded").isPresent() || call.header("x-forwarded-for").isPresent();
    return client.isEncrypted() || (Listening.isLoopback(client.address()) && !isHandedOn)
        ? Optional.empty()
        : Optional.of(
            new Refused(
                403,
                "the connection is not encrypted, and not of this machine",
                "give the governor tls, and ask by https"));
  }

  private OperatorCall asked(Call call, Route route, AuditLog.Caller caller) {
    What what = route.what().orElseThrow();
    List<String> names = route.names(call.path()).orElseThrow();
    CallBody body = CallBody.read(call.body(), keys(what));
    if (what == What.PROMISE && !body.has("limit")) {
      throw new RefusedOrderException(
          RefusedOrderException.Why.WRONG, "it says no limit", "write limit; null for the file's");
    }
    return new OperatorCall(
        caller,
        names.get(0),
        what,
        what == What.PROMISE ? body.text("promise") : names.size() > 1 ? names.get(1) : "",
        body.scalar(what == What.PROMISE ? "limit" : "value"),
        body.until(clock.instant()),
        body.text("reason"),
        body.isDryRun());
  }

  private static Set<String> keys(What what) {
    return switch (what) {
      case PAUSE, UNDO -> Set.of("reason", "dry_run", "until");
      case RESUME, RELEASE -> Set.of("reason", "dry_run");
      case HOLD -> Set.of("reason", "dry_run", "until", "value");
      case PROMISE -> Set.of("reason", "dry_run", "until", "promise", "limit");
    };
  }

  private static Answer answered(OperatorCall asked, Operators.Answered answered) {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("dry_run", asked.isDryRun())
            .put("cluster", asked.cluster())
            .put("what", asked.words());
    node.set("before", answered.before());
    node.set("after", answered.after());
    ArrayNode steps = node.putArray("steps");
    answered.steps().forEach(steps::add);
    node.put("recorded", asked.isDryRun() ? null : answered.isRecorded());
    return Answer.json(node.put("request", asked.caller().request()) + "\n");
  }

  private static Answer refused(Refused why, AuditLog.Caller caller) {
    return Answer.json(
        why.status(),
        JsonNodeFactory.instance
                .objectNode()
                .put("status", why.status())
                .put("problem", why.problem())
                .put("remedy", why.remedy())
                .put("request", caller.request())
            + "\n");
  }

  /** What a call is answered that was refused before it came here; notes it. */
  Answer refusedBefore(Call call, Answer answer) {
    Optional<Route> route = Api.changing(call.path());
    if (route.isEmpty() || call.reads()) {
      return answer;
    }
    AuditLog.Caller caller = caller(call);
    String problem = answer.body().strip();
    if (answer.status() == 401 || answer.status() == 403) {
      note(call, route.get(), caller, problem);
    }
    String remedy =
        switch (answer.status()) {
          case 401 -> MAKE_ONE;
          case 403 -> "ask from a page of the governor's own, or from no page, by its address";
          default -> "send a short JSON body, and its length";
        };
    return refused(new Refused(answer.status(), problem, remedy), caller);
  }

  private void note(Call call, Route route, AuditLog.Caller caller, String why) {
    List<String> names = route.names(call.path()).orElseThrow();
    What what = route.what().orElseThrow();
    String words =
        new OperatorCall(
                caller,
                names.get(0),
                what,
                names.size() > 1 ? names.get(1) : "",
                Optional.empty(),
                Optional.empty(),
                "",
                true)
            .words();
    try {
      service
          .notes()
          .audit()
          .ifPresent(audit -> audit.refused(caller, Optional.of(names.get(0)), words, why));
    } catch (CalandoException e) {
      // It is refused all the same; what cannot be written is told of changes.
    }
  }
}
