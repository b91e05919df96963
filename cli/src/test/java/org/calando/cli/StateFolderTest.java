package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
  @TempDir Path folder;

  @Test
  void emptyFoldersAreRemovedUpToOneThatIsNot() throws IOException {
    Path base = folder.resolve("base");
    Path local = base.resolve("local");
    Files.createDirectories(local.resolve("redis"));
    StateFolder.removeEmpty(List.of(local, base));
    assertThat(local.resolve("redis")).isEmptyDirectory();
    Files.delete(local.resolve("redis"));
    Files.createDirectory(base.resolve("journals"));
    StateFolder.removeEmpty(List.of(local, base));
    assertThat(local).doesNotExist();
    assertThat(base.resolve("journals")).isEmptyDirectory();
    Files.delete(base.resolve("journals"));
    StateFolder.removeEmpty(List.of(local, base));
    assertThat(base).doesNotExist();
  }

  @Test
  void aLinkToAFolderStays() throws IOException {
    Path disk = Files.createDirectories(folder.resolve("disk/hdfs")).getParent();
    Path local = Files.createSymbolicLink(folder.resolve("local"), disk);
    StateFolder.removeEmpty(List.of(local, folder.resolve("absent")));
    assertThat(local.resolve("hdfs")).isDirectory();
  }
}
