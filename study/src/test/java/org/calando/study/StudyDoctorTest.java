package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.calando.engine.Finding;
import org.calando.engine.SecretsDoctor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyDoctorTest {
  private static final String REST =
      """
      workload: {preset: heavy-update, operations: 10}
      matrix: {consistency: [ONE], threads: [1]}
      """;

  @TempDir Path folder;

  @Test
  void aFindingIsWrappedAndItsRemedyStandsOnALineOfItsOwn() {
    String text = "word ".repeat(40).strip() + "\nremedy: do it";
    List<String> lines = StudyDoctor.line(new Finding(false, "node c1", text)).lines().toList();
    assertThat(lines.get(0)).startsWith("PROBLEM  node c1: word");
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(80));
    assertThat(lines.get(lines.size() - 1)).isEqualTo("         remedy: do it");
    assertThat(String.join(" ", lines).split("word", -1)).hasSize(41);
  }

  @Test
  void filesOfSecretsThatOthersMayReadAreProblemsAndCertificatesMayBePublic() throws Exception {
    for (String name : List.of("open", "closed", "ca.pem")) {
      Files.writeString(folder.resolve(name), "x\n");
    }
    Files.setPosixFilePermissions(
        folder.resolve("open"), PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(
        folder.resolve("closed"), PosixFilePermissions.fromString("rw-------"));
    assertThat(problems("user: me, password-file: closed, tls: {ca: ca.pem}")).isEmpty();
    assertThat(problems("user: me, password-file: open"))
        .singleElement()
        .satisfies(text -> assertThat(text).contains("chmod 600").contains("open"));
    assertThat(problems("user: me, password-file: none, tls: {ca: none.pem}")).hasSize(2);
    assertThat(problems("user: me, password-env: CALANDO_TEST_NOT_SET"))
        .singleElement()
        .satisfies(text -> assertThat(text).contains("$CALANDO_TEST_NOT_SET is not set"));
    assertThat(problems("tls: {certificate: ca.pem, key: open}")).hasSize(1);
  }

  private List<String> problems(String store) {
    TestStudy study =
        TestStudy.of(
            folder,
            "study: test\nstore: {engine: cassandra, rf: 1, "
                + store
                + ", inventory: {nodes: [{name: c1, address: 127.0.0.1}]}}\n"
                + REST);
    return new SecretsDoctor(study.spec().store(), folder)
        .examine().stream().filter(finding -> !finding.ok()).map(Finding::text).toList();
  }

  @Test
  void aStudyThatMeasuresAColdEngineIsAWarning() {
    String store = "study: test\nstore: {engine: cassandra, local: {nodes: 1, rf: 1}}\n";
    assertThat(warmUp(store + REST))
        .satisfies(finding -> assertThat(finding.warning()).isTrue())
        .satisfies(finding -> assertThat(finding.ok()).isTrue())
        .satisfies(
            finding -> assertThat(StudyDoctor.line(finding)).startsWith("WARNING  warm-up: not"));
    String warm = REST.replace("operations: 10", "operations: 10, warm-up: auto");
    assertThat(warmUp(store + warm).warning()).isFalse();
    assertThat(warmUp(store + warm.replace("auto", "5s")).warning()).isFalse();
  }

  private Finding warmUp(String yaml) {
    return new StudyDoctor(TestStudy.of(folder, yaml).spec(), folder)
        .examine().stream()
            .filter(finding -> finding.subject().equals("warm-up"))
            .findFirst()
            .orElseThrow();
  }

  @Test
  void policiesThatBeginAtTheFallbackAreAWarning() {
    String yaml =
        """
        study: test
        store: {engine: sim, sim: {nodes: 3, rf: 3}}
        workload: {preset: ycsb-a, duration: 60s}
        matrix: {consistency: [{read: {harmony: {tolerate: 5%}}, write: ONE}], threads: [1]}
        """;
    assertThat(subjects(yaml)).contains("policies");
    assertThat(subjects(yaml.replace("60s}", "60s, warm-up: 60s}"))).doesNotContain("policies");
  }

  private List<String> subjects(String yaml) {
    return new StudyDoctor(TestStudy.of(folder, yaml).spec(), folder)
        .examine().stream().filter(Finding::warning).map(Finding::subject).toList();
  }

  @Test
  void aMachineWithOtherWorkIsAWarning() {
    assertThat(StudyDoctor.load(2.0, 4).warning()).isFalse();
    assertThat(StudyDoctor.busyMachine(0)).isEmpty();
    assertThat(StudyDoctor.busyMachine(1e6))
        .hasValueSatisfying(
            text -> assertThat(text).contains("load average 1000000.0", "remedy: end it"));
    Finding busy = StudyDoctor.load(2.1, 4);
    assertThat(busy.ok()).isTrue();
    assertThat(StudyDoctor.line(busy)).startsWith("WARNING  machine: load average 2.1, 4 cores");
  }

  @Test
  void moreChecksMayBeAdded() {
    TestStudy study =
        TestStudy.of(
            folder, "study: test\nstore: {engine: cassandra, local: {nodes: 1, rf: 1}}\n" + REST);
    Finding more = new Finding(true, "meter", "c1 by its outlet");
    assertThat(new StudyDoctor(study.spec(), folder).with(() -> List.of(more)).examine())
        .contains(more);
  }
}
