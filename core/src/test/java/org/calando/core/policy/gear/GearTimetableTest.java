package org.calando.core.policy.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.core.BadRequestException;
import org.calando.core.policy.gear.GearTimetable.Entry;
import org.junit.jupiter.api.Test;

class GearTimetableTest {
  private static final long DAY = 86_400;
  private static final long HOUR = 3600;

  @Test
  void timesAreReadAsTheyAreWritten() {
    assertThat(GearTimetable.parse("22:00", 1, "file")).hasSize(7);
    assertThat(GearTimetable.parse("Mon-Fri 7:30", 2, "file"))
        .hasSize(5)
        .contains(new Entry(4 * DAY + 7 * HOUR + 1800, 2));
    assertThat(GearTimetable.parse("sat,sun 09:00", 2, "file"))
        .containsExactly(new Entry(5 * DAY + 9 * HOUR, 2), new Entry(6 * DAY + 9 * HOUR, 2));
    assertThat(GearTimetable.parse("sun-mon 00:00", 2, "file"))
        .containsExactly(new Entry(0, 2), new Entry(6 * DAY, 2));
    for (String wrong :
        List.of("", "24:00", "7", "7:60", "mo 7:00", "mon-wed-fri 7:00", "22:00 mon")) {
      assertThatThrownBy(() -> GearTimetable.parse(wrong, 1, "file"))
          .as(wrong)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("timetable");
    }
  }

  @Test
  void anEntryHoldsUntilTheNextAndTheLastOverTheWeeksEnd() {
    GearTimetable table = nights();
    assertThat(table.gearAt(0)).isEqualTo(1);
    assertThat(table.gearAt(7 * HOUR - 1)).isEqualTo(1);
    assertThat(table.gearAt(7 * HOUR)).isEqualTo(2);
    assertThat(table.gearAt(22 * HOUR)).isEqualTo(1);
    assertThat(table.gearAt(4 * DAY + 12 * HOUR)).isEqualTo(2);
    assertThat(table.gearAt(5 * DAY + 12 * HOUR)).isEqualTo(1);
    assertThat(table.gearAt(21 * DAY + 12 * HOUR)).isEqualTo(2);
  }

  @Test
  void theHighestOfASpanIsThatOfEverySecondInIt() {
    GearTimetable table = nights();
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 300; i++) {
      long from = random.nextLong(14 * DAY);
      long to = from + random.nextLong(2 * DAY);
      int highest = 0;
      for (long second = from; second <= to; second += 60) {
        highest = Math.max(highest, table.gearAt(second));
      }
      highest = Math.max(highest, table.gearAt(to));
      assertThat(table.highestBetween(from, to)).as("%d to %d", from, to).isEqualTo(highest);
    }
  }

  @Test
  void twoEntriesOfOneTimeAreRefused() {
    List<Entry> entries = new ArrayList<>(GearTimetable.parse("22:00", 1, "file"));
    entries.addAll(GearTimetable.parse("mon 22:00", 2, "file"));
    assertThatThrownBy(() -> new GearTimetable(entries))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Gear 2 from 7 to 22 o'clock on working days. */
  static GearTimetable nights() {
    List<Entry> entries = new ArrayList<>(GearTimetable.parse("mon-fri 07:00", 2, "file"));
    entries.addAll(GearTimetable.parse("22:00", 1, "file"));
    return new GearTimetable(entries);
  }
}
