package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A study whose runs change their cluster. */
class EventsIT {
  @TempDir Path folder;

  @Test
  void aRunFollowsItsEventsAndTheNextOneBeginsAsDeclared() throws Exception {
    TestStudy study =
        TestStudy.of(
            folder,
            """
            study: steps
            store:
              engine: cassandra
              local:
                {nodes: 3, racks: 3, rf: 3, loopback: "127.44",
                 ports: {cql: 9144, storage: 7144, jmx: 7560}}
            workload: {preset: heavy-update, records: 100, duration: 9s}
            matrix: {consistency: [QUORUM], rate: [200/s]}
            events:
              - {at: 2s, link-delay: 20ms}
              - {at: 3s, kill-node: n3}
              - {at: 7s, start-node: n3}
            repeats: 2
            power: {meter: model, profile: xeon-x3440, baseline: 0s}
            """);
    StopSignal stop = new StopSignal();
    Progress progress = TestStudy.when("\\[2/2\\].* (warming up|operations)", stop::request);

    // The second run gets as far as its load: its records were written at ALL, so every node is up.
    assertThatThrownBy(() -> study.run(progress, stop, false))
        .isInstanceOf(StopSignal.StoppedException.class);

    String run = study.plan().get(0);
    assertThat(study.row(run).path("message").asText()).isEmpty();
    assertThat(study.row(run).path("status").asText()).isEqualTo("ok");
    assertThat(study.row(run).path("energy_j").asDouble()).isPositive();

    List<String[]> events = rows(study, "runs/" + run + "/events.csv");
    assertThat(events)
        .extracting(event -> event[1])
        .containsSubsequence(
            "event", "link delay 0ms -> 20ms", "node n3 killed", "node n3 started");
    double delayed = Double.parseDouble(events.get(1)[0]);
    assertThat(delayed).isBetween(2.0, Double.parseDouble(events.get(2)[0]));

    // There and back on a link that is 20 ms long, in every full second in which it is and anything
    // was read.
    int longer = (int) Math.ceil(delayed);
    assertThat(rows(study, "runs/" + run + "/ops.csv"))
        .filteredOn(second -> second[1].equals("measured") && Integer.parseInt(second[0]) >= longer)
        .filteredOn(second -> !second[3].equals("0"))
        .isNotEmpty()
        .allSatisfy(second -> assertThat(Long.parseLong(second[7])).isGreaterThan(39_000));

    // A node that is away by order is a machine that idles, not a gap.
    List<String[]> third =
        rows(study, "runs/" + run + "/nodes.csv").stream()
            .filter(second -> second[1].equals("measured") && second[2].equals("n3"))
            .toList();
    assertThat(third).allMatch(second -> second[8].equals("0"));
    assertThat(third)
        .filteredOn(second -> second[3].equals("0.0000"))
        .isNotEmpty()
        .allMatch(second -> second[6].equals("75.0000"));
  }

  private static List<String[]> rows(TestStudy study, String file) {
    return Arrays.stream(study.text(file).split("\n", -1))
        .filter(line -> !line.isEmpty())
        .map(line -> line.split(",", -1))
        .toList();
  }
}
