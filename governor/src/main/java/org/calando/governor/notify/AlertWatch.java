package org.calando.governor.notify;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.calando.core.observe.Promised;
import org.calando.governor.ClusterState;
import org.calando.governor.promise.PromiseState;
import org.calando.knob.GearSchema;

/*
 *   amiss ---- so long ----> notified ----> well: notified that it is over
 *     |                         |
 *     well: forgotten           unknown: stays, as unknown is not well
 *
 * What a restarted governor notified before, it notifies again if it is still amiss.
 */
/** Tells from states of clusters what is to be notified. Pure, for one thread. */
final class AlertWatch {
  private static final String CRITICAL = "critical";
  private static final String WARNING = "warning";

  private final Duration after;
  private final Map<Of, Open> open = new LinkedHashMap<>();

  /** What is amiss, and of what. */
  private record Of(String name, String cluster, Optional<Alert.Subject> subject) {}

  /** Since when, and whether that was notified. */
  private record Open(Alert alert, boolean notified) {}

  /**
   * Nothing is amiss yet.
   *
   * @param after so long something is amiss before it is notified
   */
  AlertWatch(Duration after) {
    this.after = after;
  }

  /** What is to be notified now, the first first. */
  List<Alert> look(List<ClusterState> states, Instant now) {
    Look look = new Look(now);
    states.forEach(look::cluster);
    List<Alert> notify = new ArrayList<>();
    for (Map.Entry<Of, Open> entry : List.copyOf(open.entrySet())) {
      Of of = entry.getKey();
      Open each = entry.getValue();
      if (!look.amiss.contains(of) && !look.unknown.contains(of)) {
        open.remove(of);
        if (each.notified()) {
          notify.add(each.alert().over(now));
        }
      } else if (!each.notified()
          && look.amiss.contains(of)
          && !now.isBefore(each.alert().since().plus(after))) {
        open.put(of, new Open(each.alert(), true));
        notify.add(each.alert());
      }
    }
    return notify;
  }

  /** What is amiss, and what may be, at an instant. */
  private final class Look {
    private final Instant now;
    private final Set<Of> amiss = new HashSet<>();
    private final Set<Of> unknown = new HashSet<>();

    Look(Instant now) {
      this.now = now;
    }

    void cluster(ClusterState state) {
      String name = state.name();
      if (!state.observing().works()) {
        amiss(
            new Of("CalandoNotObserved", name, Optional.empty()),
            WARNING,
            "Cluster " + name + " is not observed" + why(state.observing()));
      }
      state
          .control()
          .filter(part -> !part.works())
          .ifPresent(
              part ->
                  amiss(
                      new Of("CalandoNotControlled", name, Optional.empty()),
                      WARNING,
                      "The knobs of cluster " + name + " are not controlled" + why(part)));
      state.knobs().forEach(knob -> knob(name, knob));
      state.promises().ifPresent(all -> all.states().forEach(each -> promise(name, each)));
    }

    private void knob(String cluster, ClusterState.Knob knob) {
      boolean isGear = knob.knob().equals(GearSchema.AXIS.name());
      knob.paused()
          .ifPresent(
              paused ->
                  amiss(
                      new Of(
                          isGear ? "CalandoPlanFailed" : "CalandoKnobPaused",
                          cluster,
                          Optional.of(new Alert.Subject("knob", knob.knob()))),
                      WARNING,
                      (isGear
                              ? "A shift of the gear of cluster "
                              : "Knob " + knob.knob() + " of cluster ")
                          + cluster
                          + (isGear ? " has failed: " : " is paused: ")
                          + paused.reason()
                          + ". It is tried again at "
                          + paused.until()
                          + "."));
    }

    private void promise(String cluster, PromiseState state) {
      Optional<Alert.Subject> subject =
          Optional.of(new Alert.Subject("promise", state.promise().word()));
      Of broken = new Of("CalandoPromiseBroken", cluster, subject);
      if (state.kept().isEmpty()) {
        unknown.add(broken);
      } else if (!state.kept().get()) {
        amiss(
            broken,
            CRITICAL,
            "Cluster "
                + cluster
                + " breaks its promise "
                + state.promise().word()
                + state
                    .figure()
                    .map(
                        figure ->
                            String.format(
                                Locale.ROOT,
                                ": the figure is %s to %s, promised is %s %s.",
                                figure.low(),
                                figure.high(),
                                state.limit(),
                                state.promise().unit()))
                    .orElse("."));
      }
      if (state.promise() == Promised.STALE) {
        budget(cluster, state, subject);
      }
    }

    private void budget(String cluster, PromiseState state, Optional<Alert.Subject> subject) {
      Of spent = new Of("CalandoBudgetSpent", cluster, subject);
      if (state.account().spentLow().isEmpty()) {
        unknown.add(spent);
      } else if (state.account().spentLow().getAsDouble() > 1) {
        amiss(
            spent,
            WARNING,
            String.format(
                Locale.ROOT,
                "Cluster %s has spent its budget of stale reads: in the window there were at least"
                    + " %.2f times as many as its promise allows.",
                cluster,
                state.account().spentLow().getAsDouble()));
      }
    }

    private void amiss(Of of, String severity, String summary) {
      amiss.add(of);
      open.computeIfAbsent(
          of,
          fresh ->
              new Open(
                  new Alert(
                      of.name(),
                      of.cluster(),
                      of.subject(),
                      severity,
                      summary,
                      now,
                      Optional.empty()),
                  false));
    }

    private static String why(ClusterState.Part part) {
      return part.problem().map(": "::concat).orElse("") + ".";
    }
  }
}
