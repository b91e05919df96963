package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.calando.gears.Member;
import org.calando.gears.Member.Service;
import org.calando.gears.StoredBlock;
import org.junit.jupiter.api.Test;

class LocalBytesTest {
  private static final List<Member> MEMBERS =
      List.of(
          new Member(1, "h:1", true, Service.IN_SERVICE, 1),
          new Member(2, "h:2", true, Service.IN_SERVICE, 1));

  private static StoredBlock block(String path, long bytes, Integer... nodes) {
    return new StoredBlock(
        path, 0, 1, bytes, new TreeSet<>(List.of(nodes)), false, false, nodes.length);
  }

  @Test
  void bytesOfARegionsFilesCountWhereTheyAre() {
    LocalBytes local = new LocalBytes("/hbase", MEMBERS);
    local.add(block("/hbase/data/ns/t/r1/f/a", 100, 1, 2));
    local.add(block("/hbase/data/ns/t/r1/f/b", 50, 2));
    local.add(block("/hbase/data/ns/t/r2/f/a", 50, 1));
    assertThat(local.bytes("r1")).isEqualTo(150);
    assertThat(local.on("r1", "h:1")).isEqualTo(100);
    assertThat(local.on("r1", "h:2")).isEqualTo(150);
    assertThat(local.on("r1", "unknown")).isZero();
    assertThat(local.copies()).isEqualTo(2);
    assertThat(local.share(Map.of("r1", "h:1", "r2", "h:1"))).isEqualTo(0.75);
    assertThat(local.share(Map.of("r1", "h:2", "r2", "h:2"))).isEqualTo(0.75);
    assertThat(local.share(Map.of("r1", "h:2", "r2", "h:1"))).isEqualTo(1);
    assertThat(local.share(Map.of())).as("nothing is far").isEqualTo(1);
  }

  @Test
  void whatIsNoRegionsFileDoesNotCount() {
    LocalBytes local = new LocalBytes("/hbase", MEMBERS);
    for (String path :
        List.of(
            "/hbase/WALs/s/log",
            "/hbase/data/ns/t/r1/.regioninfo",
            "/hbase/data/ns/t/r1/.tmp/f/a",
            "/hbase/data/ns/t/.tabledesc/f/a",
            "/hbase/data/ns/t/r1/recovered.edits/1",
            "/other/data/ns/t/r1/f/a",
            "/hbase2/data/ns/t/r1/f/a")) {
      local.add(block(path, 1, 1));
    }
    assertThat(local.bytes("r1")).isZero();
  }
}
