package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.control.Patience;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.core.layout.gear.RabbitLayout;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OffloadRebuildTest {
  private static final RabbitLayout RABBIT = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);
  private static final OffloadRecord NEEDED =
      new OffloadRecord(3, 5, "/calando/away", 0, List.of(1, 3), List.of(1, 2));
  private static final OffloadRecord SETTLED =
      new OffloadRecord(4, 5, "/calando/gone", 0, List.of(1, 3), List.of(1, 2));

  @TempDir Path folder;
  private Path log;
  private PaperCluster cluster;
  private GearMeans means;

  @BeforeEach
  void prepare() throws IOException {
    log = folder.resolve("offload.log");
    cluster = new PaperCluster(RABBIT, 1, log);
    means = cluster.means(folder.resolve("gears.json"));
    cluster.add(1, "/calando/away", 1, 2);
    cluster.add(2, "/calando/unknown", 1, 2);
    Files.writeString(
        log, NEEDED.line() + "\n" + SETTLED.line() + "\n" + NEEDED.line().substring(0, 9));
  }

  @Test
  void theNewLogHoldsWhatIsNeededAndTheOldOneIsKept() throws Exception {
    String before = Files.readString(log);
    OffloadRebuild dry = OffloadRebuild.of(means, 1, true);
    assertThat(Files.readString(log)).isEqualTo(before);
    assertThat(dry.old()).isEmpty();
    OffloadRebuild made = OffloadRebuild.of(means, 1, false);
    assertThat(made.records()).hasSameSizeAs(dry.records());
    OffloadRecord.Log now = OffloadRecord.read(Files.readString(log));
    assertThat(now.damaged()).isZero();
    assertThat(now.isTorn()).isFalse();
    assertThat(now.records())
        .extracting(OffloadRecord::path)
        .containsExactly("/calando/away", "/calando/unknown");
    assertThat(now.records().get(0)).isEqualTo(NEEDED);
    assertThat(made.old()).contains(folder.resolve("offload.log.old"));
    assertThat(Files.readString(made.old().orElseThrow())).isEqualTo(before);
    assertThat(OffloadAudit.of(means).isRight()).isTrue();
  }

  @Test
  void linesThatCameToTheOldLogMeanwhileAreAddedToTheNewOne() throws Exception {
    Path old = folder.resolve("old");
    Files.writeString(old, NEEDED.line() + "\n");
    long read = Files.size(old);
    Files.writeString(old, SETTLED.line() + "\n", StandardOpenOption.APPEND);
    Patience patience =
        new Patience(
            Duration.ofMillis(1),
            PaperCluster.LONG,
            PaperCluster.LONG,
            PaperCluster.LONG,
            PaperCluster.LONG);
    Files.writeString(log, NEEDED.line() + "\n");
    LateRecords.carryOver(old, read, log, patience);
    assertThat(OffloadRecord.read(Files.readString(log)).records())
        .containsExactly(NEEDED, SETTLED);
  }

  @Test
  void withoutALogOneIsMadeAndNothingIsKept() throws Exception {
    Files.delete(log);
    OffloadRebuild made = OffloadRebuild.of(means, 1, false);
    assertThat(made.old()).isEqualTo(Optional.empty());
    assertThat(OffloadRecord.read(Files.readString(log)).records()).hasSize(2);
  }

  @Test
  void itIsRefusedWhileANodeDoesNotSay() throws Exception {
    cluster.silent.add(2);
    String before = Files.readString(log);
    assertThatThrownBy(() -> OffloadRebuild.of(means, 1, false))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("h:2");
    assertThat(Files.readString(log)).isEqualTo(before);
    assertThat(folder.resolve("offload.log.old")).doesNotExist();
  }
}
