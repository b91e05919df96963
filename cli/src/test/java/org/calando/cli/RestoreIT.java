package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.JournalEntry.Event;
import org.calando.core.policy.Knob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clocks of a machine of files, which a command has left whose guard was killed too. */
class RestoreIT {
  @TempDir Path folder;

  @Test
  void whatACommandLeftIsShownRestoredAndThenForgotten() throws IOException {
    Path cpus = folder.resolve("cpu");
    Path policy = new FakeClocks(cpus, 1).policy(0);
    Path state = folder.resolve("state");
    leave(Files.createDirectories(state.resolve("journals")), policy);

    JsonNode clocks = answer(state, 0, "clocks", "--root", cpus.toString(), "--json");
    assertThat(clocks.path("policies").path(0).path("steering").asText()).isEqualTo("cap");
    assertThat(clocks.path("policies").path(0).path("usable").asBoolean()).isTrue();

    assertThat(states(answer(state, 0, "restore", "--dry-run", "--json")))
        .isEqualTo("would_restore");
    assertThat(policy.resolve("scaling_max_freq")).hasContent("1200000");

    assertThat(states(answer(state, 0, "restore", "--json"))).isEqualTo("restored");
    assertThat(policy.resolve("scaling_max_freq")).hasContent("2000000");
    assertThat(answer(state, 0, "restore", "--json").path("knobs")).isEmpty();

    leave(state.resolve("journals"), folder.resolve("gone"));
    assertThat(states(answer(state, 1, "restore", "--json"))).isEqualTo("left");
    assertThat(states(answer(state, 0, "restore", "--abandon", "--json"))).isEqualTo("given_up");
    assertThat(answer(state, 0, "restore", "--json").path("knobs")).isEmpty();
  }

  @Test
  void aPlanOfADurableKnobIsListedAndLeftAlone() throws IOException {
    Path state = folder.resolve("state");
    Path gears = Files.createDirectories(state.resolve("local/hdfs")).resolve("gears.json.journal");
    try (Journal journal = Journal.open(gears)) {
      journal.append(
          new JournalEntry(
              Instant.EPOCH,
              1,
              Event.BEGUN,
              "gear",
              "hdfs",
              "gear=1",
              "gear=2",
              Knob.Lifetime.DURABLE,
              "place",
              ""));
    }
    byte[] before = Files.readAllBytes(gears);
    for (String option : List.of("--dry-run", "--force", "--abandon")) {
      JsonNode answer = answer(state, 0, "restore", option, "--json");
      assertThat(states(answer)).isEqualTo("unfinished");
      assertThat(answer.at("/knobs/0/detail").asText())
          .startsWith("a plan to gear=1, ")
          .contains("with --resume, or --undo, or --abandon");
      assertThat(Files.readAllBytes(gears)).isEqualTo(before);
    }
  }

  /** The journal of a process that is gone. */
  private static void leave(Path journals, Path policy) {
    try (Journal journal = Journal.open(journals.resolve("clock-99999999-1-1.journal"))) {
      for (Event event : new Event[] {Event.PLANNED, Event.BEGUN}) {
        journal.append(
            new JournalEntry(
                Instant.EPOCH,
                1,
                event,
                "cpufreq",
                policy.toString(),
                "governor=powersave min=1000000 max=2200000 setspeed=none",
                "governor=powersave min=1000000 max=2000000 setspeed=none",
                Knob.Lifetime.LEASED,
                event == Event.BEGUN ? "lease" : "",
                ""));
      }
    }
  }

  private JsonNode answer(Path state, int exitCode, String... arguments) throws IOException {
    try (CommandProcess command = CommandProcess.run(folder, environment(state), arguments)) {
      assertThat(command.exitCode()).as(command.stderr()).isEqualTo(exitCode);
      return new ObjectMapper().readTree(command.stdout());
    }
  }

  private Map<String, String> environment(Path state) {
    return Map.of(
        "CALANDO_STATE", state.toString(), "CALANDO_RUN", folder.resolve("run").toString());
  }

  private static String states(JsonNode answer) {
    assertThat(answer.path("knobs")).hasSize(1);
    return answer.path("knobs").path(0).path("state").asText();
  }
}
