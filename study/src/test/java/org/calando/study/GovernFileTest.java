package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.calando.core.BadRequestException;
import org.calando.engine.GearSettings;
import org.calando.knob.GearSchema;
import org.calando.knob.ManagedClocksSchema;
import org.calando.studyfile.ServiceSpec;
import org.calando.studyfile.StudyFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short forms of a governor's file are read as a file of one cluster. */
class GovernFileTest {
  private static final String NODES = "nodes: [{name: d1, address: 127.0.0.1, port: 9866}]\n";

  @TempDir Path folder;

  @BeforeEach
  void inventories() throws IOException {
    Files.writeString(folder.resolve("mine.yaml"), NODES);
    Files.writeString(
        Files.createDirectories(folder.resolve("local/hdfs")).resolve("inventory.yaml"), NODES);
  }

  private ServiceSpec read(String yaml, String... overrides) throws IOException {
    return StudyFile.readService(
        Files.writeString(folder.resolve("govern.yaml"), yaml),
        List.of(overrides),
        folder.resolve("local")::resolve);
  }

  @Test
  void gearsAreThoseOfOneClusterThatSomebodySeesTo() throws IOException {
    ServiceSpec spec =
        read(
            "gears: {inventory: mine.yaml, policy: {load: {head-room: 30%}}, capacity: 60MB,"
                + " period: 10s, profile: epyc-7763, bandwidth: 20MB}\n",
            "gears.period=5s");
    assertThat(StudyFile.isGovernor(folder.resolve("govern.yaml"))).isTrue();
    assertThat(StudyFile.isGovernor(folder.resolve("mine.yaml"))).isFalse();
    assertThat(spec.attended()).isTrue();
    assertThat(spec.listen()).isEmpty();
    assertThat(spec.clusters()).hasSize(1);
    ServiceSpec.Cluster cluster = spec.clusters().get(0);
    assertThat(cluster.name()).isEqualTo("hdfs");
    assertThat(cluster.store().engine()).isEqualTo("hdfs");
    assertThat(cluster.store().inventory().orElseThrow().nodes()).hasSize(1);
    assertThat(cluster.control().axes()).containsExactly(GearSchema.AXIS);
    assertThat(cluster.control().get(GearSchema.AXIS).label()).isEqualTo("load(30%)");
    GearSettings gears = cluster.gears().orElseThrow();
    assertThat(gears.capacity().perSecond()).isEqualTo(62_914_560.0);
    assertThat(gears.capacity().ofBytes()).isTrue();
    assertThat(gears.bandwidth()).contains(20L << 20);
    assertThat(cluster.periodNanos()).isEqualTo(5_000_000_000L);
    assertThat(cluster.power().profile().name()).isEqualTo("epyc-7763");
  }

  @Test
  void clocksAreThoseOfOneClusterThatSomebodySeesTo() throws IOException {
    ServiceSpec spec =
        read(
            "redis: {inventory: {nodes: [{name: n1, address: 127.0.0.1}]}, user: me,"
                + " password-file: secret, sentinels: [127.0.0.1]}\nclocks: {cpus: {n1: 0}}\n",
            "clock=slack");
    assertThat(StudyFile.isGovernor(folder.resolve("govern.yaml"))).isTrue();
    assertThat(spec.attended()).isTrue();
    ServiceSpec.Cluster cluster = spec.clusters().get(0);
    assertThat(cluster.name()).isEqualTo("redis");
    assertThat(cluster.control().axes()).containsExactly(ManagedClocksSchema.AXIS);
    assertThat(cluster.control().get(ManagedClocksSchema.AXIS)).isEqualTo("slack");
    assertThat(cluster.clocks()).isPresent();
    assertThat(cluster.store().inventory().orElseThrow().nodes())
        .allMatch(node -> node.port() == 6379);
    assertThat(cluster.store().credentials().orElseThrow().user()).isEqualTo("me");
    assertThat(cluster.store().settings()).hasSize(1);
    assertRefused("clocks: {cpus: {n1: 0}}\n", "redis: is missing");
  }

  @Test
  void theLocalClusterIsThatOfLocalStart() throws IOException {
    Path local = folder.resolve("local/hdfs");
    assertThat(folder(read("gears: {local: true, policy: 1, capacity: 1MB}\n"))).isEqualTo(local);
    String cluster =
        "clusters: [{name: a, engine: %s, local: true, control: [{gear: 1}],"
            + " gears: {capacity: 1MB}}]\n";
    assertThat(folder(read(cluster.formatted("hdfs")))).isEqualTo(local);
    assertRefused(cluster.formatted("hbase"), "there is no local cluster");
    assertRefused(
        cluster.formatted("hdfs, inventory: mine.yaml"),
        "clusters[0].local: given beside an inventory");
  }

  /** The governor, its dry run and doctor all read the file so. */
  @Test
  void aPeriodInWhichNodesReportNothingIsRefused() throws IOException {
    Files.writeString(
        folder.resolve("rows.yaml"),
        "hbase: {quorum: [z1]}\nnodes: [{name: c1, address: 10.0.0.1}]\n");
    String cluster = "clusters: [{name: a, engine: hbase, inventory: rows.yaml%s}]\n";
    for (String period : List.of("1s", "3s")) {
      assertThatThrownBy(() -> read(cluster.formatted(", period: " + period)))
          .as(period)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("clusters[0].period: is not more than the 3 s")
          .hasMessageContaining("write more, such as 10s");
    }
    assertThat(read(cluster.formatted(", period: 3001ms")).clusters()).hasSize(1);
    assertThat(read(cluster.formatted("")).clusters()).as("10 s").hasSize(1);
    assertThat(
            read("clusters: [{name: a, engine: hdfs, inventory: mine.yaml, period: 1s}]\n")
                .clusters())
        .as("asked themselves")
        .hasSize(1);
  }

  private static Path folder(ServiceSpec spec) {
    return spec.clusters().get(0).store().inventory().orElseThrow().folder();
  }

  @Test
  void oneClusterIsToBeNamed() {
    assertRefused("gears: {policy: 1, capacity: 1MB}\n", "gears.inventory: is missing");
    assertRefused("gears: {policy: 1, capacity: 1MB, local: false}\n", "write local: true");
    assertRefused(
        "gears: {policy: 1, capacity: 1MB, local: true, inventory: mine.yaml}\n",
        "given beside local");
    assertRefused("gears: {local: true, capacity: 1MB}\n", "gears.policy: is missing");
    assertRefused("gears: {local: true, policy: 1}\n", "gears.capacity: is missing");
  }

  private void assertRefused(String yaml, String words) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(words);
  }
}
