package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.calando.core.policy.Controller;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.Setting;
import org.calando.core.policy.SignalId;
import org.calando.core.policy.Signals;
import org.calando.core.policy.Step;
import org.calando.governor.order.ClusterOrders;
import org.calando.governor.told.Decided;
import org.junit.jupiter.api.Test;

class KnobStatesTest {
  private static final KnobId<Integer> CLOCK = new KnobId<>("clock", Integer.class);
  private static final SignalId<Integer> SIGNAL = new SignalId<>("number", Integer.class);

  private final KnobStates states = new KnobStates(InstantSource.system());

  /** Sets two nodes alike. */
  private record Both() implements Controller<Integer> {
    @Override
    public String name() {
      return "both";
    }

    @Override
    public Set<SignalId<?>> needs() {
      return Set.of(SIGNAL);
    }

    @Override
    public Set<KnobId<?>> sets() {
      return Set.of(CLOCK);
    }

    @Override
    public Integer initial() {
      return 0;
    }

    @Override
    public Step<Integer> decide(Integer state, Signals signals) {
      return new Step<>(
          state + 1,
          List.of(new Setting<>(CLOCK, "n1", state), new Setting<>(CLOCK, "n2", state)),
          List.of("as it is"));
    }

    @Override
    public String write(Integer state) {
      return state.toString();
    }

    @Override
    public Integer read(String text) {
      return Integer.valueOf(text);
    }
  }

  static Decision<Integer> decision() {
    return new PolicyLoop<>(new Both(), "shop").decide(Signals.of(1, "shop", SIGNAL, 1));
  }

  @Test
  void whatBeginsAnewIsOneKnobWithoutATargetAgain() {
    states.begin("clock", "both", Optional.empty());
    states.accept(decision());
    assertThat(states.knobs()).extracting(ClusterState.Knob::target).containsExactly("n1", "n2");
    states.begin("clock", "both", Optional.empty());
    assertThat(states.knobs())
        .singleElement()
        .matches(knob -> knob.target().isEmpty() && knob.decisions() == 0);
    states.accept(decision());
    assertThat(states.knobs()).extracting(ClusterState.Knob::target).containsExactly("n1", "n2");
  }

  @Test
  void whatHasEndedIsNotDecidedOnAnyMore() {
    states.begin("clock", "both", Optional.empty());
    states.accept(decision());
    states.end("clock");
    states.accept(decision());
    assertThat(states.knobs()).isEmpty();
  }

  private Optional<String> ofSecond = Optional.of("paused");

  /** A node that does not serve has it set though it was decided, and barred, long before. */
  @Test
  void whatIsSetInSpiteOfAnOrderIsToldAsSetAndOnce() {
    List<Decided> told = new ArrayList<>();
    KnobStates ordered =
        new KnobStates(
            InstantSource.system(),
            (knob, target) -> target.equals("n2") ? ofSecond : Optional.of("paused"),
            told::add);
    Decision<Integer> first = decision();
    ordered.accept(first);
    assertThat(told).extracting(Decided::barred).containsExactly(Optional.of("paused"));
    Decision<Integer> again =
        new Decision<>(
            first.controller(), first.signals(), first.before(), first.step(), List.of());
    ordered.accept(again);
    assertThat(told).hasSize(1);
    ofSecond = Optional.of(ClusterOrders.OVERRULED);
    ordered.accept(again);
    ordered.accept(again);
    assertThat(told).hasSize(2);
    assertThat(told.get(1).barred()).isEmpty();
    assertThat(told.get(1).settings()).containsExactly("clock of n2: 0");
    assertThat(told.get(1).reasons()).last().asString().startsWith("set in spite of what is");
    ordered.accept(decision());
    assertThat(told.subList(2, 4))
        .as("a row each of what is set, and what is not")
        .extracting(Decided::barred)
        .containsExactly(Optional.of("paused"), Optional.empty());
  }
}
