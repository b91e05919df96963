package org.calando.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "5ms,5000000,5ms",
    "1.5s,1500000000,1500ms",
    "90s,90000000000,90s",
    "120s,120000000000,2m",
    "0,0,0ms",
    "7ns,7,7ns",
    "2h,7200000000000,2h"
  })
  void durationIsReadAndWrittenShortest(String text, long nanos, String canonical) throws Refusal {
    assertThat(Units.nanos(text)).isEqualTo(nanos);
    assertThat(Units.formatNanos(nanos)).isEqualTo(canonical);
    assertThat(Units.nanos(canonical)).isEqualTo(nanos);
  }

  @ParameterizedTest
  @CsvSource({"100,100,100B", "1KB,1024,1KB", "0.5MB,524288,512KB", "256MiB,268435456,256MB"})
  void sizeIsReadAndWrittenShortest(String text, long bytes, String canonical) throws Refusal {
    assertThat(Units.bytes(text)).isEqualTo(bytes);
    assertThat(Units.formatBytes(bytes)).isEqualTo(canonical);
    assertThat(Units.bytes(canonical)).isEqualTo(bytes);
  }

  @Test
  void rateIsPerSecondWhateverItsUnit() throws Refusal {
    assertThat(Units.perSecond("400/s")).isEqualTo(400);
    assertThat(Units.perSecond("90/m")).isEqualTo(1.5);
    assertThat(Units.perSecond("1800/h")).isEqualTo(0.5);
    assertThat(Units.formatRate(1.5)).isEqualTo("1.5/s");
  }

  @Test
  void shareIsPercentOrFraction() throws Refusal {
    assertThat(Units.share("20%")).isEqualTo(0.2);
    assertThat(Units.share("0.2")).isEqualTo(0.2);
    assertThat(Units.share("5%")).isCloseTo(0.05, within(0.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "ms", "-5ms", "5 parsecs", "1e3s", "", "999999999999999999h"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatExceptionOfType(Refusal.class).isThrownBy(() -> Units.nanos(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"20", "1.01", "101%", "-1%", "a%", "%"})
  void whatIsNoShareIsRefused(String text) {
    assertThatExceptionOfType(Refusal.class).isThrownBy(() -> Units.share(text));
  }

  @Test
  void aShareWithoutItsSignIsNamedWithIt() {
    assertThatExceptionOfType(Refusal.class)
        .isThrownBy(() -> Units.share("5"))
        .satisfies(refusal -> assertThat(refusal.remedy()).isEqualTo("write 5% or 0.05"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"400", "400/", "/s", "400/d", "4s/s", "-4/s"})
  void whatIsNoRateIsRefused(String text) {
    assertThatExceptionOfType(Refusal.class).isThrownBy(() -> Units.perSecond(text));
  }
}
