package org.calando.agent;

import java.net.ConnectException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.calando.agent.AgentWire.LeaseAnswer;
import org.calando.agent.AgentWire.LeaseRequest;
import org.calando.agent.AgentWire.LeaseState;
import org.calando.agent.AgentWire.NodeState;
import org.calando.agent.AgentWire.NodeWish;
import org.calando.core.BadRequestException;
import org.calando.core.CpuSet;
import org.calando.core.FailedWorkException;
import org.calando.http.HttpPeer;
import org.calando.power.agent.AgentSource;
import org.jspecify.annotations.Nullable;

/*
 *   wishes change --> a request on its way? yes: the next one says all that is wanted then --> answer
 *                                           no:  sent at once
 *
 * There is one request at a time, and whatever is wanted meanwhile is in the next. One that was given up may still be on
 * its way, so each has a number, and the agent takes none that is older than the last.
 */
/** What is wanted of one agent, and what it answered last. Thread safe. */
final class AgentLink {
  /** After so long a request is given up; a raise that waited for it is sent again then. */
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** Of what begins a lease, which starts a guard, a process of its own; and of other knobs. */
  private static final Duration FIRST_TIMEOUT = Duration.ofSeconds(20);

  /** Answers come each two seconds. */
  private static final long OLD_NANOS = 6_000_000_000L;

  private static final int OK = 200;
  private static final int REFUSED = 409;
  private static final int MOST_DRIFTS = 100;

  private final AgentSource agent;
  private final LongSupplier nanos;
  private final HttpPeer peer;
  private final String path;
  private final Map<String, NodeWish> wishes = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> knobs = new TreeMap<>();
  private final List<AgentWire.Drift> drifts = new ArrayList<>();
  private String holder = "";
  private String id = "";
  private long fence;
  private long requests;
  private long wanted;
  private long answered;
  private long answeredNanos;
  private boolean underWay;
  private boolean ended;
  private boolean givenBack;
  private @Nullable CompletableFuture<Void> next;
  private @Nullable LeaseAnswer last;
  private String trouble = "";
  private boolean refused;

  /**
   * An agent that is not asked yet.
   *
   * @param lease the name of the lease
   * @param nanos the time of answers
   * @throws BadRequestException if it is no address of an agent, or a file is not what it should be
   */
  AgentLink(AgentSource agent, String lease, LongSupplier nanos) {
    this.agent = agent;
    this.nanos = nanos;
    this.peer = new HttpPeer(agent.uri(), agent.access());
    this.path = "/v1/leases/" + lease;
  }

  String address() {
    return agent.uri().toString();
  }

  /** Wants these processors of a node, at their highest clock. */
  synchronized void add(String node, CpuSet cpus) {
    wishes.put(node, new NodeWish(cpus.toString(), 0, 0, List.of()));
  }

  /** Who is to be the holder. */
  synchronized void begin(String holderWords, String ownId, long number) {
    holder = holderWords;
    id = ownId;
    fence = number;
  }

  /** Changes what is wanted of a node; returns whether that is something else. */
  synchronized boolean want(String node, UnaryOperator<NodeWish> change) {
    NodeWish before = wishes.get(node);
    if (before == null) {
      throw new BadRequestException(
          "has no processors of its own", "node " + node, "name those of: " + wishes.keySet());
    }
    NodeWish after = change.apply(before);
    wishes.put(node, after);
    if (!after.equals(before)) {
      wanted++;
      return true;
    }
    return false;
  }

  /**
   * Changes what is wanted of a process's knob; returns whether that is something else.
   *
   * @param value as journals write it; null for as before
   */
  synchronized boolean wantKnob(String process, String knob, @Nullable String value) {
    Map<String, String> own = knobs.computeIfAbsent(process, name -> new TreeMap<>());
    @Nullable String before = value == null ? own.remove(knob) : own.put(knob, value);
    boolean changed = !Objects.equals(before, value);
    wanted += changed ? 1 : 0;
    return changed;
  }

