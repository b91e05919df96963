package org.calando.governor.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.calando.core.energy.EnergyPricing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
  private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  @TempDir Path folder;

  private static Sample sample(Instant at, double watts, double joules, Optional<Boolean> kept) {
    return sample(at, watts, joules, 30, kept);
  }

  private static Sample sample(
      Instant at, double watts, double joules, double unknownSeconds, Optional<Boolean> kept) {
    return new Sample(
        at,
        OptionalDouble.of(watts),
        OptionalDouble.of(joules),
        unknownSeconds,
        OptionalLong.of((long) joules),
        joules,
        OptionalDouble.of(5),
        OptionalDouble.of(7),
        Map.of("stale", kept));
  }

  private static Sample unknown(Instant at) {
    return new Sample(
        at,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        90,
        OptionalLong.empty(),
        0,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Map.of("stale", Optional.empty()));
  }

  @Test
  void aRestartResumesIt() {
    History before = new History(folder, NOON);
    before.add(sample(NOON, 100, 1, Optional.of(true)));
    before.add(unknown(NOON.plusSeconds(60)));
    History after = new History(folder, NOON.plusSeconds(120));
    assertThat(after.recent()).isEqualTo(before.recent()).hasSize(2);
    assertThat(after.recent().get(1).watts()).isEmpty();
    assertThat(after.between(NOON, NOON.plusSeconds(60))).hasSize(1);
  }

  @Test
  void aLineThatWasCutOffIsLeftOutAndTheNextOneIsNot() throws IOException {
    History before = new History(folder, NOON);
    before.add(sample(NOON, 100, 1, Optional.of(true)));
    Path file = folder.resolve("history-2026-11-27.csv");
    Files.writeString(file, "2,2026-11-27T12:01:00Z,10", StandardOpenOption.APPEND);
    History after = new History(folder, NOON.plusSeconds(120));
    after.add(sample(NOON.plusSeconds(120), 90, 2, Optional.of(false)));
    assertThat(new History(folder, NOON.plusSeconds(180)).recent())
        .extracting(Sample::at)
        .containsExactly(NOON, NOON.plusSeconds(120));
  }

  /** Their joules were those of the accounted time, without a column that says of what time. */
  @Test
  void linesOfAnOlderVersionAreUnknown() throws IOException {
    Files.writeString(
        folder.resolve("history-2026-11-27.csv"),
        """
        2026-11-27T12:00:00Z,100.0,1000.0,7,60.0,5.0,7.0,stale=kept
        1,2026-11-27T12:01:00Z,100.0,7000.0,0.0,9,120.0,5.0,7.0,stale=kept
        """);
    History history = new History(folder, NOON.plusSeconds(90));
    assertThat(history.recent()).isEmpty();
    history.add(sample(NOON.plusSeconds(120), 100, 1, Optional.of(true)));
    assertThat(new History(folder, NOON.plusSeconds(180)).recent())
        .containsExactlyElementsOf(history.recent())
        .hasSize(1);
  }

  @Test
  void eightDaysAreKept() throws IOException {
    History history = new History(folder, NOON);
    for (int day = 0; day < 12; day++) {
      history.add(sample(NOON.plus(Duration.ofDays(day)), 100, 1, Optional.of(true)));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()).sorted().toList())
          .hasSize(8)
          .first()
          .isEqualTo("history-2026-12-01.csv");
    }
  }

  @Test
  void whatCannotBeWrittenStaysInMemory() throws IOException {
    Path taken = Files.writeString(folder.resolve("taken"), "");
    History history = new History(taken.resolve("below"), NOON);
    history.add(sample(NOON, 100, 1, Optional.of(true)));
    assertThat(history.problem().orElseThrow()).contains("cannot be written");
    assertThat(history.recent()).hasSize(1);
  }

  @Test
  void energyIsWhatTheSumsGrewByAndARestartIsUnknown() {
    List<Sample> samples = new ArrayList<>();
    samples.add(sample(NOON, 100, 1000, Optional.of(true)));
    samples.add(sample(NOON.plusSeconds(60), 100, 7000, Optional.of(false)));
    samples.add(sample(NOON.plusSeconds(120), 100, 10, Optional.empty())); // began anew
    samples.add(sample(NOON.plusSeconds(1000), 100, 9000, Optional.of(true))); // after a gap
    Spans.Span span = Spans.of(samples, List.of(NOON, NOON.plus(Duration.ofHours(1)))).get(0);
    assertThat(span.joules()).isEqualTo(6000);
    assertThat(span.joulesSeconds()).isEqualTo(60);
    assertThat(span.savedLow()).isEqualTo(2 * 60 * 5);
    assertThat(span.savedHigh()).isEqualTo(2 * 60 * 7);
    assertThat(span.kept().get("stale")).containsExactly(60, 60);
    assertThat(span.requests()).hasValue(6000);
    assertThat(span.seconds()).isEqualTo(3600);
  }

  /** The sum of the others grows, and is not what the cluster drew. */
  @Test
  void energyOfAStepInWhichANodesMeterWasSilentIsUnknown() {
    List<Sample> samples =
        List.of(
            sample(NOON, 100, 1000, 0, Optional.of(true)),
            sample(NOON.plusSeconds(60), 100, 7000, 0, Optional.of(true)),
            sample(NOON.plusSeconds(120), 100, 10000, 45.5, Optional.of(true)),
            sample(NOON.plusSeconds(180), 100, 16000, 45.5, Optional.of(true)));
    Spans.Span span = Spans.of(samples, List.of(NOON, NOON.plus(Duration.ofHours(1)))).get(0);
    assertThat(span.joules()).isEqualTo(12000);
    assertThat(span.joulesSeconds()).isEqualTo(120);
  }

  /** A meter or nodes that say nothing: sums stay as they were, or have not begun. */
  @Test
  void ofTimeInWhichNothingIsKnownNothingIsZero() {
    for (List<Sample> samples :
        List.of(
            List.of(unknown(NOON), unknown(NOON.plusSeconds(60))),
            List.of(
                sample(NOON, 100, 7000, Optional.of(true)),
                sample(NOON.plusSeconds(60), 100, 7000, Optional.of(true))))) {
      Spans.Span span = Spans.of(samples, List.of(NOON, NOON.plus(Duration.ofHours(1)))).get(0);
      assertThat(span.requests()).isEmpty();
      assertThat(span.joulesSeconds()).isZero();
      PeriodReport report =
          new PeriodReport(
              "shop",
              LocalDate.of(2026, 11, 27),
              1,
              ZoneOffset.UTC,
              EnergyPricing.NONE,
              NOON.plus(Duration.ofDays(1)));
      assertThat(report.html(samples, List.of()))
          .contains("What shop used is unknown.")
          .doesNotContain(">0</td></tr>");
    }
  }

  @Test
  void aReportSaysWhatIsUnknownAndNothingOfAClusterIsMarkup() {
    PeriodReport report =
        new PeriodReport(
            "shop",
            LocalDate.of(2026, 11, 27),
            1,
            ZoneOffset.UTC,
            new EnergyPricing(0.3, "EUR", 380, 1),
            NOON.plus(Duration.ofDays(1)));
    List<Sample> samples =
        List.of(
            sample(NOON, 100, 0, Optional.of(true)),
            sample(NOON.plusSeconds(60), 100, 6000, Optional.of(false)),
            sample(NOON.plusSeconds(120), 100, 12000, Optional.of(true)));
    String html =
        report.html(
            samples, List.of(new PeriodReport.Row(NOON, "gear of <b>x</b>: 2", "load & more")));
    assertThat(html)
        .contains("shop used 0.003 kWh in the 2 min in which that is known.")
        .contains("EUR")
        .contains("The promise was broken for some time.")
        .contains("gear of &lt;b&gt;x&lt;/b&gt;: 2")
        .contains("unknown")
        .doesNotContain("<b>x");
    String empty = report.html(List.of(), List.of());
    assertThat(empty)
        .contains("What shop used is unknown.")
        .contains("What its knobs saved is unknown.")
        .contains("Nothing is promised, or nothing was known.");
  }

  @Test
  void brokenPromisesAreCountedWhereThereAreSeveral() {
    assertThat(report(true, true, true)).contains("No promise was broken while it was known.");
    assertThat(report(false)).contains("The promise was broken for some time.");
    assertThat(report(true, false, true)).contains("1 of 3 promises was broken for some time.");
    assertThat(report(false, false, true)).contains("2 of 3 promises were broken for some time.");
  }

  private static String report(boolean... kept) {
    Map<String, Optional<Boolean>> promises = new LinkedHashMap<>();
    for (boolean each : kept) {
      promises.put("promise-" + promises.size(), Optional.of(each));
    }
    List<Sample> samples =
        Stream.of(NOON.minusSeconds(120), NOON.minusSeconds(60))
            .map(
                at ->
                    new Sample(
                        at,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        0,
                        OptionalLong.empty(),
                        0,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        promises))
            .toList();
    return asked("2026-11-27", "1").orElseThrow().html(samples, List.of());
  }

  @Test
  void aReportOfADayThatIsNotOverEndsWhenItIsMadeAndBeginsWithWhatIsKnown() {
    PeriodReport report =
        new PeriodReport(
            "shop",
            LocalDate.of(2026, 11, 27),
            1,
            ZoneOffset.UTC,
            EnergyPricing.NONE,
            NOON.plusSeconds(180));
    String html =
        report.html(
            List.of(
                sample(NOON, 100, 0, Optional.of(true)),
                sample(NOON.plusSeconds(60), 100, 6000, Optional.of(true)),
                unknown(NOON.plusSeconds(120))),
            List.of());
    assertThat(report.to()).isEqualTo(NOON.plusSeconds(180));
    assertThat(html)
        .contains("until 27 Nov 12:03:00")
        .contains("Nothing is known before 12:00. Unknown time is in no figure.")
        .contains(">12:00<")
        .doesNotContain(">11:00<")
        .doesNotContain(">13:00<")
        .contains("No decision changed something.");
  }

  @Test
  void requestsOfATimeWithoutSamplesAreUnknown() {
    List<Instant> hours = List.of(NOON, NOON.plusSeconds(3600), NOON.plusSeconds(7200));
    List<Spans.Span> spans =
        Spans.of(
            List.of(
                sample(NOON, 100, 1000, Optional.of(true)),
                sample(NOON.plusSeconds(60), 100, 7000, Optional.of(true))),
            hours);
    assertThat(spans.get(0).requests()).hasValue(6000);
    assertThat(spans.get(1).requests()).isEmpty();
    assertThat(spans.get(1).isUnknown()).isTrue();
  }

  @Test
  void aReportIsOfAWeekAtMost() {
    assertThat(asked("2026-11-27", "7")).isPresent();
    assertThat(asked("2026-11-27", "8")).isEmpty();
    assertThat(asked("2026-11-27", "0")).isEmpty();
    assertThat(asked("yesterday", "1")).isEmpty();
    assertThat(asked("2026-11-27", "x")).isEmpty();
  }

  private static Optional<PeriodReport> asked(String day, String days) {
    return PeriodReport.asked(
        "shop", Optional.of(day), Optional.of(days), NOON, ZoneOffset.UTC, EnergyPricing.NONE);
  }
}
