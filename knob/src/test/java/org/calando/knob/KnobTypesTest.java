package org.calando.knob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.calando.core.BadRequestException;
import org.calando.core.policy.Knob;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Plan;
import org.calando.core.store.Capable;
import org.calando.schema.ScalarType;
import org.calando.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnobTypesTest {
  private static final Capable NOTHING =
      new Capable() {
        @Override
        public <C> Optional<C> find(Class<C> capability) {
          return Optional.empty();
        }
      };

  private static KnobAxis<?> only(String name) {
    return KnobTypes.checked(List.of(new Named(name, Knob.Lifetime.LEASED))).get(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Dial", "a_b", "-a", "a-", "a--b", "1a", "a b", "a.b"})
  void aNameThatFilesCannotHaveIsRefused(String name) {
    assertThatThrownBy(() -> only(name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the knob '" + name + "'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gear", "clock", "tokens", "cpufreq", "affinity"})
  void aNameThatJournalsHaveForAnotherKnobIsRefused(String name) {
    assertThatThrownBy(() -> only(name)).hasMessageContaining("has the name of another knob");
  }

  @Test
  void twoOfOneNameAreRefused() {
    Named one = new Named("dial", Knob.Lifetime.LEASED);
    assertThatThrownBy(() -> KnobTypes.checked(List.of(one, one)))
        .hasMessageContaining("the knob 'dial' of " + Named.class.getName());
    assertThat(only("dial-2").axis().name()).isEqualTo("dial-2");
  }

  @Test
  void aKnobThatIsCalledAsAPolicyOfAnotherIsRefused() {
    List<Axis<?>> first = List.of(only("dial").axis());
    assertThatThrownBy(() -> new SettingType(first, List.of(only("dial").axis())))
        .hasMessage("the knob dial is called as dial or a policy of it");
  }

  @Test
  void aDurableKnobIsRefusedBeforeAnythingIsSet() {
    KnobAxis<?> durable =
        KnobTypes.checked(List.of(new Named("dial", Knob.Lifetime.DURABLE))).get(0);
    assertThatThrownBy(() -> durable.bind(NOTHING, "matrix.dial"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("matrix.dial: the knob dial of here stays as it is set");
  }

  private record Named(String name, Knob.Lifetime lifetime) implements KnobType<Integer> {
    @Override
    public KnobId<Integer> id() {
      return new KnobId<>(name, Integer.class);
    }

    @Override
    public String doc() {
      return "A number.";
    }

    @Override
    public String example() {
      return "[1]";
    }

    @Override
    public ScalarType<Integer> values() {
      return Types.integer(0, 9);
    }

    @Override
    public Optional<Knob<Integer>> bind(Capable cluster) {
      return Optional.of(reach("here"));
    }

    @Override
    public String needs() {
      return "nothing";
    }

    @Override
    public Knob<Integer> reach(String target) {
      return new One(id(), target, lifetime);
    }
  }

  private record One(KnobId<Integer> id, String target, Knob.Lifetime lifetime)
      implements Knob<Integer> {
    @Override
    public Integer current() {
      return 1;
    }

    @Override
    public Plan plan(Integer from, Integer to) {
      return new Plan(id.name(), target, to.toString(), List.of());
    }
  }
}