  /** Names a process whose knobs will be wanted. */
  synchronized void name(String process) {
    Map<String, String> unused = knobs.computeIfAbsent(process, none -> new TreeMap<>());
  }

  /** Whether a process's knob is wanted so. */
  synchronized boolean isWanted(String process, String knob, String value) {
    return value.equals(knobs.getOrDefault(process, Map.of()).get(knob));
  }

  /** Whether nothing is wanted. */
  synchronized boolean wantsNothing() {
    return wishes.isEmpty() && knobs.values().stream().allMatch(Map::isEmpty);
  }

  /** Says all that is wanted; ends with the answer to it, or when there is none. */
  synchronized CompletableFuture<Void> push() {
    CompletableFuture<Void> mine = next;
    if (mine == null) {
      mine = new CompletableFuture<>();
      next = mine;
    }
    if (!underWay) {
      send();
    }
    return mine;
  }

  private synchronized void send() {
    CompletableFuture<Void> answering = next;
    next = null;
    if (answering == null) {
      return;
    }
    if (ended) {
      answering.complete(null);
      return;
    }
    underWay = true;
    long saying = wanted;
    boolean slow = last == null || (!knobs.isEmpty() && answered != wanted);
    Duration timeout = slow ? FIRST_TIMEOUT : TIMEOUT;
    String body = AgentWire.text(new LeaseRequest(holder, id, fence, ++requests, wishes, knobs));
    var unused =
        request("PUT", body, timeout)
            .handle(
                (response, failed) -> {
                  take(response, failed, saying);
                  answering.complete(null);
                  sent();
                  return null;
                });
  }

  private synchronized void sent() {
    underWay = false;
    send();
  }

