package org.calando.governor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.calando.control.GearLook;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.FixedGearPolicy;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.GearObservation;
import org.junit.jupiter.api.Test;

class ConsideredGearTest {
  private static final NodeProfile PROFILE = Profiles.byName(Profiles.DEFAULT).orElseThrow();
  private static final GearModel MODEL =
      GearModel.ofEqualNodes(List.of(1, 3), PROFILE, 100, 1, CatchUpModel.none(2));

  private static OptionalDouble saves(
      int before, int decided, Optional<GearObservation.Load> load) {
    GearObservation observed = new GearObservation(1000, 0, "c", before, 0, load);
    var decision = new PolicyLoop<>(new FixedGearPolicy(decided), "c").decide(observed);
    GearLook look =
        new GearLook(
            Optional.of(decision), before, decided, false, Optional.empty(), "", List.of());
    return ConsideredGear.saves(MODEL, look, 100);
  }

  private static Optional<GearObservation.Load> load(long nanos, double perSecond) {
    return Optional.of(new GearObservation.Load(nanos, perSecond, 0));
  }

  @Test
  void withoutLoadTheNodesThatGoOffAreSaved() {
    double off = 2 * (PROFILE.idleWatts() - PROFILE.offWatts());
    assertThat(saves(2, 1, load(950, 0))).hasValue(off);
    assertThat(saves(1, 2, load(950, 0))).hasValue(-off);
    assertThat(saves(2, 2, load(950, 0))).hasValue(0);
    assertThat(saves(2, 1, load(950, 60)).orElseThrow())
        .as("the node that stays works more")
        .isEqualTo(MODEL.watts(2, 60) - MODEL.watts(1, 60));
  }

  @Test
  void whatALoadThatIsNotKnownWouldSaveIsNotKnown() {
    assertThat(saves(2, 1, Optional.empty())).isEmpty();
    assertThat(saves(2, 1, load(899, 0))).as("of long ago").isEmpty();
    assertThat(saves(2, 1, load(950, Double.NaN))).isEmpty();
    GearLook undecided =
        new GearLook(Optional.empty(), 2, 2, false, Optional.of("no answer"), "", List.of());
    assertThat(ConsideredGear.saves(MODEL, undecided, 100)).isEmpty();
  }

  @Test
  void savingsAreSaidWithTheirSign() {
    assertThat(KnobStates.saves(OptionalDouble.of(12.34)))
        .isEqualTo("; that saves 12.3 W, modelled by the nodes' profiles");
    assertThat(KnobStates.saves(OptionalDouble.of(-5)))
        .isEqualTo("; that takes 5.0 W more, modelled by the nodes' profiles");
    assertThat(KnobStates.saves(OptionalDouble.empty())).isEqualTo("; what that saves is unknown");
  }
}
