package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.calando.cli.IdleTimes.Entry;
import org.calando.core.BadRequestException;
import org.calando.knob.GearChoice;
import org.calando.schema.ArgumentReader;
import org.junit.jupiter.api.Test;

class IdleTimesTest {
  private static List<Entry> read(String... given) {
    ArgumentReader arguments = new ArgumentReader();
    List<Entry> entries = IdleTimes.read(List.of(given), "--at", arguments);
    arguments.throwIfAny();
    return entries;
  }

  @Test
  void commasEndEntriesAndStandBetweenDays() {
    assertThat(read("sat,sun 09:30=1")).containsExactly(new Entry("sat,sun 09:30", 1));
    List<Entry> both =
        List.of(new Entry("22:00", 1), new Entry("mon-fri 07:00", 3), new Entry("sat,sun 9:00", 2));
    assertThat(read("22:00=1,mon-fri 07:00=3, sat,sun 9:00=2")).isEqualTo(both);
    assertThat(read("22:00=1", "mon-fri 07:00=3", "sat,sun 9:00=2")).isEqualTo(both);
    assertThat(read()).isEmpty();
  }

  @Test
  void allThatIsWrongIsToldAtOnce() {
    assertThatThrownBy(() -> read("22:00", "25:00=1", "07:00=0,08:00=x", "09:00=2,mon 09:00=1"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("'22:00' is no TIME=NODES")
        .hasMessageContaining("'25:00' is no time of a timetable")
        .hasMessageContaining("'07:00=0' is no TIME=NODES")
        .hasMessageContaining("'08:00=x' is no TIME=NODES")
        .hasMessageContaining("'mon 09:00' is a time of another entry, too");
    assertThatThrownBy(() -> read("")).isInstanceOf(BadRequestException.class);
  }

  @Test
  void thereAreNotMoreNodesThanThereAre() {
    List<Entry> entries = read("22:00=1,07:00=3");
    IdleTimes.requireFitting(entries, 3, "--at");
    assertThatThrownBy(() -> IdleTimes.requireFitting(entries, 2, "--at"))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("'07:00' wants 3 nodes awake of 2");
  }

  @Test
  void theFewestAwakeAreTheFirstGear() {
    List<Entry> entries = read("22:00=1,07:00=3,12:00=2");
    assertThat(IdleTimes.gears(entries, 1))
        .extracting(GearChoice.Time::gear)
        .containsExactly(1, 3, 2);
    assertThat(IdleTimes.gears(entries, 2))
        .extracting(GearChoice.Time::gear)
        .containsExactly(1, 2, 1);
  }
}
