package org.calando.core.policy.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.calando.core.energy.NodeProfile;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.RabbitLayout;
import org.junit.jupiter.api.Test;

class LayoutGearsTest {
  private static final GearGroups GROUPS = GearGroups.parse("3,7");

  @Test
  void rabbitOwesAWholeReplicaAndServesEvenly() {
    GearModel model = model(RabbitLayout.of(GROUPS, 3, 2));
    assertThat(model.catchUp().movedPerByte(1, 2)).isCloseTo(1, within(1e-9));
    assertThat(model.catchUp().homedPerByte().get(0)).isCloseTo(1, within(1e-9));
    assertThat(model.capacity(1)).isCloseTo(300, within(1e-9));
    assertThat(model.capacity(2)).isCloseTo(700, within(1e-6));
  }

  @Test
  void paraidOwesWhatIsEvenlyOnTheOthers() {
    GearModel model = model(ParaidLayout.of(GROUPS, ParaidLayout.Order.EVEN));
    assertThat(model.catchUp().movedPerByte(1, 2)).isCloseTo(4.0 / 7, within(1e-9));
    assertThat(model.catchUp().homedPerByte().get(0)).isCloseTo(1, within(1e-9));
    assertThat(model.capacity(1)).isCloseTo(300, within(1e-9));
    assertThat(model.capacity(2)).isCloseTo(700, within(1e-6));
  }

  private static GearModel model(GearLayout layout) {
    NodeProfile profile = GearCases.node(10, 100, 200, 60, 150);
    return LayoutGears.of(layout, profile, 100, 20, 50e6, 1e-6, 0.1);
  }
}
