package org.calando.governor.notify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.core.observe.PromiseFigure;
import org.calando.core.observe.Promised;
import org.calando.governor.ClusterFigures;
import org.calando.governor.ClusterState;
import org.calando.governor.promise.PromiseState;
import org.junit.jupiter.api.Test;

class AlertWatchTest {
  private static final Instant BEGIN = Instant.parse("2026-11-27T12:00:00Z");
  private static final ClusterState.Part WELL =
      new ClusterState.Part(true, BEGIN, Optional.empty(), 0);
  private static final ClusterFigures FIGURES =
      new ClusterFigures(
          Optional.empty(), "", 0, 0, 0, 0, OptionalDouble.empty(), List.of(), Optional.empty());

  private final AlertWatch watch = new AlertWatch(Duration.ofMinutes(1));
  private ClusterState.Part observing = WELL;
  private Optional<ClusterState.Part> control = Optional.of(WELL);
  private Optional<ClusterState.Paused> paused = Optional.empty();
  private String knob = "gear";
  private OptionalDouble stale = OptionalDouble.of(0.001);
  private OptionalDouble spent = OptionalDouble.of(0.5);

  /** What is notified after so many seconds, as words. */
  private List<String> at(long seconds) {
    List<String> said = new ArrayList<>();
    for (Alert alert : watch.look(List.of(state()), BEGIN.plusSeconds(seconds))) {
      said.add(
          alert.name()
              + alert.subject().map(of -> " " + of.label() + "=" + of.name()).orElse("")
              + (alert.ended().isPresent() ? " over" : ""));
    }
    return said;
  }

  private ClusterState state() {
    ClusterState.Knob gear =
        new ClusterState.Knob(
            knob,
            "racks",
            "load",
            Optional.of("2"),
            List.of(),
            BEGIN,
            1,
            paused,
            OptionalDouble.empty(),
            new ClusterState.Order(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), true));
    PromiseState promise =
        new PromiseState(
            Promised.STALE,
            0.01,
            0.01,
            "model",
            stale.isPresent()
                ? Optional.of(
                    new PromiseFigure(
                        stale.getAsDouble(),
                        stale.getAsDouble(),
                        100,
                        PromiseFigure.Kind.PREDICTED,
                        "model"))
                : Optional.empty(),
            new PromiseState.Account(3600, 0, 0, spent, spent));
    return new ClusterState(
        "shop",
        "cassandra",
        observing,
        control,
        List.of(gear),
        FIGURES,
        Optional.empty(),
        Optional.of(new ClusterState.Promises(WELL, List.of(promise), List.of(), Map.of())),
        new ClusterState.Orders(Optional.empty(), 0, Map.of(), List.of()));
  }

  @Test
  void nothingIsSaidOfWhatIsWell() {
    assertThat(at(0)).isEmpty();
    assertThat(at(600)).isEmpty();
  }

  @Test
  void whatIsAmissForLongIsSaidOnceAndItsEndOnce() {
    stale = OptionalDouble.of(0.02);
    assertThat(at(0)).isEmpty();
    assertThat(at(59)).isEmpty();
    assertThat(at(60)).containsExactly("CalandoPromiseBroken promise=stale");
    assertThat(at(120)).isEmpty();
    stale = OptionalDouble.of(0.001);
    assertThat(at(130)).containsExactly("CalandoPromiseBroken promise=stale over");
    assertThat(at(140)).isEmpty();
  }

  @Test
  void whatIsAmissForAMomentIsNotSaid() {
    stale = OptionalDouble.of(0.02);
    assertThat(at(0)).isEmpty();
    stale = OptionalDouble.of(0.001);
    assertThat(at(30)).isEmpty();
    stale = OptionalDouble.of(0.02);
    assertThat(at(60)).as("it is a new one").isEmpty();
    assertThat(at(120)).hasSize(1);
  }

  @Test
  void whatBecomesUnknownIsNotOver() {
    stale = OptionalDouble.of(0.02);
    assertThat(at(0)).isEmpty();
    assertThat(at(60)).hasSize(1);
    stale = OptionalDouble.empty();
    assertThat(at(120)).isEmpty();
    stale = OptionalDouble.of(0.001);
    assertThat(at(180)).containsExactly("CalandoPromiseBroken promise=stale over");
  }

  @Test
  void aBudgetThatIsSpentForCertainIsSaid() {
    spent = OptionalDouble.of(1.2);
    assertThat(at(0)).isEmpty();
    assertThat(at(60)).containsExactly("CalandoBudgetSpent promise=stale");
  }

  @Test
  void aShiftThatFailedAndAKnobThatIsPausedAreTwoThings() {
    paused = Optional.of(new ClusterState.Paused("c3 does not boot", BEGIN.plusSeconds(60)));
    assertThat(at(0)).isEmpty();
    assertThat(at(60)).containsExactly("CalandoPlanFailed knob=gear");
    knob = "dial";
    assertThat(at(61)).containsExactly("CalandoPlanFailed knob=gear over");
    assertThat(at(121)).containsExactly("CalandoKnobPaused knob=dial");
  }

  @Test
  void aClusterThatIsLostIsSaidAndOneThatTheFileLeavesOutIsOver() {
    observing = new ClusterState.Part(false, BEGIN, Optional.of("no node answers"), 3);
    control = Optional.of(observing);
    assertThat(at(0)).isEmpty();
    assertThat(at(60)).containsExactly("CalandoNotObserved", "CalandoNotControlled");
    assertThat(watch.look(List.of(), BEGIN.plusSeconds(70)))
        .hasSize(2)
        .allMatch(alert -> alert.ended().isPresent())
        .first()
        .matches(alert -> alert.summary().contains("no node answers"));
  }
}
