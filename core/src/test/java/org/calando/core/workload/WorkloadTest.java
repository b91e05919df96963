package org.calando.core.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.calando.core.BadRequestException;
import org.calando.core.store.TableSpec;
import org.calando.core.workload.RequestDistribution.Exponential;
import org.calando.core.workload.RequestDistribution.Hotspot;
import org.calando.core.workload.RequestDistribution.ScrambledZipfian;
import org.calando.core.workload.RequestDistribution.Zipfian;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void theDefaultIsYcsbs() {
    Workload workload = Workload.builder().build();
    assertThat(workload.validate()).isEmpty();
    assertThat(workload.mix()).isEqualTo(new Mix(0.95, 0.05, 0, 0, 0));
    assertThat(workload.requests()).isEqualTo(new RequestDistribution.Uniform());
    assertThat(workload.scanLengths()).isEqualTo(Lengths.uniform(1, 1000));
    assertThat(workload.fieldLengths()).isEqualTo(Lengths.constant(100));
    assertThat(workload.tableSpec()).isEqualTo(new TableSpec("usertable", 10, "field"));
  }

  @Test
  void allProblemsAreReportedAndNamed() {
    Workload workload =
        Workload.builder()
            .records(0)
            .insertStart(-1)
            .operationCount(-5)
            .fields(0)
            .fieldLengths(Lengths.uniform(9, 3))
            .mix(new Mix(0.5, 0.2, 0, 0, 0))
            .requests(new Zipfian(1))
            .scanLengths(Lengths.uniform(0, 10))
            .table("drop table;")
            .fieldPrefix("")
            .build();
    assertThat(workload.validate())
        .extracting(problem -> problem.substring(0, problem.indexOf(':')))
        .containsExactlyInAnyOrder(
            "records",
            "insertStart",
            "operationCount",
            "fields",
            "fieldLengths",
            "mix",
            "requests",
            "scanLengths",
            "table",
            "fieldPrefix");
    assertThatThrownBy(() -> workload.requireValid("study.yaml"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageStartingWith("study.yaml: ")
        .hasMessageContaining("the shares sum to 0.7, not to 1")
        .hasMessageContaining("minimum 9 is more than maximum 3")
        .hasMessageContaining("drop table;");
  }

  @Test
  void loadedKeysMustLieWithinTheRecords() {
    assertThat(Workload.builder().records(10).insertStart(5).insertCount(5).build().validate())
        .isEmpty();
    assertThat(Workload.builder().records(10).insertStart(5).insertCount(6).build().validate())
        .singleElement()
        .asString()
        .isEqualTo("insertCount: 6 from 5 on is more than 10 records");
    assertThat(Workload.builder().records(10).insertStart(10).build().validate())
        .singleElement()
        .asString()
        .startsWith("insertStart: 10");
    assertThat(Workload.builder().records(10).insertCount(-1).build().validate())
        .singleElement()
        .asString()
        .startsWith("insertCount: -1");
    assertThat(Workload.builder().insertCount(Long.MAX_VALUE).insertStart(1).build().validate())
        .hasSize(1);
  }

  @Test
  void sharesMustBeSharesAndSumToOne() {
    assertThat(mix(new Mix(0.1, 0.2, 0.3, 0.15, 0.25))).isTrue();
    assertThat(mix(new Mix(1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0))).isTrue();
    assertThat(mix(new Mix(0.333, 0.333, 0.333, 0, 0))).isFalse();
    assertThat(mix(new Mix(1.5, -0.5, 0, 0, 0))).isFalse();
    assertThat(mix(new Mix(Double.NaN, 1, 0, 0, 0))).isFalse();
    assertThat(mix(new Mix(0, 0, 0, 0, 0))).isFalse();
  }

  @Test
  void parametersOfDistributionsAreChecked() {
    assertThat(requests(new Zipfian(0.5))).isTrue();
    assertThat(requests(new Zipfian(0))).isFalse();
    assertThat(requests(new ScrambledZipfian(1.2))).isFalse();
    assertThat(requests(new Zipfian(Double.NaN))).isFalse();
    assertThat(requests(new Hotspot(0, 1))).isTrue();
    assertThat(requests(new Hotspot(1.1, 0.5))).isFalse();
    assertThat(requests(new Hotspot(0.5, -0.1))).isFalse();
    assertThat(requests(new Exponential(95, 0.5))).isTrue();
    assertThat(requests(new Exponential(100, 0.5))).isFalse();
    assertThat(requests(new Exponential(95, 0))).isFalse();
  }

  @Test
  void aBuilderOfAWorkloadMakesTheSameAgain() {
    Workload workload =
        Presets.byName("ycsb-e").orElseThrow().records(50).insertStart(10).insertCount(7).build();
    assertThat(workload.toBuilder().build()).isEqualTo(workload);
  }

  @Test
  void moreRecordsAreLoadedTooUnlessACountWasSet() {
    Workload all = Workload.builder().records(50).insertStart(10).build();
    assertThat(all.toBuilder().records(100).build().insertCount()).isEqualTo(90);
    Workload some = Workload.builder().records(50).insertStart(10).insertCount(7).build();
    assertThat(some.toBuilder().records(100).build().insertCount()).isEqualTo(7);
  }

  @Test
  void everyDistributionIsFoundByItsName() {
    for (String name : RequestDistribution.names()) {
      RequestDistribution distribution = RequestDistribution.byName(name).orElseThrow();
      assertThat(distribution.name()).isEqualTo(name);
      assertThat(requests(distribution)).isTrue();
    }
    assertThat(RequestDistribution.byName("histogram")).isEmpty();
  }

  private static boolean mix(Mix mix) {
    return Workload.builder().mix(mix).build().validate().isEmpty();
  }

  private static boolean requests(RequestDistribution requests) {
    return Workload.builder().requests(requests).build().validate().isEmpty();
  }
}
