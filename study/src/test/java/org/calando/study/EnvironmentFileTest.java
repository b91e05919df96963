package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.Profiles;
import org.calando.core.energy.Provenance;
import org.calando.core.energy.Scope;
import org.calando.engine.Target;
import org.calando.power.MeterInfo;
import org.junit.jupiter.api.Test;

class EnvironmentFileTest {
  private static final String STUDY =
      """
      study: environment
      store: {engine: cassandra, local: {nodes: 3}}
      workload: {preset: heavy-update, operations: 1000}
      matrix: {consistency: [ONE], threads: [4]}
      seed: 7
      power: {baseline: 2s, price-per-kwh: 0.30 EUR, carbon-intensity: 0.4 kg/kWh, pue: 1.5}
      """;

  private final TestStudy study = TestStudy.of(Path.of("unused"), STUDY);
  private final NodeProfile profile = Profiles.byName("xeon-x3440").orElseThrow();

  @Test
  void aFirstStartTellsWhatAReaderMustKnow() {
    ObjectNode json = begin(null, OptionalLong.of(1), List.of("a warning")).json();
    assertThat(json.path("version").asInt()).isEqualTo(1);
    assertThat(json.path("study").asText()).isEqualTo("environment");
    assertThat(json.path("fingerprint").asText()).isEqualTo(study.spec().fingerprint());
    assertThat(json.path("engine").asText()).isEqualTo("cassandra 5.0.5");
    assertThat(json.path("command").asText()).isEqualTo("./calando study test.yaml");
    assertThat(json.path("out").asText()).isEqualTo(study.out().toString());
    assertThat(json.path("allow_load").asBoolean(true)).isFalse();
    assertThat(json.path("seed").asLong()).isEqualTo(7);
    assertThat(json.path("host").path("cores").asInt()).isPositive();
    assertThat(json.path("host").path("memory_bytes").asLong()).isPositive();
    for (String part : List.of("cpu", "os", "kernel", "java")) {
      assertThat(json.path("host").path(part).asText()).as(part).isNotEmpty();
    }
    assertThat(Instant.parse(json.path("started").asText())).isBefore(Instant.now().plusSeconds(1));
    assertThat(json.has("finished")).isFalse();
    assertThat(texts(json.path("notes"))).containsExactly("a warning");
    JsonNode node = json.path("nodes").path(0);
    assertThat(node.path("name").asText()).isEqualTo("n1");
    assertThat(node.path("address").asText()).isEqualTo("127.43.0.1");
    assertThat(node.path("rack").asText()).isEqualTo("rack1");
    assertThat(node.path("profile").asText()).isEqualTo("xeon-x3440");
  }

  @Test
  void powerIsToldWithItsProfileAndSource() {
    JsonNode power = begin(null, OptionalLong.of(1), List.of()).json().path("power");
    assertThat(power.path("meter").asText()).isEqualTo("model");
    assertThat(power.path("provenance").asText()).isEqualTo("modelled");
    assertThat(power.path("scope").asText()).isEqualTo("node");
    assertThat(power.path("resolution").asText()).isEqualTo("10 ms of CPU time");
    assertThat(power.path("load_generator").asText()).isEqualTo("outside");
    assertThat(texts(power.path("reasons"))).containsExactly("snmp: no PDU", "model: chosen");
    assertThat(power.path("interval_s").asDouble()).isEqualTo(1);
    assertThat(power.path("baseline_s").asDouble()).isEqualTo(2);
    assertThat(power.path("price_per_kwh").asDouble()).isEqualTo(0.3);
    assertThat(power.path("currency").asText()).isEqualTo("EUR");
    assertThat(power.path("carbon_intensity_g_per_kwh").asDouble()).isEqualTo(400);
    assertThat(power.path("pue").asDouble()).isEqualTo(1.5);
    assertThat(power.path("profile").path("idle_w").asDouble()).isEqualTo(profile.idleWatts());
    assertThat(power.path("profile").path("busy_w").asDouble()).isEqualTo(profile.busyWatts());
    assertThat(power.path("profile").path("source").asText()).isEqualTo(profile.source());
  }

  @Test
  void withoutProcessesThereIsNoPower() {
    assertThat(begin(null, OptionalLong.empty(), List.of()).json().has("power")).isFalse();
  }

  @Test
  void theEndIsToldWhenItIsReached() {
    EnvironmentFile file = begin(null, OptionalLong.of(1), List.of());
    assertThat(file.finished().path("finished").asText())
        .isGreaterThanOrEqualTo(file.json().path("started").asText());
  }

  @Test
  void aResumeKeepsTheBeginAndRepeatsNoNote() throws Exception {
    ObjectNode first = begin(null, OptionalLong.of(1), List.of("a warning")).finished();
    first.put("started", "2024-05-01T10:00:00Z");
    ObjectNode second = begin(stored(first), OptionalLong.of(1), List.of("a warning")).json();
    assertThat(second.path("started").asText()).isEqualTo("2024-05-01T10:00:00Z");
    assertThat(second.has("finished")).isFalse();
    List<String> notes = texts(second.path("notes"));
    assertThat(notes).hasSize(2).startsWith("a warning");
    assertThat(notes.get(1)).matches("resumed at 20\\S+Z");
    assertThat(EnvironmentFile.resumes(null)).isZero();
    assertThat(EnvironmentFile.resumes(first)).isZero();
    assertThat(EnvironmentFile.resumes(second)).isEqualTo(1);
  }

  @Test
  void aResumeElsewhereTellsWhatTheEarlierRunsWereMadeWith() throws Exception {
    ObjectNode first = begin(null, OptionalLong.of(1), List.of()).json();
    first.put("engine", "cassandra 4.1.0");
    ((ObjectNode) first.path("host")).put("cores", 128);
    ObjectNode second = begin(stored(first), OptionalLong.of(1), List.of()).json();
    assertThat(texts(second.path("notes")).get(0))
        .contains("until then engine was cassandra 4.1.0")
        .contains("\"cores\":128")
        .doesNotContain("until then calando");
  }

  private EnvironmentFile begin(ObjectNode earlier, OptionalLong pid, List<String> notes) {
    MeterInfo info =
        new MeterInfo("model", Provenance.MODELLED, Scope.NODE, "10 ms of CPU time", true);
    MeterChoice meter =
        new MeterChoice(
            pid.isPresent() ? Optional.of(info) : Optional.empty(),
            List.of("snmp: no PDU", "model: chosen"),
            false);
    Target.Node node = new Target.Node("n1", "127.43.0.1", "rack1", profile, pid, Optional.empty());
    return EnvironmentFile.begin(
        study.request(false), earlier, "cassandra 5.0.5", List.of(node), meter, notes);
  }

  private static ObjectNode stored(ObjectNode json) throws Exception {
    return (ObjectNode) new ObjectMapper().readTree(StudyFolder.pretty(json));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
