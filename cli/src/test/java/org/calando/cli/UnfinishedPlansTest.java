package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.clock.RestoreReport;
import org.calando.clock.RestoreReport.Item;
import org.calando.clock.RestoreReport.State;
import org.calando.control.Journal;
import org.calando.control.JournalEntry;
import org.calando.control.JournalEntry.Event;
import org.calando.control.file.PlanNotes;
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Knob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedPlansTest {
  private static final Instant NOW = Instant.parse("2026-11-22T01:00:00Z");

  @TempDir Path state;

  @Test
  void plansOfAnyKnobThatWereBegunAreListed() throws IOException {
    begin("journals/tokens-test.journal", "tokens", "test", tokens(), Event.BEGUN);
    begin("local/hdfs/gears.json.journal", "gear", "hdfs", "gear=1", Event.FAILED);
    begin("local/toys/dial.journal", "dial", "toy", "3", Event.DONE);
    List<Item> items = report().items();
    assertThat(items).extracting(Item::state).containsOnly(State.UNFINISHED);
    String rest =
        ", last worked on at 2026-11-22T01:00:00Z; repeat the command that began it with"
            + " --resume, or --undo, or --abandon";
    assertThat(items)
        .extracting(Item::line)
        .containsExactly(
            "unfinished tokens test: a plan to " + tokens() + rest,
            "unfinished gear hdfs: a plan to gear=1" + rest,
            "unfinished dial toy: a plan to 3" + rest);
    assertThat(report().ok()).isTrue();
  }

  @Test
  void plansElsewhereAreFoundByTheirNotesWithWhatFinishesThem() throws IOException {
    Path shop = begin("shop/gears.json.journal", "gear", "hdfs", "gear=1", Event.FAILED);
    Path ended = begin("shop/racks.json.journal", "racks", "ring", "off r3", Event.IN_FORCE);
    Path own = begin("local/hbase/idle.json.journal", "idle-servers", "x", "off n2", Event.DONE);
    Path gone = state.resolve("gone/gears.json.journal");
    PlanNotes notes = new PlanNotes(state.resolve("plans"));
    notes.begin(shop, "gear 1", "./calando gear up --inventory shop.yaml --resume");
    notes.begin(ended, "r3 off", "./calando gear up --inventory shop.yaml --resume");
    notes.begin(own, "n2 off", "./calando idle up --local --resume");
    notes.begin(gone, "gear 2", "./calando gear up --inventory gone.yaml --resume");
    List<String> lines = report().lines();
    assertThat(lines).hasSize(3);
    assertThat(lines)
        .contains(
            "unfinished idle-servers x: a plan to n2 off, last worked on at 2026-11-22T01:00:00Z;"
                + " ./calando idle up --local --resume, or --undo, or --abandon",
            "unfinished gear hdfs: a plan to gear 1, last worked on at 2026-11-22T01:00:00Z;"
                + " ./calando gear up --inventory shop.yaml --resume, or --undo, or --abandon");
    assertThat(lines)
        .anyMatch(
            line ->
                line.startsWith("unfinished plans " + gone + ": is missing, and a plan to gear 2")
                    && line.contains("remove " + state.resolve("plans")));
    List.of(shop, ended, own, gone).forEach(notes::end);
    assertThat(state.resolve("plans")).doesNotExist();
    assertThat(report().lines()).hasSize(1);
  }

  @Test
  void aDamagedNoteIsNamed() throws IOException {
    PlanNotes notes = new PlanNotes(state.resolve("plans"));
    notes.begin(state.resolve("a.journal"), "gear 1", "./calando gear up --resume");
    Path note = notes.all().get(0).file();
    Files.writeString(note, Files.readString(note).replace("gear 1", "gear 2"));
    assertThat(report().lines())
        .singleElement()
        .asString()
        .startsWith("unfinished plans " + note + ": is no note of a plan any more");
  }

  @Test
  void plansThatHaveEndedAndLeasesAreNone() throws IOException {
    begin("journals/tokens-test.journal", "tokens", "test", tokens(), Event.IN_FORCE);
    begin("local/hdfs/gears.json.journal", "gear", "hdfs", "gear=1", Event.GIVEN_UP);
    begin("journals/clock-1-2-3.journal", "cpufreq", "policy0", "x", Event.BEGUN);
    assertThat(report().items()).isEmpty();
  }

  @Test
  void aDamagedJournalIsNamedAndNothingIsChanged() throws IOException {
    Path file = begin("local/hdfs/gears.json.journal", "gear", "hdfs", "gear=1", Event.BEGUN);
    Files.writeString(file, Files.readString(file).replace("gear=1", "gear=2") + "torn");
    byte[] damaged = Files.readAllBytes(file);
    RestoreReport report = report();
    assertThat(report.ok()).isTrue();
    assertThat(report.lines().toString()).contains("unfinished plans " + file, "line 2");
    assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
  }

  @Test
  void aStateFolderThatIsNotThereHasNone() {
    assertThat(new UnfinishedPlans(state.resolve("none")).report().items()).isEmpty();
  }

  private RestoreReport report() {
    return new UnfinishedPlans(state).report();
  }

  private static String tokens() {
    Map<String, BigInteger> after = new TreeMap<>(Map.of("h1", BigInteger.ONE));
    return new RingTokens("half", after, List.of("h1"), false).text();
  }

  private Path begin(String name, String knob, String target, String value, Event event)
      throws IOException {
    Path file = state.resolve(name);
    Files.createDirectories(file.getParent());
    try (Journal journal = Journal.open(file)) {
      journal.append(
          new JournalEntry(
              NOW, 1, event, knob, target, value, value, Knob.Lifetime.DURABLE, "", ""));
    }
    return file;
  }
}
