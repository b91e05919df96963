package org.calando.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import org.calando.core.BadRequestException;
import org.junit.jupiter.api.Test;

class LoadTraceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void aTraceIsReadAsItIsWritten() {
    LoadTrace trace =
        LoadTrace.parse("# a day\nseconds,ops_per_s\n0,10\r\n\n 30 , 12.5\n60,0\n", "trace.csv");
    assertThat(trace.stepNanos()).isEqualTo(30 * SECOND);
    assertThat(trace.rates()).containsExactly(10, 12.5, 0);
    assertThat(trace.peak()).isEqualTo(12.5);
    LoadTrace again = LoadTrace.parse("seconds,ops_per_s\n0,10\n30,12.5\n60,0\n", "again");
    assertThat(again).isEqualTo(trace).hasSameHashCodeAs(trace);
    assertThat(again).isNotEqualTo(trace.compressed(2));
  }

  @Test
  void linesThatAreWrongAreNamed() {
    String header = "seconds,ops_per_s\n0,1\n";
    for (String wrong :
        List.of("10", "10,x", "10,-1", "10,NaN", "10,1,2", "-1,1", "0,1", "10,1\n25,1")) {
      assertThatThrownBy(() -> LoadTrace.parse(header + wrong, "trace.csv"))
          .as(wrong)
          .isInstanceOf(BadRequestException.class)
          .hasMessageContaining("trace.csv");
    }
    for (String wrong : List.of("", "0,1\n10,1", header, "seconds,ops_per_s\n5,1\n10,1")) {
      assertThatThrownBy(() -> LoadTrace.parse(wrong, "trace.csv"))
          .as(wrong)
          .isInstanceOf(BadRequestException.class);
    }
  }

  @Test
  void aCompressedTraceHasItsRatesInLessTime() {
    LoadTrace trace = LoadTrace.of(60 * SECOND, 5, 7).compressed(120);
    assertThat(trace.stepNanos()).isEqualTo(SECOND / 2);
    assertThat(trace.rates()).containsExactly(5, 7);
  }

  @Test
  void daysHaveNightsAndWeekends() {
    LoadTrace smooth = smooth(LoadDays.office(1000)).trace(14, 1);
    assertThat(smooth.steps()).isEqualTo(14 * 1440);
    assertThat(smooth.perSecond(14 * 60)).isCloseTo(1000, within(1e-6));
    assertThat(smooth.perSecond(2 * 60)).isCloseTo(150, within(1e-6));
    assertThat(smooth.perSecond(5 * 1440 + 14 * 60)).isCloseTo(500, within(1e-6));
    assertThat(smooth.perSecond(7 * 1440 + 600)).isEqualTo(smooth.perSecond(600));
    LoadTrace steep = smooth(LoadDays.office(1000).withShape(LoadDays.Shape.STEEP)).trace(1, 1);
    assertThat(steep.perSecond(8 * 60)).isCloseTo(150, within(1e-6));
    assertThat(steep.perSecond(8 * 60 + 5)).isCloseTo(575, within(1e-6));
    assertThat(steep.perSecond(8 * 60 + 10)).isCloseTo(1000, within(1e-6));
    assertThat(steep.perSecond(18 * 60 + 10)).isCloseTo(150, within(1e-6));
  }

  @Test
  void aSeedAlwaysGivesTheSameDays() {
    LoadDays days = LoadDays.office(1000);
    double[] two = days.trace(2, 42).rates();
    assertThat(days.trace(2, 42).rates()).isEqualTo(two);
    assertThat(Arrays.copyOf(days.trace(3, 42).rates(), two.length)).isEqualTo(two);
    assertThat(days.trace(2, 43).rates()).isNotEqualTo(two);
    double mean = Arrays.stream(days.trace(70, 7).rates()).average().orElseThrow();
    double smooth = Arrays.stream(smooth(days).trace(70, 7).rates()).average().orElseThrow();
    assertThat(mean / smooth).isBetween(0.95, 1.1);
  }

  /** The same without noise and spikes. */
  private static LoadDays smooth(LoadDays days) {
    return new LoadDays(
        days.shape(), days.peakPerSecond(), days.night(), days.weekend(), 0, 0, 0, 0, 60);
  }
}
