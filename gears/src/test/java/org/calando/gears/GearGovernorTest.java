package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.calando.core.FailedWorkException;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearLimits;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LoadGearPolicy;
import org.calando.store.hdfs.NodeTraffic;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By a clock that the test moves; each node serves 1000 MB/s. */
class GearGovernorTest {
  @TempDir private Path folder;

  private PaperCluster cluster;
  private GearGovernor governor;
  private Path path;
  private long seconds;

  @BeforeEach
  void begin() {
    path = folder.resolve("gears.json");
    RabbitLayout layout = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);
    cluster = new PaperCluster(layout, 2, folder.resolve("offload.log"));
    cluster.install(path);
    GearModel model =
        GearModel.ofEqualNodes(
            List.of(2, 4),
            Profiles.byName(Profiles.DEFAULT).orElseThrow(),
            1000,
            30,
            CatchUpModel.none(2));
    governor =
        new GearGovernor(
            cluster.means(path, Map.of()),
            new LoadGearPolicy(model, GearLimits.defaults().withResidency(0)),
            this::traffic,
            () -> Duration.ofSeconds(seconds).toNanos(),
            () -> 0,
            false,
            "a test");
  }

  /** Each node reads 900 MB/s: the highest gear is needed. */
  private List<NodeTraffic> traffic() {
    if (cluster.mute) {
      throw new FailedWorkException("the NameNode does not answer", "paper", "start it");
    }
    return cluster.members().stream()
        .map(member -> new NodeTraffic(member.name(), 1, seconds * 900_000_000, 0))
        .toList();
  }

  private GearGovernor.Look look() throws InterruptedException {
    seconds += 30;
    return governor.look();
  }

  @Test
  void aNameNodeThatDoesNotAnswerIsToldAndChangesNothing() throws InterruptedException {
    assertThat(look().silence()).isEmpty();
    assertThat(look().megabytesPerSecond()).contains(3600.0);
    cluster.mute = true;
    for (int i = 0; i < 3; i++) {
      GearGovernor.Look silent = look();
      assertThat(silent.silence().orElseThrow()).contains("the NameNode does not answer");
      assertThat(silent.decided()).isEqualTo(silent.gear());
      assertThat(silent.answersAgain()).isFalse();
    }
    cluster.mute = false;
    GearGovernor.Look again = look();
    assertThat(again.answersAgain()).isTrue();
    assertThat(again.megabytesPerSecond()).as("counted over the silence").contains(3600.0);
    assertThat(look().answersAgain()).isFalse();
  }
}
