package org.calando.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.layout.gear.GearFile;
import org.calando.core.layout.gear.OffloadRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GearStateTest {
  @TempDir Path folder;
  private long nanos;

  @Test
  void turnsGoOnThroughGears() throws IOException {
    GearState state = state(2);
    assertThat(place(state, "/a", 0)).containsExactly(1, 2);
    Files.writeString(folder.resolve("gears.json"), GearFileWatchTest.text(1) + " ");
    nanos += 50_000_000;
    assertThat(state.getGear()).isEqualTo(1);
    assertThat(place(state, "/a", 0)).hasSize(2);
    assertThat(state.getBlocksPlaced()).isEqualTo(2);
    assertThat(state.getReplicasByNode()).containsExactly(2, 2);
  }

  @Test
  void aBlockThatIsAskedForAgainKeepsItsHomes() throws IOException {
    GearState state = state(2);
    assertThat(place(state, "/a", 0)).containsExactly(1, 2);
    assertThat(place(state, "/a", 2)).containsExactly(1);
    assertThat(state.getBlocksOffloaded()).isEqualTo(1);
    assertThat(state.getBlocksPlaced()).isEqualTo(1);
    assertThat(state.getReplicasByNode()).containsExactly(1, 0);
    // Node 2 stays excluded for the blocks that follow, which are others.
    assertThat(place(state, "/a", 2)).containsExactly(1);
  }

  @Test
  void itTellsWhatIsInForceAndWhyNot() throws IOException {
    GearState state = state(2);
    assertThat(state.getState()).isEqualTo("in force");
    assertThat(state.getLayout()).isEqualTo("rabbit");
    assertThat(state.getGears()).isEqualTo("1,2");
    assertThat(state.getNodes()).containsExactly("h:1", "h:2");
    assertThat(state.getFileHash()).hasSize(8);
    Files.delete(folder.resolve("gears.json"));
    nanos += 50_000_000;
    assertThat(state.getState()).startsWith("there is no file");
    assertThat(state.getGear()).isZero();
    assertThat(state.getLayout()).isEmpty();
  }

  @Test
  void replicasOnNodesThatAreOffAreNotLostBeforeTheseHaveSpoken() throws IOException {
    Path log = folder.resolve("offload.log");
    Files.writeString(
        folder.resolve("gears.json"),
        GearFileWatchTest.text(2, 1).replaceFirst("\\{", "{\"log\":\"" + log + "\","));
    Files.writeString(
        log, new OffloadRecord(0, 0, "/off", 0, List.of(1, 3), List.of(1, 2)).line() + "\n");
    GearState state = new GearState(folder.resolve("gears.json"), () -> nanos);
    GearFile gears = state.current().orElseThrow();
    assertThat(lacking(state, gears, "/old")).isEmpty();
    assertThat(lacking(state, gears, "/off")).containsExactly(2);
    assertThat(state.getNodesHeardOf()).isZero();
    gears.nodes().forEach(state::heardOf);
    assertThat(state.getNodesHeardOf()).isEqualTo(3);
    assertThat(lacking(state, gears, "/old")).containsExactly(2);
    assertThat(state.getReplicationsSpared()).isEqualTo(1);
    assertThat(state.getReplicationsOrdered()).isEqualTo(2);
  }

  @Test
  void otherFilesWaitForNodesThatAreOffUnlessOneThatIsToBeOnIsMissing() throws IOException {
    Path file = folder.resolve("gears.json");
    Files.writeString(file, GearFileWatchTest.text(2, 1));
    GearState state = new GearState(file, () -> nanos);
    GearFile gears = state.current().orElseThrow();
    assertThat(state.isToWait(gears, 1, node -> true)).isTrue();
    assertThat(state.isToWait(gears, 2, node -> node == 1)).isTrue();
    assertThat(state.isToWait(gears, 1, node -> node == 1)).isFalse();
    assertThat(state.isToWait(gears, 0, node -> true)).isFalse();
    assertThat(state.getReplicationsSparedElsewhere()).isEqualTo(2);
    assertThat(state.getNodesHeardOf()).isZero();
    state.heardOf("h:3");
    assertThat(state.isToWait(gears, 1, node -> true)).isFalse();
    assertThat(state.getNodesHeardOf()).isEqualTo(1);
  }

  @Test
  void inTheHighestGearOtherFilesDoNotWait() throws IOException {
    GearState state = state(2);
    assertThat(state.isToWait(state.current().orElseThrow(), 1, node -> true)).isFalse();
  }

  private static List<Integer> lacking(GearState state, GearFile gears, String path) {
    return state.lacking(gears, path, List.of(1), 1, node -> node == 2, 1 << 20);
  }

  private GearState state(int gear) throws IOException {
    Path file = folder.resolve("gears.json");
    Files.writeString(file, GearFileWatchTest.text(gear));
    return new GearState(file, () -> nanos);
  }

  private static List<Integer> place(GearState state, String path, int excluded) {
    GearFile gears = state.current().orElseThrow();
    return state.place(gears, path, 2, node -> node == excluded, node -> node != excluded, 1 << 20);
  }
}
