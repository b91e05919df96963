package org.calando.load.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.TimeZone;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;

class HistogramLogTest {
  private static final long BEGIN_MILLIS = 1_700_000_000_123L;

  @Test
  void theBeginIsTheSameInEveryTimeZoneAndLanguage() {
    TimeZone zone = TimeZone.getDefault();
    Locale locale = Locale.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
      Locale.setDefault(new Locale("tr", "TR"));
      String header = header();
      assertThat(header)
          .contains(
              "#[StartTime: 1700000000.123 (seconds since epoch), Tue Nov 14 22:13:20 UTC 2023]\n");
      HistogramLogReader reader =
          new HistogramLogReader(new ByteArrayInputStream(header.getBytes(UTF_8)));
      assertThat(reader.nextIntervalHistogram()).isNull();
      assertThat(reader.getStartTimeSec()).isEqualTo(BEGIN_MILLIS / 1e3);
    } finally {
      TimeZone.setDefault(zone);
      Locale.setDefault(locale);
    }
  }

  private static String header() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    HistogramLog unused = new HistogramLog(new PrintStream(bytes, true, UTF_8), BEGIN_MILLIS);
    return bytes.toString(UTF_8);
  }
}
