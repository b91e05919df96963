package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.session.internal.GoverningLoops.Group;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupFilesTest {
  @TempDir Path folder;

  @Test
  void aFileTellsWhoseItIsWhateverItsPlaceIsCalled() throws IOException {
    List<Group> groups =
        List.of(
            new Group("shop", false, "", false),
            new Group("shop", true, "../eu west/1", true),
            new Group("Shop_2", true, "dc1", false));
    for (Group group : groups) {
      Path file = GroupFiles.of(folder, group);
      assertThat(file.getParent()).isEqualTo(folder);
      Files.createFile(file);
    }
    assertThat(GroupFiles.in(folder)).containsExactlyInAnyOrderElementsOf(groups);
  }

  @Test
  void othersFilesTellNothing() throws IOException {
    assertThat(GroupFiles.in(folder.resolve("none"))).isEmpty();
    for (String name : List.of("decisions.csv", "shop.state", "a+b+c+d.state.new", "%zz.state")) {
      Files.createFile(folder.resolve(name));
    }
    assertThat(GroupFiles.in(folder)).isEmpty();
  }
}