  private CompletableFuture<HttpResponse<String>> request(
      String method, String body, Duration timeout) {
    try {
      HttpRequest request =
          peer.request(path, timeout)
              .method(
                  method,
                  body.isEmpty()
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofString(body))
              .header("Content-Type", "application/json")
              .build();
      return peer.ask(request);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized void take(
      @Nullable HttpResponse<String> response, @Nullable Throwable failed, long saying) {
    try {
      if (response == null) {
        trouble = "does not answer: " + words(failed);
      } else if (response.statusCode() == OK) {
        LeaseAnswer answer = AgentWire.read(response.body(), LeaseAnswer.class);
        last = answer;
        answeredNanos = nanos.getAsLong();
        answered = saying;
        refused = false;
        trouble = String.join("; ", answer.troubles());
        answer.drifts().stream().limit(MOST_DRIFTS - drifts.size()).forEach(drifts::add);
      } else {
        refused = response.statusCode() == REFUSED;
        trouble = refusal(response);
      }
    } catch (IllegalArgumentException e) {
      trouble = "its answer " + e.getMessage();
    }
  }

  private static String refusal(HttpResponse<String> response) {
    try {
      AgentWire.Refusal refusal = AgentWire.read(response.body(), AgentWire.Refusal.class);
      return "refuses: " + refusal.what() + "; remedy: " + refusal.remedy();
    } catch (IllegalArgumentException e) {
      return "refuses by HTTP status " + response.statusCode();
    }
  }

  private static String words(@Nullable Throwable failed) {
    Throwable cause =
        failed instanceof CompletionException && failed.getCause() != null
            ? failed.getCause()
            : failed;
    if (cause instanceof ConnectException) {
      return "it cannot be connected to";
    }
    return cause == null
        ? "no reason is known"
        : cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  /** What is wrong; empty if the last request was answered. */
  synchronized Optional<String> trouble() {
    return trouble.isEmpty() ? Optional.empty() : Optional.of("agent " + address() + " " + trouble);
  }

  /** Whether the last request was answered. */
  synchronized boolean answers() {
    return last != null
        && (trouble.isEmpty() || String.join("; ", last.troubles()).equals(trouble));
  }

  /** Whether all that is wanted has been answered. */
  synchronized boolean isUpToDate() {
    return answered == wanted && answers();
  }

  /**
   * Fails where the first request was not answered as it should be.
   *
   * @throws BadRequestException if it was refused
   * @throws FailedWorkException if it failed
   */
  synchronized void requireLeased() {
    if (!answers()) {
      throw refused
          ? new BadRequestException(trouble, "agent " + address(), "see its lines")
          : new FailedWorkException(
              trouble, "agent " + address(), "start it: ./calando agent FILE.yaml");
    }
  }

  /**
   * Fails where not all that is wanted was answered as it should be.
   *
   * @throws FailedWorkException with the agent's reason
   */
  synchronized void requireUpToDate() {
    if (!isUpToDate()) {
      throw new FailedWorkException(
          trouble.isEmpty() ? "has not answered in time" : trouble,
          "agent " + address(),
          "see its lines; the request is repeated each 2 s");
    }
  }

  /** How a node stood at the last answer; empty before the first. */
  synchronized Optional<NodeState> state(String node) {
    return Optional.ofNullable(last).map(answer -> answer.nodes().get(node));
  }

  /** The same while its answers are of late: what an agent that is silent restored is not known. */
  synchronized Optional<NodeState> current(String node) {
    return state(node).filter(known -> nanos.getAsLong() - answeredNanos < OLD_NANOS);
  }

  /** Whether its machine's threads can be moved. */
  synchronized boolean movesThreads() {
    return last != null && last.movesThreads();
  }

  /** Nodes that share a clock. */
  synchronized List<List<String>> conflicts() {
    return last == null ? List.of() : last.conflicts();
  }

  /** What was found otherwise than it was set, since the last call. */
  synchronized List<AgentWire.Drift> drain() {
    List<AgentWire.Drift> drained = List.copyOf(drifts);
    drifts.clear();
    return drained;
  }

  /**
   * Who has the lease; asks the agent.
   *
   * @throws FailedWorkException if it does not answer
   */
  CompletableFuture<LeaseState> holder() {
    return request("GET", "", FIRST_TIMEOUT)
        .handle(
            (response, failed) -> {
              try {
                if (response != null && response.statusCode() == OK) {
                  return AgentWire.read(response.body(), LeaseState.class);
                }
              } catch (IllegalArgumentException e) {
                throw new FailedWorkException(
                    "its answer " + e.getMessage(),
                    "agent " + address(),
                    "is it an agent of this version?",
                    e);
              }
              throw new FailedWorkException(
                  response == null ? "does not answer: " + words(failed) : refusal(response),
                  "agent " + address(),
                  "start it: ./calando agent FILE.yaml");
            });
  }

  /** Gives the lease back, unless it has; ends with why that failed, empty if it did not. */
  synchronized CompletableFuture<String> release() {
    ended = true;
    return givenBack
        ? CompletableFuture.completedFuture("")
        : request("DELETE", AgentWire.text(new AgentWire.Release(id, fence)), FIRST_TIMEOUT)
            .handle(this::released);
  }

  private synchronized String released(
      @Nullable HttpResponse<String> response, @Nullable Throwable failed) {
    if (response == null) {
      return "agent %s does not answer: %s; it restores by itself %d s after the last word"
          .formatted(address(), words(failed), AgentWire.TTL_MILLIS / 1000);
    }
    boolean ok = response.statusCode() == OK;
    givenBack = ok || isOfAnother(response);
    return ok ? "" : "agent " + address() + " " + refusal(response);
  }

  /** Whether a refusal says who has the lease by now, so that there is nothing to give back. */
  private boolean isOfAnother(HttpResponse<String> refusal) {
    try {
      LeaseState now = AgentWire.read(refusal.body(), AgentWire.Refusal.class).lease();
      return now != null && now.held() && !now.id().equals(id);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
