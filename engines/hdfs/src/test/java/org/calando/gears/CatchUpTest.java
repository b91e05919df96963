package org.calando.gears;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.calando.core.FailedWorkException;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.OffloadRecord;
import org.calando.core.layout.gear.RabbitLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CatchUpTest {
  private static final RabbitLayout RABBIT = RabbitLayout.of(new GearGroups(List.of(2, 4)), 2, 2);

  @TempDir Path folder;

  private PaperCluster cluster(int blocks, OffloadRecord... more) throws Exception {
    Path log = folder.resolve("offload.log");
    PaperCluster cluster = new PaperCluster(RABBIT, 2, log);
    StringBuilder lines = new StringBuilder();
    for (int id = 0; id < blocks; id++) {
      cluster.add(id, "/calando/f" + id, 1, 2);
      lines
          .append(
              new OffloadRecord(id, 0, "/calando/f" + id, 0, List.of(1, 3 + id % 2), List.of(1, 2))
                  .line())
          .append('\n');
    }
    for (OffloadRecord record : more) {
      lines.append(record.line()).append('\n');
    }
    Files.writeString(log, lines);
    return cluster;
  }

  @Test
  void blocksGoWhereTheLogSaysTheyBelong() throws Exception {
    PaperCluster cluster = cluster(10);
    new CatchUp(cluster.means(folder.resolve("gears.json")), 2, Set.of()).run();
    for (int id = 0; id < 10; id++) {
      assertThat(cluster.nodes(id)).containsExactly(1, 3 + id % 2);
    }
  }

  /** Parts may take an hour here: what cannot be copied must not be waited for. */
  @Test
  void aNodeWithoutRoomIsToldOfAtOnceAndOthersGetTheirBlocks() throws Exception {
    PaperCluster cluster = cluster(10);
    cluster.full.add(4);
    GearMeans means = cluster.means(folder.resolve("gears.json"));
    assertThatThrownBy(() -> new CatchUp(means, 2, Set.of()).run())
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("5 replicas are not where they belong")
        .hasMessageContaining("FULL");
    assertThat(cluster.nodes(0)).containsExactly(1, 3);
    assertThat(cluster.nodes(1)).containsExactly(1, 2);
    cluster.full.clear();
    new CatchUp(means, 2, Set.of()).run();
    assertThat(
            LongStream.range(0, 10)
                .filter(id -> cluster.nodes(id).contains(2))
                .boxed()
                .collect(Collectors.toList()))
        .isEmpty();
  }

  /** A NameNode that was started again knows nothing of a node that was on all along. */
  @Test
  void whatANodeHoldsThatHasYetToReportIsNotCopiedAnew() throws Exception {
    PaperCluster cluster = cluster(10);
    for (int id = 0; id < 10; id++) {
      cluster.add(id, "/calando/f" + id, 1, 3 + id % 2);
    }
    cluster.unreported.put(1, 50);
    Totals totals = new Totals();
    GearMeans means =
        cluster.means(folder.resolve("gears.json"), Map.of(), PaperCluster.LONG, totals);
    new CatchUp(means, 2, Set.of()).run();
    assertThat(totals.all).extracting(CatchUpTotals::transfers).containsExactly(0L);
  }

  /** Hears what catch-ups totalled. */
  private static final class Totals implements ShiftNews {
    final List<CatchUpTotals> all = new ArrayList<>();

    @Override
    public void tell(String line) {}

    @Override
    public void ended(CatchUpTotals sum) {
      all.add(sum);
    }
  }
}
