package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.calando.session.internal.GoverningLoops.Group;
import org.calando.session.internal.shared.SavedState;
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

  @Test
  void filesThatTellNothingAnyMoreAreRemoved() throws IOException {
    Group group = new Group("shop", false, "", false);
    Path file = GroupFiles.of(folder, group);
    Path other = Files.createFile(folder.resolve("decisions.csv"));
    Files.writeString(file, "damaged");
    assertThat(GroupFiles.in(folder)).as("it is told").containsExactly(group);
    FileTime old = FileTime.from(Instant.now().minusSeconds(610));
    Files.setLastModifiedTime(file, old);
    Files.setLastModifiedTime(other, old);
    assertThat(GroupFiles.in(folder)).isEmpty();
    assertThat(folder).isDirectoryNotContaining("glob:**.state");
    assertThat(other).exists();
  }

  @Test
  void aGroupOfWhichNothingIsKnownHasNoFileToBeginWith() throws IOException {
    Path file = GroupFiles.of(folder, new Group("shop", false, "", false));
    Files.writeString(file, new SavedState(List.of()).text());
    assertThat(GroupFiles.in(folder)).isEmpty();
  }
}
