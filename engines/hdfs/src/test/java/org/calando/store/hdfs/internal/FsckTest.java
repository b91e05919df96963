package org.calando.store.hdfs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.calando.store.hdfs.BlockPlaces;
import org.calando.store.hdfs.BlockPlaces.State;
import org.junit.jupiter.api.Test;

class FsckTest {
  private final List<BlockPlaces> told = new ArrayList<>();
  private final Fsck fsck = new Fsck(told::add);

  private void read(String report) {
    report.lines().forEach(fsck::line);
  }

  @Test
  void replicasAreToldByNodeAndStateWhateverStandsBetween() {
    read(
        """
        FSCK started by root (auth:SIMPLE) from /127.0.0.1 for path /calando at Sun Nov 22
        /calando/an old one 65636 bytes, replicated: replication=2, 2 block(s):  OK
        0. BP-1-127.0.0.1-2:blk_3_4 len=65536 Live_repl=1  [DatanodeInfoWithStorage[127.0.0.1:1,DS-5,DISK](LIVE), DatanodeInfoWithStorage[127.0.0.1:2,DS-6,DISK](IN MAINTENANCE)]
        1. BP-1-127.0.0.1-2:blk_5_6 len=100 MISSING!

        /calando/new 10 bytes, replicated: replication=3, 1 block(s), OPENFORWRITE:  Under replicated BP-1-127.0.0.1-2:blk_7_8. Target Replicas is 3 but found 1 live replica(s).
        0. BP-1-127.0.0.1-2:blk_7_8 len=10 Live_repl=1  [DatanodeInfoWithStorage[127.0.0.1:1,DS-5,DISK](STALE_BLOCK_CONTENT), DatanodeInfoWithStorage[127.0.0.1:3,DS-7,DISK](EXCESS)]
        """);
    assertThat(told)
        .containsExactly(
            new BlockPlaces(
                "/calando/an old one",
                3,
                65_536,
                Map.of("127.0.0.1:1", State.LIVE, "127.0.0.1:2", State.MAINTENANCE)),
            new BlockPlaces("/calando/an old one", 5, 100, Map.of()),
            new BlockPlaces(
                "/calando/new",
                7,
                10,
                Map.of("127.0.0.1:1", State.STALE, "127.0.0.1:3", State.EXCESS)));
  }

  @Test
  void aReportThatBreaksOffIsNotComplete() {
    read("/calando/x 0 bytes, replicated: replication=2, 0 block(s):  OK");
    assertThat(fsck.isComplete()).isFalse();
    read("FSCK ended at Sun Nov 22 12:00:00 UTC 2026 in 3 milliseconds");
    assertThat(fsck.isComplete()).isTrue();
    assertThat(told).isEmpty();
  }
}
