package org.calando.governor;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.calando.control.order.KnobOrders;
import org.calando.core.CalandoException;
import org.calando.governor.audit.AuditLog;
import org.calando.governor.order.ClusterOrders;
import org.calando.governor.order.Ordered;
import org.calando.governor.order.RefusedOrderException;
import org.calando.governor.order.RefusedOrderException.Why;

/*
 *   legal? --> what is to be done, on the disk (audit) --> in force, on the disk (book of orders) --> done, on the disk
 *
 * One after the other, so that a kill leaves at most one of which it is not said whether it was done; the book says it.
 * Where the last step fails it is in force all the same, and the answer says both; the step is tried again.
 */
/** Takes what operators ask to be changed: the only way to change orders. Thread safe. */
public final class Operators {
  /** No order lasts for longer, but for a pause and a promise without an end. */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** So long a knob stays as it is after its plan was taken back, if nothing else is said. */
  private static final Duration AFTER_UNDO = Duration.ofHours(1);

  private static final int MOST_REASON = 500;

  private final Function<String, Optional<GovernedCluster>> clusters;
  private final GovernorNotes notes;
  private final InstantSource clock;

  /** Of the clusters of a governor, by their names. */
  Operators(
      Function<String, Optional<GovernedCluster>> clusters,
      GovernorNotes notes,
      InstantSource clock) {
    this.clusters = clusters;
    this.notes = notes;
    this.clock = clock;
  }

  /**
   * What a call has changed, or would. Immutable.
   *
   * @param before how it was
   * @param after how it is
   * @param steps what is done, a sentence each
   * @param isRecorded whether the audit says so; else it is in force, and the last step says why
   */
  public record Answered(
      ObjectNode before, ObjectNode after, List<String> steps, boolean isRecorded) {
    /** Copies the list. */
    public Answered {
      steps = List.copyOf(steps);
    }

    Answered(ObjectNode before, ObjectNode after, List<String> steps) {
      this(before, after, steps, true);
    }

    private Answered unrecorded(CalandoException why) {
      List<String> all = new ArrayList<>(steps);
      all.add(
          "it is in force, and the audit does not say so yet: "
              + why.problem()
              + "; it is tried again, and nothing else is changed before; remedy: "
              + why.remedy());
      return new Answered(before, after, all, false);
    }
  }

  /** What is to be written into the book, and what that changes. */
  private record Change(Ordered order, boolean isGiven, Answered answered) {}

  /**
   * Does what is asked, or says what would be done.
   *
   * @throws RefusedOrderException if it is not done: nothing was changed
   */
  public synchronized Answered call(OperatorCall call) {
    Change change = change(call);
    if (call.isDryRun()) {
      return change.answered();
    }
    return made(call, change);
  }

  private Answered made(OperatorCall call, Change change) {
    AuditLog audit = notes.audit().orElseThrow(Operators::untaken);
    Answered answered = change.answered();
    long id = begins(audit, call, answered);
    try {
      if (change.isGiven()) {
        notes.orders().give(change.order());
      } else {
        notes.orders().takeBack(change.order());
      }
    } catch (CalandoException e) {
      var unused = audit.failed(id, e.problem());
      throw unavailable(e);
    }
    return audit.done(id).map(answered::unrecorded).orElse(answered);
  }

  /**
   * Takes orders back that a cluster's file does not allow any more, each with a line of the audit
   * that says why. Those of clusters that are in no file stay as they are: they may come back.
   *
   * @param told takes a line of each; one that cannot be noted is told too, and stays
   */
  synchronized void recheck(GovernedCluster cluster, Consumer<String> told) {
    for (Ordered order : cluster.orders().all()) {
      OrderLimits.unfit(cluster.spec(), order)
          .ifPresent(why -> told.accept(cluster.spec().name() + ": " + drop(order, why)));
    }
  }

  private String drop(Ordered order, String why) {
    OperatorCall call =
        new OperatorCall(
            new AuditLog.Caller(
                Optional.empty(), Optional.empty(), "", UUID.randomUUID().toString()),
            order.cluster(),
            order.kind() == Ordered.Kind.PROMISE
                ? OperatorCall.What.PROMISE
                : OperatorCall.What.RELEASE,
            order.of(),
            Optional.empty(),
            Optional.empty(),
            "the governor: the file was changed, and " + why,
            false);
    Change change =
        new Change(
            order(call, order.kind(), "", Optional.empty()),
            false,
            new Answered(
                OrderText.held(order), JsonNodeFactory.instance.objectNode(), List.of(why)));
    String words = "what " + order.who() + " ordered of " + order.of() + " is ";
    try {
      var unused = made(call, change);
      return words + "taken back: " + why;
    } catch (RefusedOrderException e) {
      return words + "not legal any more, and stays: " + e.problem();
    }
  }

