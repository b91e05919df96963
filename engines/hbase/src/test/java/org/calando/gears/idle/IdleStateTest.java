package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.calando.control.OffSetting;
import org.calando.core.FailedWorkException;
import org.calando.gears.idle.IdleState.Shift;
import org.calando.gears.idle.IdleState.Sleeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdleStateTest {
  private static final List<IdleNode> NODES =
      List.of(
          new IdleNode("n1", "h:1", "d:1"),
          new IdleNode("n2", "h:2", "d:2"),
          new IdleNode("n3", "h:3", "d:3"));

  @TempDir Path folder;

  @Test
  void whoSleepsIsReadAsItWasWritten() {
    for (Set<String> asleep : List.of(Set.<String>of(), Set.of("n2"), Set.of("n2", "n3"))) {
      OffSetting setting = OffSetting.of(asleep);
      assertThat(OffSetting.parse(setting.text())).isEqualTo(setting);
    }
    assertThat(OffSetting.of(Set.of("n3", "n2")).text()).isEqualTo("off n2 n3");
    assertThat(OffSetting.of(Set.of()).words()).isEqualTo("all on");
    assertThatThrownBy(() -> OffSetting.parse("gear=2"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theFileKeepsAllThatAShiftNeeds() {
    Path file = folder.resolve("idle.json");
    assertThat(IdleState.FILE.read(file)).isEqualTo(IdleState.AWAKE);
    List<Sleeper> before = List.of(new Sleeper("n2", List.of("a", "b")));
    Shift shift =
        new Shift(
            before,
            List.of(before.get(0), new Sleeper("n3", List.of())),
            new TreeMap<>(Map.of("d:3", 1_700_000_000_000L)),
            true);
    IdleState state =
        new IdleState(
            before,
            Optional.of(shift),
            new IdleState.Left(List.of(new Sleeper("n1", List.of("c"), true)), true));
    IdleState.FILE.write(state, file);
    assertThat(IdleState.FILE.read(file)).isEqualTo(state);
    IdleState left = state.givenUp();
    assertThat(left.asleep()).isEqualTo(before);
    assertThat(left.left().nodes()).extracting(Sleeper::node).containsExactly("n3", "n1");
    assertThat(left.left().balancer()).isTrue();
    assertThat(shift.homes("n2")).containsExactly("a", "b");
    assertThat(shift.homes("n1")).isEmpty();
  }

  @Test
  void anotherFormatIsRefused() throws IOException {
    Path file = folder.resolve("idle.json");
    Files.writeString(file, "{\"version\": 1}");
    assertThatThrownBy(() -> IdleState.FILE.read(file))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("version 2");
    Files.writeString(file, "{");
    assertThatThrownBy(() -> IdleState.FILE.read(file))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("idle.json");
  }

  @Test
  void theLastSleepFirstAndWakeLast() {
    assertThat(IdleNodeGears.asleep(Set.of(), NODES, 2)).containsExactly("n3");
    assertThat(IdleNodeGears.asleep(Set.of(), NODES, 1)).containsExactly("n2", "n3");
    assertThat(IdleNodeGears.asleep(Set.of("n2", "n3"), NODES, 2)).containsExactly("n3");
    assertThat(IdleNodeGears.asleep(Set.of("n1"), NODES, 1))
        .isEqualTo(new TreeSet<>(Set.of("n1", "n3")));
    assertThat(IdleNodeGears.asleep(Set.of("n2"), NODES, 3)).isEmpty();
    assertThat(IdleNodeGears.asleep(Set.of("n2"), NODES, 4)).isEmpty();
  }
}
