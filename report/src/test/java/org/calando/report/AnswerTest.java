package org.calando.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.calando.report.Comparison.Verdict;
import org.junit.jupiter.api.Test;

class AnswerTest {
  @Test
  void tellsTheCheapestLevelTheRatiosAndTheStaleReads() {
    String answer = answer(SampleStudy.demo(5));
    assertThat(answer)
        .contains("In a closed loop of 4 threads, ONE was the cheapest at")
        .contains("(modelled, gross)")
        .containsPattern(
            "QUORUM cost 1\\.\\d+ times \\(1\\.\\d+\u20131\\.\\d+\\) what ONE did per operation\\."
                + " ALL cost")
        .containsPattern("at 400/s, 2\\.\\d\u00A0% of [\\d,]+ reads at ONE were stale")
        .contains("QUORUM and ALL had no stale read among")
        .contains("Student");
  }

  @Test
  void bothLoopsTellTheirJoulesAndWhyTheyDiffer() {
    String answer = answer(SampleStudy.demo(5));
    assertThat(answer)
        .containsPattern(
            "In a closed loop of 4 threads, ONE was the cheapest at .* In an open loop at 400/s,"
                + " \\w+ (was the cheapest at|had the lowest mean,)")
        .containsPattern(
            "did per operation, which is undecided\\. The loops differ by idle power: in a closed"
                + " loop")
        .contains("at a fixed rate all levels take the same time");
    assertThat(ResultsTable.of(SampleStudy.demo(1).rows()).render(StandardCharsets.UTF_8))
        .contains("The loops differ by idle power");
  }

  @Test
  void oneLoopAloneHasNothingToDifferFrom() {
    assertThat(answer(SampleStudy.thesis(2))).doesNotContain("The loops differ");
    SampleStudy study = SampleStudy.demo(2);
    study.rows().removeIf(row -> row.get("rate").isEmpty());
    assertThat(answer(study))
        .contains("In an open loop at 400/s, ")
        .doesNotContain("The loops differ");
  }

  @Test
  void whatIsUndecidedIsNotSaidToBeTheCheapest() {
    SampleStudy study = new SampleStudy(1);
    for (int repeat = 1; repeat <= 3; repeat++) {
      study.run("ONE", "4", "", repeat).put("joules_per_kop", "10" + repeat);
      study.run("QUORUM", "4", "", repeat).put("joules_per_kop", repeat == 1 ? "150" : "90");
    }
    assertThat(answer(study))
        .contains("ONE had the lowest mean, 102")
        .containsPattern(
            "QUORUM cost [\\d.]+ times \\([^)]+\\) what ONE did per operation, which is"
                + " undecided\\.")
        .doesNotContain("was the cheapest");
  }

  @Test
  void anIntervalThatIsItsValueIsLeftOut() {
    SampleStudy study = new SampleStudy(1);
    for (int repeat = 1; repeat <= 3; repeat++) {
      study.run("ONE", "4", "", repeat).put("joules_per_kop", "100");
      study.run("QUORUM", "4", "", repeat).put("joules_per_kop", "125");
    }
    assertThat(answer(study)).contains("QUORUM cost 1.25 times what ONE did");
  }

  @Test
  void oneRepeatHasNoInterval() {
    String answer = answer(SampleStudy.demo(1));
    assertThat(answer).contains("One repeat: no interval").doesNotContain("(1.");
  }

  @Test
  void failedRunsAreToldAndCountInNoFigure() {
    SampleStudy study = SampleStudy.demo(2);
    SampleStudy.fail(study.rows().get(0), "disk full");
    assertThat(answer(study)).contains("1 of 12 runs failed");
    study.rows().forEach(row -> SampleStudy.fail(row, "disk full"));
    assertThat(answer(study)).isEqualTo("No run succeeded, so there is no figure to report.");
    assertThat(answer(new SampleStudy(1))).isEqualTo("This study has no runs yet.");
  }