  private static long begins(AuditLog audit, OperatorCall call, Answered answered) {
    try {
      return audit.begins(
          call.caller(),
          call.cluster(),
          call.words(),
          answered.before(),
          answered.after(),
          call.reason());
    } catch (CalandoException e) {
      throw unavailable(e);
    }
  }

  private static RefusedOrderException untaken() {
    return new RefusedOrderException(
        Why.UNAVAILABLE,
        "this governor takes no orders, as its state folder is another's",
        "ask the governor that began first");
  }

  private static RefusedOrderException unavailable(CalandoException e) {
    return new RefusedOrderException(
        Why.UNAVAILABLE, "it cannot be noted: " + e.problem(), e.remedy());
  }

  private Change change(OperatorCall call) {
    GovernedCluster cluster =
        clusters
            .apply(call.cluster())
            .orElseThrow(
                () ->
                    new RefusedOrderException(
                        Why.NO_SUCH,
                        "there is no cluster " + call.cluster(),
                        "see /api/v1/clusters"));
    requireReason(call.reason());
    requireEnd(call.until());
    return switch (call.what()) {
      case PAUSE -> pause(call, cluster);
      case RESUME -> resume(call, cluster);
      case HOLD -> hold(call, cluster);
      case RELEASE -> release(call, cluster);
      case UNDO -> undo(call, cluster);
      case PROMISE -> promise(call, cluster);
    };
  }

  private static void requireReason(String reason) {
    if (reason.isBlank() || reason.length() > MOST_REASON) {
      throw new RefusedOrderException(
          Why.WRONG,
          reason.isBlank() ? "it gives no reason" : "its reason is too long",
          "write reason, of 1 to " + MOST_REASON + " characters");
    }
  }

  private void requireEnd(Optional<Instant> until) {
    Instant now = clock.instant();
    if (until.isPresent()
        && (!until.get().isAfter(now) || until.get().isAfter(now.plus(LONGEST)))) {
      throw new RefusedOrderException(
          Why.WRONG,
          "until is " + until.get() + ", which is not within " + LONGEST.toDays() + " days",
          "write a time that is, or a duration such as 2h");
    }
  }

  private Ordered order(
      OperatorCall call, Ordered.Kind kind, String value, Optional<Instant> until) {
    return new Ordered(
        call.cluster(),
        kind,
        call.of(),
        value,
        clock.millis(),
        until.map(Instant::toEpochMilli),
        call.caller().who().orElse(""),
        call.reason(),
        call.caller().request());
  }

  private Change pause(OperatorCall call, GovernedCluster cluster) {
    Ordered order = order(call, Ordered.Kind.PAUSE, "", call.until());
    Optional<Ordered> before = cluster.orders().pause();
    return new Change(
        order,
        true,
        new Answered(
            paused(before),
            paused(Optional.of(order)),
            List.of(
                "nothing of "
                    + call.cluster()
                    + " is set until "
                    + end(order)
                    + "; policies decide on, and what they decide is kept")));
  }

  private static String end(Ordered order) {
    return order.end().map(Instant::toString).orElse("it is resumed");
  }

