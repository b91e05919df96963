package org.calando.session.internal.governed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import org.calando.core.observe.LatencyCounts;
import org.calando.core.observe.ShadowTally.Verdict;
import org.calando.core.policy.Observation.Missed;
import org.calando.core.policy.Observation.Popularity;
import org.calando.core.policy.ReadChoice;
import org.calando.core.staleness.KeyPopularity;
import org.calando.core.store.ConsistencyLevel;
import org.calando.session.TableName;
import org.calando.session.internal.governed.TargetLevel.Numbered;
import org.calando.session.internal.shared.SavedState;
import org.junit.jupiter.api.Test;

/** What sessions and governors exchange is what the other end reads, and bounded. */
class ExchangeTextTest {
  private static final TableName TABLE = new TableName("shop", "orders of \"2026\"");

  private static SessionReport report(List<Long> keys, List<ShadowSample> shadows) {
    return new SessionReport(
        new UUID(1, 2),
        7,
        3,
        true,
        "dc1",
        false,
        List.of(
            new TableReport(
                TABLE,
                ConsistencyLevel.LOCAL_ONE,
                List.of(0.05, 0.5),
                new TableUse(10, 2, 3, 4, 500),
                keys,
                shadows,
                Optional.of(new Missed(-5, 10, 2)),
                Map.of(
                    0.05,
                    new Reading(new ReadChoice(1, 0.25), "adaptive/2 a=1 b=2"),
                    0.5,
                    new Reading(ReadChoice.of(3), "")))),
        LatencyCounts.parse("12:3 40:1"));
  }

  @Test
  void aReportIsReadAsItWasWritten() {
    SessionReport report =
        report(
            List.of(-1L, 0L, 12345L),
            List.of(new ShadowSample(-1000, -77, Verdict.DROPPED_OLDER, 0.25)));
    SessionReport read = ReportText.read(ReportText.write(report));
    assertThat(read.tables()).isEqualTo(report.tables());
    assertThat(read.instance()).isEqualTo(report.instance());
    assertThat(read.reads().text()).isEqualTo("12:3 40:1");
    assertThat(read.place()).isEqualTo("dc1");
    assertThat(read.local()).isTrue();
    assertThat(read.freshFirst()).isFalse();
    assertThat(read.sequence()).isEqualTo(7);
    assertThat(read.told()).isEqualTo(3);
  }

  @Test
  void aReportOfOneTableIsBounded() {
    List<Long> keys = LongStream.range(0, 100_000).mapToObj(key -> -key).toList();
    List<ShadowSample> shadows =
        LongStream.range(0, 10_000)
            .mapToObj(key -> new ShadowSample(-key, key, Verdict.FRESH, 1e-9))
            .toList();
    String text = ReportText.write(report(keys, shadows));
    assertThat(text.length()).isLessThan(32 << 10);
    TableReport read = ReportText.read(text).tables().get(0);
    assertThat(read.keys()).hasSize(ReportText.MOST_KEYS);
    assertThat(read.shadows()).hasSize(ReportText.MOST_SHADOWS);
  }