  @Test
  void verdictsOverSeveralLoadsAreCounted() {
    SampleStudy study = new SampleStudy(3);
    for (int repeat = 1; repeat <= 3; repeat++) {
      for (int threads = 1; threads <= 3; threads++) {
        study.run("ONE", "" + threads, "", repeat).put("joules_per_kop", "10" + repeat);
        // The third load tells nothing: more in one block, less in another.
        String joules = threads < 3 ? "12" + repeat : repeat == 1 ? "150" : "90";
        study.run("QUORUM", "" + threads, "", repeat).put("joules_per_kop", joules);
      }
      // Without ONE, the reference is another.
      study.run("QUORUM", "9", "", repeat).put("joules_per_kop", "10" + repeat);
      study.run("ALL", "9", "", repeat).put("joules_per_kop", "15" + repeat);
    }
    assertThat(answer(study))
        .containsPattern(
            "QUORUM took more energy per operation than ONE at 2 of 3 loads"
                + " \\(1\\.\\d+( to 1\\.\\d+)? times\\), 1 undecided\\.")
        .doesNotContain("ALL took");
  }

  @Test
  void joulesOfDifferentProvenanceAreNotCompared() {
    SampleStudy study = SampleStudy.demo(3);
    study.rows().stream()
        .filter(row -> row.get("consistency").equals("ALL"))
        .forEach(row -> row.put("provenance", "measured"));
    List<Comparison> comparisons = Comparison.all(study.results());
    assertThat(comparisons)
        .filteredOn(c -> c.configuration().label().equals("ALL"))
        .isNotEmpty()
        .allSatisfy(c -> assertThat(c.verdict()).isEqualTo(Verdict.INCOMPARABLE))
        .allSatisfy(c -> assertThat(c.words()).isEmpty());
    assertThat(comparisons)
        .filteredOn(c -> c.configuration().label().equals("QUORUM"))
        .isNotEmpty()
        .allSatisfy(c -> assertThat(c.verdict()).isNotEqualTo(Verdict.INCOMPARABLE));
  }

  @Test
  void levelsRunFromWeakToStrongWhateverTheOrderOfRuns() {
    Results results = SampleStudy.demo(1).results();
    assertThat(results.groups()).hasSize(2);
    assertThat(results.groups().get(0).load().kind()).isEqualTo(Load.Kind.CLOSED);
    assertThat(results.groups().get(0).configurations())
        .extracting(Configuration::label)
        .containsExactly("ONE", "QUORUM", "ALL");
  }

  @Test
  void layoutsAreComparedAtTheSameLevelAndEvenComesFirst() {
    SampleStudy study = new SampleStudy(1);
    for (int repeat = 1; repeat <= 3; repeat++) {
      for (String layout : List.of("half", "even", "1/4")) {
        for (String level : List.of("QUORUM", "ONE")) {
          study.run(level, "4", "", repeat).put("layout", layout);
        }
      }
    }
    List<Comparison> comparisons = Comparison.all(study.results());
    assertThat(comparisons)
        .extracting(c -> c.configuration().label() + " / " + c.reference().label())
        .containsExactly(
            "ONE, layout half / ONE, layout even",
            "ONE, layout 1/4 / ONE, layout even",
            "QUORUM, layout even / ONE, layout even",
            "QUORUM, layout half / QUORUM, layout even",
            "QUORUM, layout 1/4 / QUORUM, layout even");
    assertThat(answer(study))
        .contains("what ONE, layout even did per operation, which is undecided.")
        .contains("what QUORUM, layout even did per operation, which is undecided.");
  }

  @Test
  void aLayoutWithoutItsLikeIsComparedToTheFirst() {
    SampleStudy study = new SampleStudy(1);
    study.run("ONE", "4", "", 1).put("layout", "even");
    study.run("ALL", "4", "", 1).put("layout", "half");
    assertThat(Comparison.all(study.results()))
        .extracting(c -> c.configuration().label() + " / " + c.reference().label())
        .containsExactly("ALL, layout half / ONE, layout even");
  }

  private static String answer(SampleStudy study) {
    Results results = study.results();
    return String.join(" ", Answer.of(results, Comparison.all(results)));
  }
}
