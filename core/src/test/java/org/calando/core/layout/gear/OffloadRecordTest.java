package org.calando.core.layout.gear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OffloadRecordTest {
  private final OffloadRecord record =
      new OffloadRecord(3, 1_700_000_000_000L, "/calando/a b", 4, List.of(2, 5), List.of(2, 1));

  @Test
  void aLineIsReadAsItWasWritten() {
    assertThat(record.line()).startsWith("1\t3\t1700000000000\t/calando/a b\t4\t2,5\t2,1\t");
    assertThat(OffloadRecord.parse(record.line())).contains(record);
    OffloadRecord odd = new OffloadRecord(0, 0, "/a\tb\\n\n\r\\", -1, List.of(1), List.of());
    assertThat(odd.line()).doesNotContain("\n");
    assertThat(OffloadRecord.parse(odd.line())).contains(odd);
  }

  @Test
  void aDamagedLineIsNone() {
    String line = record.line();
    for (int i = 0; i < line.length(); i++) {
      String damaged = line.substring(0, i) + (char) (line.charAt(i) ^ 1) + line.substring(i + 1);
      assertThat(OffloadRecord.parse(damaged)).isEmpty();
      assertThat(OffloadRecord.parse(line.substring(0, i))).isEmpty();
    }
  }

  @Test
  void aTornTailIsTold() {
    String line = record.line();
    OffloadRecord.Log whole = OffloadRecord.read(line + "\n" + line + "\n");
    assertThat(whole.records()).hasSize(2);
    assertThat(whole.isTorn()).isFalse();
    assertThat(whole.damaged()).isZero();
    OffloadRecord.Log torn = OffloadRecord.read(line + "\n" + line.substring(0, 20));
    assertThat(torn.records()).containsExactly(record);
    assertThat(torn.isTorn()).isTrue();
    assertThat(torn.damaged()).isEqualTo(1);
    assertThat(OffloadRecord.read("").isTorn()).isFalse();
  }
}