  @Test
  void anAnswerIsReadAsItWasWritten() {
    SavedState.Table handover =
        new SavedState.Table(
            5,
            "shop.orders",
            0.05,
            "{dc1=3}dc1",
            ConsistencyLevel.LOCAL_ONE,
            new ReadChoice(1, 0.25),
            "pbs 1 2",
            Optional.of(new Popularity(0, KeyPopularity.uniform(10), 0.5)));
    Answer answer =
        new Answer(
            9,
            5_000_000_000L,
            100,
            "it begins\nto measure",
            List.of(
                new TableLevel(
                    TABLE,
                    "{dc1=3}dc1",
                    ConsistencyLevel.LOCAL_ONE,
                    0.125,
                    0.001,
                    -1,
                    List.of(
                        new TargetLevel(
                            0.05,
                            new ReadChoice(1, 0.25),
                            List.of(0.1, 0.0),
                            List.of("a", "b c"),
                            Optional.of(new Numbered(17, 250_000_000L))),
                        new TargetLevel(
                            0.5, ReadChoice.of(1), List.of(), List.of(), Optional.empty())),
                    Map.of(0.25, "the canary\nfails"),
                    List.of(handover))));
    Answer read = AnswerText.read(AnswerText.write(answer));
    assertThat(read.tables().get(0).levels()).isEqualTo(answer.tables().get(0).levels());
    assertThat(read.tables().get(0).lost()).isEqualTo(Map.of(0.25, "the canary fails"));
    assertThat(read.tables().get(0).table()).isEqualTo(TABLE);
    assertThat(read.tables().get(0).replication()).isEqualTo("{dc1=3}dc1");
    assertThat(read.tables().get(0).keyShare()).isEqualTo(0.125);
    assertThat(read.tables().get(0).sinceReturnNanos()).isEqualTo(-1);
    assertThat(read.trouble()).isEqualTo("it begins to measure");
    assertThat(read.instances()).isEqualTo(100);
    assertThat(new SavedState(read.tables().get(0).handover()).text())
        .isEqualTo(new SavedState(List.of(handover)).text());
  }

  @Test
  void anAnswerThatSaysNothingOfLostFiguresHasNone() {
    String text =
        "calando-governor 1 1 2 3\ntable shop orders {dc1=3} ONE 1 0 -1\nlevel 0.05 1 0.0\n";
    TableLevel read = AnswerText.read(text).tables().get(0);
    assertThat(read.lost()).isEmpty();
    assertThat(read.levels()).hasSize(1);
    assertThatThrownBy(() -> AnswerText.read(text + "lost 7 why\n"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLevelOfAGovernorThatDoesNotNumberItsDecisionsHasNoNumber() {
    String text = "calando-governor 1 1 2 3\ntable shop orders {dc1=3} ONE 1 0 -1\n";
    String level = text + "level 0.05 1 0.0\n";
    assertThat(levels(level + "because it is so\n").get(0).decided()).isEmpty();
    TargetLevel numbered = levels(level + "because a\ndecided 3 4 later\nbecause b\n").get(0);
    assertThat(numbered.decided()).contains(new Numbered(3, 4));
    assertThat(numbered.reasons()).containsExactly("a", "b");
    for (String wrong :
        List.of(
            text + "decided 3 4\n",
            level + "decided 0 4\n",
            level + "decided 3 -4\n",
            level + "decided 99999999999999999999 4\n",
            level + "decided 3\n")) {
      assertThatThrownBy(() -> AnswerText.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static List<TargetLevel> levels(String answer) {
    return AnswerText.read(answer).tables().get(0).levels();
  }

  @Test
  void linesOfLaterVersionsAreSkippedAndOtherTextsRefused() {
    String text = ReportText.write(report(List.of(), List.of()));
    assertThat(ReportText.read(text + "weather sunny\n").tables()).hasSize(1);
    TableReport earlier = ReportText.read(text.replaceAll("(?m)^reading .*\n", "")).tables().get(0);
    assertThat(earlier.reading()).isEmpty();
    assertThat(earlier.shares()).hasSize(2);
    assertThat(AnswerText.read("calando-governor 1 1 2 3\nweather sunny\n").version()).isEqualTo(1);
    for (String wrong :
        List.of(
            "",
            "calando-session 2 x",
            "calando-session 1 x",
            "calando-session 1 no-uuid 1 1 any - available",
            text.replace("use 10 ", "use -10 "),
            text.replace("use 10 ", "use 4503599627370497 "),
            text.replace("reading 0.5 3 0.0", "reading 0.5 0 0.0"),
            text.replace("reading 0.5 3 0.0", "reading 0.5 3 1.0"),
            text.replace("reading 0.5 3 0.0", "reading 5 3 0.0"),
            text.replace("LOCAL_ONE", "SOMETIMES"))) {
      assertThatThrownBy(() -> ReportText.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    for (String wrong :
        List.of("", "<html>", "calando-governor 1 1", "calando-governor 1 1 1 1\ntable a b")) {
      assertThatThrownBy(() -> AnswerText.read(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
