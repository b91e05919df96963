package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.engine.Finding;
import org.calando.engine.StoreSpec;
import org.calando.gears.GearFiles;
import org.calando.gears.GearSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HdfsDoctorTest {
  @TempDir Path folder;

  @Test
  void whatAShiftReliesOnIsLookedAt() throws IOException {
    Path inventory = folder.resolve("mine.yaml");
    Files.writeString(
        inventory,
        """
        hdfs:
          namenode: "hdfs://127.0.0.1:1"
          http: "127.0.0.1:1"
          hosts-file: hosts.json
          gear-file: gears.json
        nodes:
          - {name: d1, address: 127.0.0.1, port: 9866}
          - {name: d2, address: 127.0.0.1, port: 9867}
        """);
    wrong(inventory, "the gear file cannot be read");
    GearSpec spec = GearSpec.rabbit(List.of(1, 3));
    Path log = folder.resolve("offload.log");
    List<String> nodes = List.of("127.0.0.1:9866", "127.0.0.1:9867", "127.0.0.1:9868");
    GearFiles.write(spec.file(nodes, log), folder.resolve("gears.json"));
    wrong(inventory, "only in the gear file: [127.0.0.1:9868]");
    spec = GearSpec.rabbit(List.of(1, 2));
    GearFiles.write(spec.file(nodes.subList(0, 2), log), folder.resolve("gears.json"));
    wrong(inventory, "the NameNode does not answer");
  }

  private static void wrong(Path inventory, String text) {
    StoreSpec store = StoreSpec.ofInventory(StudyFile.readInventory(inventory));
    NodeProfile profile = Profiles.byName(Profiles.DEFAULT).orElseThrow();
    List<Finding> findings =
        store.kind().reach(store, profile, inventory.getParent()).examine(Optional.empty());
    assertThat(findings).singleElement().matches(finding -> !finding.ok());
    assertThat(findings.get(0).text()).contains(text);
  }
}
