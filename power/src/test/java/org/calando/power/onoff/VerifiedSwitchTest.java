package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.Test;

/** Orders in simulated time, to switches that obey, are slow, fail, or lie. */
class VerifiedSwitchTest {
  private static final SwitchTimes TIMES =
      new SwitchTimes(
          Duration.ofSeconds(120),
          Duration.ofSeconds(60),
          Optional.empty(),
          3,
          Duration.ofSeconds(2));

  private final StepTicker ticker = new StepTicker();
  private final long beginNanos = ticker.nanos();

  @Test
  void returnsWhenTheNodeIsAsOrdered() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    VerifiedSwitch verified = verified(node, TIMES);
    verified.off();
    assertThat(node.read()).isEqualTo(State.OFF);
    assertThat(ticker.secondsSince(beginNanos)).isBetween(10.0, 15.0);
    verified.on();
    assertThat(node.read()).isEqualTo(State.ON);
    assertThat(node.answers()).isTrue();
    assertThat(node.orders()).containsExactly("off", "on");
  }

  @Test
  void leavesANodeAloneThatIsAsOrdered() throws Exception {
    FakeNode off = new FakeNode(ticker, false);
    verified(off, TIMES).off();
    FakeNode on = new FakeNode(ticker, true);
    verified(on, TIMES).on();
    assertThat(off.orders()).isEmpty();
    assertThat(on.orders()).isEmpty();
  }

  @Test
  void tellsASwitchThatSaysOffOfANodeThatStillAnswers() {
    FakeNode node = new FakeNode(ticker, true);
    node.says = State.OFF;
    node.answersAlways = true;
    FailedWorkException lie = failure(() -> verified(node, TIMES).off());
    assertThat(lie).hasMessageContaining("says off, but the node still answers");
    assertThat(lie).hasMessageContaining("n1, a fake");
    assertThat(ticker.secondsSince(beginNanos)).isBetween(30.0, 35.0);
    assertThat(node.orders()).containsExactly("off");
  }

  @Test
  void tellsASwitchThatSaysOnOfANodeThatDoesNotAnswer() {
    FakeNode node = new FakeNode(ticker, false);
    node.says = State.ON;
    assertThat(failure(() -> verifiedDeaf(node).on()))
        .hasMessageContaining("says on, but the node does not answer");
    assertThat(ticker.secondsSince(beginNanos)).isBetween(120.0, 125.0);
  }

  /** A node whose switch works and whose port never opens. */
  private VerifiedSwitch verifiedDeaf(FakeNode node) {
    return new VerifiedSwitch(node, Optional.of(() -> false), TIMES, ticker);
  }

  @Test
  void tellsOfANodeThatBootsBeforeItAnswers() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    List<String> told = new ArrayList<>();
    PowerSwitch telling =
        verified(node, TIMES)
            .told(
                () -> told.add("off after " + ticker.secondsSince(beginNanos)),
                () -> told.add("on, answers: " + node.answers()));
    telling.off();
    telling.off();
    telling.on();
    assertThat(node.answers()).isTrue();
    assertThat(told)
        .as("once of each order")
        .containsExactly("off after 0.0", "on, answers: false");
  }

  @Test
  void believesTheSwitchAloneWhereNobodyLooks() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.answersAlways = true;
    new VerifiedSwitch(node, Optional.empty(), TIMES, ticker).off();
    assertThat(node.read()).isEqualTo(State.OFF);
  }

  @Test
  void readsAContradictionAsUnknown() throws Exception {
    FakeNode node = new FakeNode(ticker, false);
    VerifiedSwitch verified = verified(node, TIMES);
    assertThat(verified.read()).isEqualTo(State.OFF);
    node.answersAlways = true;
    assertThat(verified.read()).isEqualTo(State.UNKNOWN);
  }

  @Test
  void asksOnceAndNeverForcesUnlessTold() {
    FakeNode node = new FakeNode(ticker, true);
    node.shutdownSeconds = FakeNode.NEVER;
    FailedWorkException failure = failure(() -> verified(node, TIMES).off());
    assertThat(failure).hasMessageContaining("not off 60 s after").hasMessageContaining("by hand");
    assertThat(node.orders()).containsExactly("off");
  }

  @Test
  void waitsNoLongerForAnOrderThatFailedLater() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.lateFailures = 1;
    assertThat(failure(() -> verified(node, TIMES).off())).hasMessageContaining("no such unit");
    assertThat(ticker.secondsSince(beginNanos)).isLessThan(5.0);
    assertThat(node.orders()).as("it is asked once").containsExactly("off");
    FakeNode off = new FakeNode(ticker, false);
    off.lateFailures = 1;
    verified(off, TIMES).on();
    assertThat(off.orders()).containsExactly("on", "on");
  }

  @Test
  void forcesANodeThatDoesNotGoByItself() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.shutdownSeconds = FakeNode.NEVER;
    verified(node, TIMES.forcing(Duration.ofSeconds(20))).off();
    assertThat(node.orders()).containsExactly("off", "force");
    assertThat(ticker.secondsSince(beginNanos)).isBetween(21.0, 24.0);
  }

  @Test
  void forcesWhereTheGracefulOrderIsRefused() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.refusals = 3;
    verified(node, TIMES.forcing(Duration.ofSeconds(20))).off();
    assertThat(node.orders()).containsExactly("off", "off", "off", "force");
  }

  @Test
  void doesNotForceANodeThatGoesInTime() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    verified(node, TIMES.forcing(Duration.ofSeconds(20))).off();
    assertThat(node.orders()).containsExactly("off");
  }

  @Test
  void givesAnOrderAgainThatWasNotTaken() throws Exception {
    FakeNode node = new FakeNode(ticker, false);
    node.refusals = 2;
    verified(node, TIMES).on();
    assertThat(node.orders()).containsExactly("on", "on", "on");
    FakeNode stubborn = new FakeNode(ticker, false);
    stubborn.refusals = 3;
    assertThat(failure(() -> verified(stubborn, TIMES).on())).hasMessageContaining("busy");
    assertThat(stubborn.orders()).hasSize(3);
  }

  @Test
  void believesAnOrderWhoseAnswerWasLost() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.shutdownSeconds = 0.1;
    node.refusals = 3;
    node.losesAnswers = true;
    verified(node, TIMES).off();
    assertThat(node.read()).isEqualTo(State.OFF);
  }

  @Test
  void givesAnOrderAgainThatCameToNothing() throws Exception {
    FakeNode node = new FakeNode(ticker, false);
    node.lost = 1;
    verified(node, TIMES).on();
    assertThat(node.orders()).containsExactly("on", "on");
  }

  @Test
  void waitsWhileTheNodeIsBetween() throws Exception {
    FakeNode node = new FakeNode(ticker, false);
    node.betweenWhileTurning = true;
    node.bootSeconds = 100;
    verified(node, TIMES).on();
    assertThat(node.orders()).containsExactly("on");
  }

  @Test
  void goesOnWhenTheSwitchIsSilentForAWhile() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.silences = 5;
    verified(node, TIMES).off();
    assertThat(node.read()).isEqualTo(State.OFF);
  }

  @Test
  void tellsWhyASwitchCannotBeRead() {
    FakeNode node = new FakeNode(ticker, true);
    node.silences = Integer.MAX_VALUE;
    FailedWorkException failure = failure(() -> verified(node, TIMES).off());
    assertThat(failure).hasMessageContaining("cannot be seen to be off");
    assertThat(failure).hasMessageContaining("look at the cable");
    assertThat(ticker.secondsSince(beginNanos)).isBetween(60.0, 65.0);
  }

  @Test
  void tellsASwitchThatNeverSays() {
    FakeNode node = new FakeNode(ticker, true);
    node.says = State.UNKNOWN;
    assertThat(failure(() -> verified(node, TIMES).off()))
        .hasMessageContaining("neither on nor off");
  }

  @Test
  void doesNotTakeOneSilentLookForOff() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    node.says = State.OFF;
    int[] looks = {0};
    Lookout slow = () -> looks[0]++ % 2 == 1;
    assertThat(failure(() -> new VerifiedSwitch(node, Optional.of(slow), TIMES, ticker).off()))
        .hasMessageContaining("off");
  }

  @Test
  void turnsOffByForceWhenToldSo() throws Exception {
    FakeNode node = new FakeNode(ticker, true);
    verified(node, TIMES).forceOff();
    assertThat(node.orders()).containsExactly("force");
  }

  @Test
  void refusesTimesThatCannotBeKept() {
    assertThatThrownBy(() -> TIMES.forcing(Duration.ofSeconds(60)))
        .hasMessageContaining("force-after");
    assertThatThrownBy(
            () -> new SwitchTimes(Duration.ZERO, Duration.ZERO, Optional.empty(), 1, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    CommandSwitch.Commands none =
        CommandSwitchTest.byExitCode(List.of("a"), List.of("b"), List.of("c"));
    CommandSwitch forceless = new CommandSwitch("n1", none, Duration.ofSeconds(1));
    assertThatThrownBy(() -> verified(forceless, TIMES.forcing(Duration.ofSeconds(1))))
        .hasMessageContaining("by force");
    assertThatThrownBy(
            () ->
                new SwitchSpec(
                    new SwitchSpec.Command(none),
                    SwitchSpec.USUAL_ASK,
                    TIMES.forcing(Duration.ofSeconds(1))))
        .hasMessageContaining("force-off");
  }

  private VerifiedSwitch verified(FakeNode node, SwitchTimes times) {
    return new VerifiedSwitch(node, Optional.of(node), times, ticker);
  }

  private VerifiedSwitch verified(PowerSwitch plain, SwitchTimes times) {
    return new VerifiedSwitch(plain, Optional.empty(), times, ticker);
  }

  /** An order. */
  @FunctionalInterface
  private interface Order {
    void give() throws Exception;
  }

  private static FailedWorkException failure(Order order) {
    return catchThrowableOfType(FailedWorkException.class, order::give);
  }
}
