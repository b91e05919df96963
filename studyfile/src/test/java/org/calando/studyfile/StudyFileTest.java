package org.calando.studyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.energy.EnergyPricing;
import org.calando.core.energy.PowerCurve;
import org.calando.core.energy.Profiles;
import org.calando.core.layout.WarmShare;
import org.calando.core.workload.Lengths;
import org.calando.core.workload.Mix;
import org.calando.core.workload.Presets;
import org.calando.core.workload.RequestDistribution;
import org.calando.core.workload.Workload;
import org.calando.engine.InventorySpec;
import org.calando.engine.LinkDelay;
import org.calando.engine.LocalSpec;
import org.calando.engine.StoreLayout;
import org.calando.engine.StoreSpec;
import org.calando.engine.cassandra.CassandraLocal;
import org.calando.engine.cassandra.CassandraLocal.Ports;
import org.calando.knob.DrivenKnobs;
import org.calando.power.MeterException;
import org.calando.power.PowerSource;
import org.calando.power.Ticker;
import org.calando.studyfile.workload.RateSpec;
import org.calando.studyfile.workload.WorkloadBinder;
import org.calando.studyfile.workload.WorkloadSpec;
import org.calando.studyfile.workload.WorkloadSpec.WarmUp;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyFileTest {
  private static final long MILLIS = 1_000_000;
  private static final long SECONDS = 1_000 * MILLIS;

  private static StudySpec good(String name, String... overrides) {
    return StudyFile.read(TestFiles.CONFIG.resolve("good/" + name + ".yaml"), List.of(overrides));
  }

  @Test
  void designsExampleIsUnderstood() {
    StudySpec study = good("closed-loop");

    assertThat(study.name()).isEqualTo("energy-of-consistency");
    LocalSpec local = study.store().local().orElseThrow();
    assertThat(local.nodes()).isEqualTo(3);
    assertThat(local.linkDelay().nanos(0, 2)).isEqualTo(5 * MILLIS);
    assertThat(local.linkDelay().nanos(1, 1)).isZero();
    assertThat(local.heapBytes()).isEqualTo(256L << 20);
    assertThat(study.store().replicationFactor()).isEqualTo(3);
    assertThat(TestFiles.levels(study.matrix().get(0)))
        .containsExactly("ONE", "QUORUM", "ALL", "ONE/QUORUM");
    assertThat(study.matrix().get(0).of(Axes.THREADS)).containsExactly(5, 20);
    assertThat(study.matrix().get(0).isOpenLoop()).isFalse();
    assertThat(study.matrix().get(0).maxInFlight()).isZero();
    assertThat(study.runs()).isEqualTo(4 * 2 * 3);
    assertThat(study.staleness()).isEqualTo(StudySpec.Staleness.ORACLE);
    assertThat(study.power().profile()).isEqualTo(Profiles.byName("xeon-x3440").orElseThrow());
  }

  @Test
  void everyKeyOfLocalClusterIsBound() {
    StoreSpec store = good("open-loop").store();

    assertThat(store.keyspace()).isEqualTo("bench");
    assertThat(store.requestTimeoutNanos()).isEqualTo(2_500 * MILLIS);
    LocalSpec local = store.local().orElseThrow();
    assertThat(local)
        .isEqualTo(
            new LocalSpec(
                2,
                2,
                2,
                new LinkDelay(List.of(List.of(0L, MILLIS), List.of(20 * MILLIS, 0L))),
                List.of("-100, 5", "7"),
                Optional.empty(),
                384L << 20,
                false,
                false,
                List.of(
                    new CassandraLocal(
                        CassandraLocal.Compiler.C2,
                        "127.10",
                        new Ports(19042, 7000, Optional.empty()),
                        Map.of(
                            "concurrent_reads",
                            16L,
                            "extra",
                            Map.of("list", List.of(1L, "two", 3.5, true, "4")))))));
  }

  @Test
  void everyKeyOfWorkloadIsBound() {
    WorkloadSpec workload = good("open-loop").workload();

    assertThat(workload)
        .isEqualTo(
            new WorkloadSpec(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Mix(0.5, 0.4, 0, 0.1, 0)),
                Optional.of(new RequestDistribution.Hotspot(0.1, 0.8)),
                OptionalLong.of(5000),
                0,
                60 * SECONDS,
                new WarmUp(0, 10 * SECONDS),
                OptionalInt.of(2),
                Optional.of(Lengths.zipfian(10, 1024)),
                OptionalInt.of(50),
                Optional.of(Lengths.Shape.UNIFORM),
                Optional.of(false),
                Optional.of(true),
                Optional.empty()));
    assertThat(workload.label()).isEqualTo("custom");
  }

  @Test
  void everyKeyOfOpenLoopAndPowerIsBound() {
    StudySpec study = good("open-loop");

    assertThat(TestFiles.levels(study.matrix().get(0))).containsExactly("TWO", "ALL");
    assertThat(study.matrix().get(0).of(Axes.RATE))
        .containsExactly(
            new RateSpec.Constant(400),
            new RateSpec.Poisson(400),
            new RateSpec.Steps(
                List.of(
                    new RateSpec.Step(100, 10 * SECONDS), new RateSpec.Step(0.5, 90 * SECONDS))),
            new RateSpec.Ramp(100, 400, 30 * SECONDS));
    assertThat(study.matrix().get(0).maxInFlight()).isEqualTo(64);
    assertThat(study.matrix().get(0).clients()).isEqualTo(16);
    assertThat(study.power().profile().curve()).isEqualTo(PowerCurve.points(50.5, 100, 120));
    assertThat(study.power().profile().problems()).isEmpty();
    assertThat(study.power().profile().source()).isEqualTo("measured: \"at the wall\" #1");
  }

  @Test
  void inventoryAndYcsbFileAreReadRelativeToTheStudy() {
    StudySpec study = good("inventory");

    InventorySpec inventory = study.store().inventory().orElseThrow();
    assertThat(inventory.nodes()).extracting(InventorySpec.Node::name).containsExactly("c1", "c2");
    assertThat(inventory.nodes().get(1).pid()).isEqualTo(OptionalLong.of(4711));
    assertThat(study.store().replicas().localDatacenter()).contains("dc1");
    assertThat(study.store().nodes()).isEqualTo(2);
    assertThat(study.store().credentials().orElseThrow().passwordVariable())
        .contains("CASSANDRA_PASSWORD");
    assertThat(study.workload().label()).isEqualTo("workloada");
    assertThat(study.workload().operations()).isEqualTo(5000);
    Workload workload = WorkloadBinder.bind(study.workload()).workload();
    assertThat(workload.records()).isEqualTo(2000);
    assertThat(workload.requests().name()).isEqualTo("scrambled-zipfian");
  }

  @Test
  void presetIsBoundWithOverrides() {
    StudySpec study =
        good("closed-loop", "workload.distribution=uniform", "workload.field-size=10B");

    Workload workload = WorkloadBinder.bind(study.workload()).workload();

    Workload.Builder expected = Presets.byName("heavy-update").orElseThrow();
    assertThat(workload)
        .isEqualTo(
            expected
                .records(10_000)
                .operationCount(100_000)
                .requests(new RequestDistribution.Uniform())
                .fieldLengths(Lengths.constant(10))
                .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"closed-loop", "open-loop", "inventory", "workloads", "events"})
  void canonicalTextReadAgainGivesAnEqualStudyAnywhere(String name) {
    StudySpec study = good(name);

    StudySpec again =
        StudyFile.parse(study.canonicalText(), "study.yaml", Path.of("/nowhere"), List.of());

    assertThat(again.canonicalText()).isEqualTo(study.canonicalText());
    assertThat(again).isEqualTo(study);
    assertThat(again.fingerprint()).isEqualTo(study.fingerprint()).hasSize(64);
  }

  @Test
  void instrumentsOfLocalNodesAreNamedInTheStudy() {
    StudySpec study =
        good(
            "closed-loop",
            "power.meter=snmp",
            "power.pdus={pdu1: {address: 10.0.2.1, mib: apc, community-file: secret}}",
            "power.nodes={n1: {snmp: pdu1, outlet: 7}, n2: {snmp: pdu1, outlets: [2, 1]}}");

    assertThat(study.power().meter()).isEqualTo("snmp");
    List<PowerSource> first = study.power().nodes().getOrDefault("n1", List.of());
    List<PowerSource> second = study.power().nodes().getOrDefault("n2", List.of());
    assertThat(first).singleElement().extracting(PowerSource::kind).isEqualTo("snmp");
    assertThat(first.get(0).describe()).contains("outlet 7 of", "pdu1", "10.0.2.1");
    assertThat(second.get(0).describe()).contains("outlets 1, 2 of");
    assertThat(first).isNotEqualTo(second);
  }

  @Test
  void instrumentsOfNodesOrUnitsThatAreNotThereAreErrors() {
    assertThatThrownBy(
            () ->
                good(
                    "closed-loop",
                    "power.pdus={pdu1: {address: 10.0.2.1, mib: apc}}",
                    "power.nodes={n1: {snmp: pdu2, outlet: 7}, n9: {snmp: pdu1, outlet: 1}}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("power.nodes.n1: there is no PDU 'pdu2'");
    assertThatThrownBy(
            () -> good("closed-loop", "power.nodes={n9: {powercap: /sys/class/powercap}}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("there is no node n9")
        .hasMessageContaining("n1, n2, n3");
    assertThatThrownBy(() -> good("inventory", "power.nodes={c1: {powercap: /sys}}"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("power.nodes: is for a local cluster");
  }

  @Test
  void inventoryThatNamesAUnitAndDescribesNoneIsReadButNotMetered() {
    List<PowerSource> sources =
        good("inventory").store().inventory().orElseThrow().nodes().get(0).sources();
    assertThat(sources).extracting(PowerSource::kind).containsExactly("redfish", "snmp");
    assertThatThrownBy(() -> sources.get(1).open(Ticker.system()))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("pdu1");
  }

  @Test
  void matrixInPartsGivesEachTheLengthOfItsRuns() {
    StudySpec study =
        good(
            "closed-loop",
            "matrix=[{consistency: [ONE], threads: [5]},"
                + " {consistency: [ONE, ALL], rate: [400/s], duration: 20s}]");

    assertThat(study.matrix()).extracting(MatrixSpec::operations).containsExactly(100_000L, 0L);
    assertThat(study.matrix())
        .extracting(MatrixSpec::durationNanos)
        .containsExactly(0L, 20 * SECONDS);
    assertThat(study.runs()).isEqualTo((1 + 2) * 3);
  }

  @Test
  void workloadsOfTheMatrixTakeWhatTheyLeaveOpenFromTheStudys() {
    StudySpec study = good("workloads");

    assertThat(study.workloads())
        .extracting(WorkloadSpec::label)
        .containsExactly("heavy-read", "small", "workloada", "half");
    assertThat(study.runs()).isEqualTo((4 * 2 * 1 + 1) * 2);
    List<Workload> workloads =
        study.workloads().stream()
            .map(workload -> WorkloadBinder.bind(workload).workload())
            .toList();
    assertThat(workloads).extracting(Workload::records).containsExactly(500L, 500L, 500L, 50L);
    assertThat(workloads)
        .extracting(Workload::fieldLengths)
        .containsExactly(
            Lengths.constant(20), Lengths.constant(7), Lengths.constant(20), Lengths.constant(20));
    assertThat(workloads)
        .extracting(workload -> workload.mix().read())
        .containsExactly(0.8, 0.2, 0.5, 0.5);
    assertThat(study.workloads()).allMatch(workload -> workload.warmUp().operations() == 10);
    MatrixSpec first = study.matrix().get(0);
    assertThat(first.operations()).isEqualTo(300);
    assertThat(first.of(Axes.WORKLOAD)).extracting(WorkloadSpec::operations).containsOnly(300L);
    assertThat(study.matrix().get(1).operations()).isEqualTo(40);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 6})
  void theThesissStudyHasItsShapeOnFewAndMoreNodes(int nodes) {
    StudySpec study =
        StudyFile.read(
            TestFiles.MODULE.resolveSibling("studies/energy-of-consistency.yaml"),
            List.of("store.local.nodes=" + nodes));
    assertThat(study.runs()).isEqualTo(3 * 3 * 2 * 3);
    assertThat(study.store().nodes()).isEqualTo(nodes);
    assertThat(study.paper()).contains("li-2013");
    assertThat(study.workloads())
        .extracting(workload -> WorkloadBinder.bind(workload).workload().mix())
        .containsExactly(
            Mix.readUpdate(0.8, 0.2), Mix.readUpdate(0.6, 0.4), Mix.readUpdate(0.2, 0.8));
  }

  @Test
  void layoutsAreADimensionOfTheMatrix() {
    StudySpec study =
        StudyFile.read(
            TestFiles.MODULE.resolveSibling("studies/layouts.yaml"), List.of("repeats=5"));
    assertThat(study.matrix())
        .allSatisfy(
            part ->
                assertThat(part.points().stream().map(DrivenKnobs::layout).distinct())
                    .containsExactly(
                        Optional.of(new StoreLayout.Tokens(WarmShare.EVEN)),
                        Optional.of(new StoreLayout.Tokens(WarmShare.HALF))));
    assertThat(study.runs()).isEqualTo(5 * (2 * 2 + 2));
    assertThat(study.canonicalText()).contains("layout: [even, half]");
    assertThat(good("closed-loop").canonicalText()).doesNotContain("layout");
  }

  @Test
  void eventsAreBoundInTheirOrder() {
    StudySpec study = good("events");
    long slow = 20 * MILLIS;
    assertThat(study.events())
        .containsExactly(
            new EventSpec(0, new EventSpec.Links(LinkDelay.uniform(50 * MILLIS))),
            new EventSpec(
                20 * SECONDS,
                new EventSpec.Links(
                    new LinkDelay(
                        List.of(
                            List.of(0L, 5 * MILLIS, slow),
                            List.of(5 * MILLIS, 0L, slow),
                            List.of(slow, slow, 0L))))),
            new EventSpec(30 * SECONDS, new EventSpec.Kill("n3")),
            new EventSpec(30 * SECONDS, new EventSpec.Stop("n2")),
            new EventSpec(45 * SECONDS, new EventSpec.Start("n3")));
    assertThat(study.changesLinks()).isTrue();
    assertThat(study.events().get(4).label()).isEqualTo("start-node n3 at 45s");
    assertThat(study.canonicalText()).contains("  - {at: 30s, kill-node: n3}\n");
    assertThat(good("events", "events=[{at: 1s, kill-node: n1}]").changesLinks()).isFalse();
    assertThat(good("closed-loop").events()).isEmpty();
    assertThat(good("closed-loop").canonicalText()).doesNotContain("events");
  }

  @Test
  void pricesAndThePaperAreBound() {
    StudySpec study = good("workloads");
    assertThat(study.power().pricing()).isEqualTo(new EnergyPricing(0.3, "EUR", 400, 1.5));
    assertThat(study.paper()).contains("li-2013");
    assertThat(good("closed-loop").power().pricing()).isEqualTo(EnergyPricing.NONE);
    assertThat(good("closed-loop").paper()).isEmpty();
  }

  @Test
  void aYcsbFileOfTheMatrixHasItsOwnLengthWhereNothingElseSays() {
    StudySpec study =
        good(
            "workloads",
            "workload.operations=",
            "matrix=[{workload: [{ycsb: ../workloada}], consistency: [ONE], threads: [1]}]");

    assertThat(study.workloads()).extracting(WorkloadSpec::operations).containsExactly(5000L);
  }

  @Test
  void fingerprintTellsMeaningsApartAndNotSpellings() {
    String fingerprint = good("closed-loop").fingerprint();

    assertThat(good("closed-loop", "store.local.link-delay=5000us").fingerprint())
        .isEqualTo(fingerprint);
    assertThat(good("closed-loop", "repeats=").fingerprint()).isEqualTo(fingerprint);
    assertThat(good("closed-loop", "matrix.consistency[0]={read: ONE, write: ONE}").fingerprint())
        .isEqualTo(fingerprint);
    assertThat(good("closed-loop", "seed=43").fingerprint()).isNotEqualTo(fingerprint);
  }

  @Test
  void aNodeThatWasStartedAgainDoesNotMakeAnotherStudy() {
    assertThat(onNode(4711).fingerprint()).isEqualTo(onNode(4712).fingerprint());
    assertThat(onNode(4711).canonicalText()).isNotEqualTo(onNode(4712).canonicalText());
  }

  private static StudySpec onNode(long pid) {
    return StudyFile.parse(
        """
        study: a
        store: {engine: cassandra, rf: 1, inventory: {nodes: [{name: n, address: 127.0.0.1, pid: %d}]}}
        workload: {preset: ycsb-a, operations: 10}
        matrix: {consistency: [ONE], threads: [1]}
        """
            .formatted(pid),
        "study.yaml",
        Path.of(""),
        List.of());
  }
}
