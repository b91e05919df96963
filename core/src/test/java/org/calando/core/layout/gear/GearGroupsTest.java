package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GearGroupsTest {
  @Test
  void eachGearHasTheFirstNodesOn() {
    GearGroups groups = GearGroups.parse("2, 4,7");
    assertThat(groups.gears()).isEqualTo(3);
    assertThat(groups.nodes()).isEqualTo(7);
    assertThat(groups.nodesIn(2)).isEqualTo(4);
    assertThat(groups.gearOf(2)).isEqualTo(1);
    assertThat(groups.gearOf(3)).isEqualTo(2);
    assertThat(groups.gearOf(7)).isEqualTo(3);
    assertThat(groups.isOn(4, 2)).isTrue();
    assertThat(groups.isOn(5, 2)).isFalse();
    assertThat(groups.isOn(8, 3)).isFalse();
    assertThat(groups.isOn(0, 3)).isFalse();
    assertThat(groups).hasToString("2,4,7").isEqualTo(GearGroups.parse("2,4,7"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "3,", "0,3", "3,3", "7,3", "a", "-1,2", "3;7", "1,1001", "9999999999"})
  void whatIsNoListOfGearsIsRefused(String text) {
    assertThatThrownBy(() -> GearGroups.parse(text))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("gears: ")
        .hasMessageContaining("remedy: ");
  }

  @Test
  void nodesAndGearsThatAreNotThereAreRefused() {
    GearGroups groups = GearGroups.parse("3,7");
    assertThatThrownBy(() -> groups.gearOf(8)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> groups.gearOf(0)).isInstanceOf(BadRequestException.class);
    assertThatThrownBy(() -> groups.nodesIn(3)).isInstanceOf(BadRequestException.class);
  }
}
