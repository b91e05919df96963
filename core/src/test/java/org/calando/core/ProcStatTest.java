package org.calando.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProcStatTest {
  private static final String AFTER_COMMAND =
      " S 1 2 3 4 -1 6 7 8 9 10 1100 1200 1300 1400 15 16 17 18 987654 20 2100 22 23\n";

  @Test
  void fieldsAreFoundBehindAnyCommand() {
    for (String command : new String[] {"java", "tmux: server", "a) S 1 (b", ":-)", "x\ny", ""}) {
      ProcStat stat = ProcStat.parse("42 (" + command + ")" + AFTER_COMMAND);
      assertThat(stat).isEqualTo(new ProcStat('S', 1100, 1200, 17, 987654, 2100));
    }
  }

  @Test
  void processThatEndedIsToldByItsState() {
    assertThat(ProcStat.parse("42 (java)" + AFTER_COMMAND).ended()).isFalse();
    assertThat(ProcStat.parse("42 (java)" + AFTER_COMMAND.replace(" S ", " Z ")).ended()).isTrue();
  }

  @Test
  void otherTextIsRefused() {
    for (String text : new String[] {"", "42 java S 1", "42 (java) S 1 2 3", "42 (java)"}) {
      assertThatThrownBy(() -> ProcStat.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
  }
}
