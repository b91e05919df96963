package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScenariosTest {
  @Test
  void axesRunAsTheThesissDo() {
    Scenarios all = of(SampleStudy.thesis(1), Load.Kind.CLOSED);
    assertThat(all.workloads()).containsExactly("heavy-update", "moderate", "heavy-read");
    assertThat(all.loads())
        .extracting(Scenarios::name)
        .containsExactly("5 threads", "20 threads", "40 threads");
    assertThat(all.levels()).containsExactly("ONE", "QUORUM", "ALL");
    assertThat(all.zoomLevel()).isEqualTo("QUORUM");
    assertThat(all.middleWorkload()).isEqualTo("moderate");
    assertThat(all.held()).isEmpty();
    assertThat(all.at("moderate", all.loads().get(1), "ALL")).hasSize(1);
  }

  @Test
  void firstKindOfLoopThatHasRunsIsTaken() {
    Results results = SampleStudy.demo(1).results();
    Scenarios open = Scenarios.of(results, Load.Kind.OPEN, Load.Kind.CLOSED);
    assertThat(open.loads()).extracting(Scenarios::name).containsExactly("400/s");
    assertThat(open.held()).isEqualTo("open loop only");
    Scenarios unknown = Scenarios.of(results, Load.Kind.UNKNOWN, Load.Kind.CLOSED);
    assertThat(unknown.loads()).extracting(Scenarios::name).containsExactly("4 threads");
  }

  @Test
  void evenLayoutComesFirstAndOtherKnobsAreHeld() {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1).put("layout", "1/2 warm");
    study.run("ONE", "4", "", 1).put("layout", "even");
    study.run("ONE", "4", "", 1).put("clock", "1.2 GHz");
    Scenarios all = of(study, Load.Kind.CLOSED);
    assertThat(all.layouts()).containsExactly("even", "1/2 warm");
    assertThat(all.held()).isEqualTo("clock as it was only");
    assertThat(all.zoomLevel()).isEqualTo("ONE");
  }

  private static Scenarios of(SampleStudy study, Load.Kind kind) {
    return Scenarios.of(study.results(), kind);
  }
}