  private static ObjectNode paused(Optional<Ordered> pause) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.set("paused", pause.map(OrderText::node).orElse(null));
    return node;
  }

  private Change resume(OperatorCall call, GovernedCluster cluster) {
    Ordered pause =
        cluster
            .orders()
            .pause()
            .orElseThrow(
                () ->
                    new RefusedOrderException(
                        Why.NOT_NOW,
                        call.cluster() + " is not paused",
                        "see paused and held of /api/v1/clusters/" + call.cluster()));
    return new Change(
        order(call, pause.kind(), "", Optional.empty()),
        false,
        new Answered(
            paused(Optional.of(pause)),
            paused(Optional.empty()),
            List.of("what is decided is set again, from the next decision on")));
  }

  private Change hold(OperatorCall call, GovernedCluster cluster) {
    String value = OrderLimits.value(cluster.spec(), cluster.orders(), call.of(), call.value());
    if (call.until().isEmpty()) {
      throw new RefusedOrderException(
          Why.WRONG, "it says no end", "write until, such as \"until\": \"2h\"");
    }
    Ordered order = order(call, Ordered.Kind.HOLD, value, call.until());
    return new Change(
        order,
        true,
        new Answered(
            held(call, cluster, cluster.orders().ofKnob(call.of())),
            held(call, cluster, Optional.of(order)).put("value", value),
            List.of(call.of() + " is set to " + value + ", until " + end(order))));
  }

  private static ObjectNode held(
      OperatorCall call, GovernedCluster cluster, Optional<Ordered> order) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("value", inForce(call, cluster).orElse(null));
    node.set("held", order.map(OrderText::held).orElse(null));
    return node;
  }

  private static Optional<String> inForce(OperatorCall call, GovernedCluster cluster) {
    return cluster.orders().inForce(call.of()).flatMap(ClusterOrders.InForce::value);
  }

  private Change release(OperatorCall call, GovernedCluster cluster) {
    Optional<Ordered> found = cluster.orders().ofKnob(call.of());
    if (found.isEmpty()) {
      OrderLimits.requireControlled(cluster.spec(), call.of());
    }
    Ordered held =
        found.orElseThrow(
            () ->
                new RefusedOrderException(
                    Why.NOT_NOW,
                    call.of() + " of " + call.cluster() + " is not held",
                    "see held of /api/v1/clusters/" + call.cluster()));
    return new Change(
        order(call, held.kind(), "", Optional.empty()),
        false,
        new Answered(
            held(call, cluster, Optional.of(held)),
            held(call, cluster, Optional.empty()),
            List.of(call.of() + " is set as is decided, from the next decision on")));
  }

  private Change undo(OperatorCall call, GovernedCluster cluster) {
    OrderLimits.requireControlled(cluster.spec(), call.of());
    KnobOrders.OpenPlan plan =
        Optional.ofNullable(cluster.orders().plans().get(call.of()))
            .orElseThrow(
                () ->
                    new RefusedOrderException(
                        Why.NOT_NOW,
                        call.of() + " of " + call.cluster() + " has no plan under way",
                        "see plans of /api/v1/clusters/" + call.cluster()));
    if (!plan.canUndo()) {
      throw new RefusedOrderException(
          Why.NOT_NOW,
          "the plan " + plan.what() + " cannot be taken back",
          "wait for its end, and hold " + call.of());
    }
    Instant until = call.until().orElseGet(() -> clock.instant().plus(AFTER_UNDO));
    Ordered order = order(call, Ordered.Kind.UNDO, "", Optional.of(until));
    return new Change(
        order,
        true,
        new Answered(
            plan(plan.what(), plan.undoing()),
            plan(plan.what(), true),
            List.of(
                "the plan " + plan.what() + " is taken back",
                call.of() + " stays as it is then, until " + until)));
  }

  private static ObjectNode plan(String what, boolean undoing) {
    return JsonNodeFactory.instance.objectNode().put("plan", what).put("undoing", undoing);
  }

  private Change promise(OperatorCall call, GovernedCluster cluster) {
    OptionalDouble limit = OrderLimits.limit(cluster.spec(), call.of(), call.value());
    double file = OrderLimits.ofFile(cluster.spec(), call.of());
    Optional<Ordered> before = cluster.orders().ofPromise(call.of());
    if (limit.isEmpty() && before.isEmpty()) {
      throw new RefusedOrderException(
          Why.NOT_NOW,
          call.of() + " of " + call.cluster() + " is as the file promises it",
          "write limit");
    }
    String value = limit.isPresent() ? String.valueOf(limit.getAsDouble()) : "";
    Ordered order = order(call, Ordered.Kind.PROMISE, value, call.until());
    return new Change(
        order,
        limit.isPresent(),
        new Answered(
            promise(call.of(), before, file),
            promise(call.of(), limit.isPresent() ? Optional.of(order) : Optional.empty(), file),
            List.of(
                call.of()
                    + " is judged by "
                    + (limit.isPresent() ? value + " until " + end(order) : "the file's limit"))));
  }

  private static ObjectNode promise(String word, Optional<Ordered> order, double file) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("promise", word)
        .put("limit", order.map(each -> Double.parseDouble(each.value())).orElse(file))
        .put("until", order.flatMap(Ordered::end).map(Instant::toString).orElse(null));
  }
}
