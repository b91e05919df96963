package org.calando.store.hdfs.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostsFileTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = folder.resolve("hosts.json");
    write(
        """
        [{"hostName": "127.0.0.1", "port": 1, "adminState": "NORMAL", "upgradeDomain": "u1"},
         {"hostName": "127.0.0.1", "port": 2},
         {"hostName": "127.0.0.1", "port": 3, "adminState": "IN_MAINTENANCE",
          "maintenanceExpireTimeInMS": 5},
         {"hostName": "127.0.0.2", "port": 0},
         {"hostName": "127.0.0.1", "port": 9, "adminState": "DECOMMISSIONED"}]
        """);
  }

  private void write(String text) throws IOException {
    Files.writeString(file, text);
  }

  @Test
  void onlyTheNodesThatWereAskedForChange() throws IOException {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    HostsFile hosts = new HostsFile(file);
    hosts.set(List.of("127.0.0.1:1", "127.0.0.1:2"), Set.of("127.0.0.1:2"));
    assertThat(hosts.maintenance()).containsExactly("127.0.0.1:2", "127.0.0.1:3");
    JsonNode all = new ObjectMapper().readTree(file.toFile());
    assertThat(all.path(0).path("upgradeDomain").asText()).isEqualTo("u1");
    assertThat(all.path(2).path("maintenanceExpireTimeInMS").asInt()).isEqualTo(5);
    assertThat(all.path(4).path("adminState").asText()).isEqualTo("DECOMMISSIONED");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r-----");
    assertThat(folder).isDirectoryNotContaining(each -> !each.equals(file));
  }

  @Test
  void maintenanceDoesNotEndByItself() throws IOException {
    new HostsFile(file).set(List.of("127.0.0.1:3"), Set.of("127.0.0.1:3"));
    assertThat(Files.readString(file)).contains("IN_MAINTENANCE").doesNotContain("Expire");
  }

  @Test
  void anEntryWithoutAPortStandsForTheHostsOnlyNode() {
    HostsFile hosts = new HostsFile(file);
    hosts.set(List.of("127.0.0.2:7"), Set.of("127.0.0.2:7"));
    assertThat(hosts.maintenance()).containsExactly("127.0.0.1:3", "127.0.0.2");
    assertThatThrownBy(() -> hosts.set(List.of("127.0.0.2:7", "127.0.0.2:8"), Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("several nodes");
  }

  @Test
  void namesOfHostsAreResolved() {
    HostsFile hosts = new HostsFile(file);
    hosts.set(List.of("localhost:1"), Set.of("localhost:1"));
    assertThat(hosts.maintenance()).contains("127.0.0.1:1");
  }

  @Test
  void aNodeIsNeverAddedBecauseThatShutsOutOthers() throws IOException {
    HostsFile hosts = new HostsFile(file);
    String before = Files.readString(file);
    assertThatThrownBy(() -> hosts.set(List.of("127.0.0.1:1", "127.0.0.1:4"), Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("127.0.0.1:4");
    assertThat(file).hasContent(before);
    write("[]");
    assertThatThrownBy(() -> hosts.set(List.of("127.0.0.1:1"), Set.of()))
        .isInstanceOf(BadRequestException.class);
  }

  @Test
  void aNodeThatIsTakenOutForGoodIsLeft() {
    assertThatThrownBy(() -> new HostsFile(file).set(List.of("127.0.0.1:9"), Set.of()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("DECOMMISSIONED");
  }

  @Test
  void aFileOfAnotherKindIsABadRequest() throws IOException {
    for (String text : List.of("{}", "127.0.0.1\n127.0.0.2\n", "")) {
      write(text);
      assertThatThrownBy(() -> new HostsFile(file).maintenance())
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("hosts.json");
    }
    Files.delete(file);
    assertThatThrownBy(() -> new HostsFile(file).maintenance())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void aLinkIsFollowedAndStays() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    new HostsFile(link).set(List.of("127.0.0.1:1"), Set.of("127.0.0.1:1"));
    assertThat(link).isSymbolicLink();
    assertThat(new HostsFile(file).maintenance()).contains("127.0.0.1:1");
  }
}
