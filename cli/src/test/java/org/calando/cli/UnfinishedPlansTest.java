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
import org.calando.core.layout.RingTokens;
import org.calando.core.policy.Knob;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedPlansTest {
  private static final Instant NOW = Instant.parse("2026-11-22T01:00:00Z");

  @TempDir Path state;

  @Test
  void plansOfAllKnobsThatWereBegunAreListedWithWhatFinishesThem() throws IOException {
    begin("journals/tokens-test.journal", "tokens", "test", tokens(), Event.BEGUN);
    begin("local/hdfs/gears.json.journal", "gear", "hdfs", "gear=1", Event.FAILED);
    begin("local/hbase/idle.json.journal", "idle-servers", "hbase", "off n2", Event.DONE);
    begin("local/cassandra/racks-t.json.journal", "racks", "ring", "off dc1/r3", Event.BEGUN);
    List<Item> items = report().items();
    assertThat(items).extracting(Item::state).containsOnly(State.UNFINISHED);
    assertThat(items)
        .extracting(Item::line)
        .containsExactly(
            "unfinished tokens test: a plan to half, last worked on at 2026-11-22T01:00:00Z;"
                + " ./calando layout move of that cluster, with --resume, --undo or --abandon",
            "unfinished racks ring: a plan to dc1/r3 off, last worked on at"
                + " 2026-11-22T01:00:00Z; ./calando gear up --local cassandra, with --resume,"
                + " --undo or --abandon",
            "unfinished idle-servers hbase: a plan to n2 off, last worked on at"
                + " 2026-11-22T01:00:00Z; ./calando idle up --local, with --resume, --undo or"
                + " --abandon",
            "unfinished gear hdfs: a plan to gear 1, last worked on at 2026-11-22T01:00:00Z;"
                + " ./calando gear up --local, with --resume, --undo or --abandon");
    assertThat(report().ok()).isTrue();
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
