package org.calando.study.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdaptiveSectionTest {
  @TempDir Path folder;

  @Test
  void studyWithoutPoliciesHasNoSection() {
    SampleStudy.demo(2).write(folder);
    assertThat(render().contents()).isEmpty();
  }

  @Test
  void eachPolicyIsSetAgainstItsPromiseAndStaticLevels() {
    AdaptiveSample.of(3).write(folder);
    Parts parts = render();
    assertThat(parts.contents()).extracting(Parts.Entry::id).containsExactly("adaptive");
    String html = parts.html().toString();
    assertThat(html)
        .contains("id=\"adaptive-promises\"", "id=\"adaptive-against\"", "id=\"adaptive-monitor\"")
        .contains("<small>always strong: not adaptive</small>")
        .contains(">kept<")
        .contains("ALL/ONE");
  }

  @Test
  void oneBlockIsUndecidedAndSaysWhy() {
    AdaptiveSample.of(1).write(folder);
    assertThat(render().html().toString())
        .contains(">undecided <small>one block</small>")
        .doesNotContain(">kept<");
  }

  @Test
  void changeHasASign() {
    assertThat(AdaptiveTables.signed(-0.8)).isEqualTo("\u221280\u00A0%");
    assertThat(AdaptiveTables.signed(0.45)).isEqualTo("+45\u00A0%");
    assertThat(AdaptiveTables.signed(0.004)).isEqualTo("+0.4\u00A0%");
    assertThat(AdaptiveTables.signed(-0.0001)).isEqualTo("0\u00A0%");
    assertThat(AdaptiveTables.signed(Double.NaN)).isEqualTo(Figures.NONE);
  }

  private Parts render() {
    Parts parts = new Parts();
    new AdaptiveSection(ResultsFolder.read(folder)).render(parts, "ORIGIN");
    return parts;
  }
}
