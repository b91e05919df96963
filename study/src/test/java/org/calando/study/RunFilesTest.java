package org.calando.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.calando.core.FailedWorkException;
import org.calando.load.Interval;
import org.calando.load.Phase;
import org.calando.power.SampleRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunFilesTest {
  private static final SampleRow SAMPLE =
      new SampleRow(
          3, "measured", "n1", 0.5, 12.5, 1 << 20, 2 << 20, 4096, 0, -1, 7, 81.25, 81.25, false);
  private static final Interval INTERVAL =
      new Interval(
          Phase.MEASURED, 2, 0, 1, 10, 6, 3, 1, 2, 1_499_600, 2_000_000, 900, Interval.NO_LATENCY);

  @TempDir Path folder;

  @Test
  void rowsStandUnderTheirColumns() throws IOException {
    try (RunFiles files = RunFiles.open(folder)) {
      files.row(SAMPLE);
      files.interval(INTERVAL);
      files.latencies().println("#[Histogram log format version 1.3]");
    }
    assertThat(Files.readAllLines(folder.resolve("nodes.csv")))
        .containsExactly(
            "second,phase,node,cpu_s,cpu_percent,rss_bytes,power_w,energy_j,gap,memory_bytes,"
                + "disk_read_bytes,disk_write_bytes,net_received_bytes,net_sent_bytes",
            "3,measured,n1,0.5000,12.5000,1048576,81.2500,81.2500,0,2097152,4096,0,,7");
    assertThat(Files.readAllLines(folder.resolve("ops.csv")))
        .containsExactly(
            "second,phase,operations,reads,writes,errors,stale_reads,"
                + "read_p50_us,read_p99_us,write_p50_us,write_p99_us",
            "2,measured,10,6,3,1,2,1500,2000,1,");
    assertThat(folder.resolve("latency.hlog")).content().startsWith("#[Histogram log");
  }

  @Test
  void whatCouldNotBeReadIsEmptyAndNoZero() throws IOException {
    double none = Double.NaN;
    try (RunFiles files = RunFiles.open(folder)) {
      files.row(
          new SampleRow(0, "idle", "a,b", none, none, -1, -1, -1, -1, -1, -1, none, none, true));
      files.row(new SampleRow(1, "idle", "n1", 0, 0, 0, 0, 0, 0, 0, 0, 40, 20, true));
    }
    assertThat(Files.readAllLines(folder.resolve("nodes.csv")).subList(1, 3))
        .containsExactly("0,idle,\"a,b\",,,,,,1,,,,,", "1,idle,n1,0.0000,0.0000,0,,,1,0,0,0,0,0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nodes.csv", "ops.csv", "latency.hlog", "clocks.csv"})
  void aFullDiskDoesNotDisturbTheRunAndIsToldAtItsEnd(String file) throws IOException {
    Files.createSymbolicLink(folder.resolve(file), Path.of("/dev/full"));
    RunFiles files = RunFiles.open(folder);
    Consumer<String> clocks = files.begin("clocks.csv", "second,node,role,khz");
    for (int i = 0; i < 1000; i++) {
      files.row(SAMPLE);
      clocks.accept("0,n1,master,2200000");
      files.interval(INTERVAL);
      files
          .latencies()
          .println("Tag=read,0.127,1.007,2.769,HISTFAAAAEV42pNpmSzMwMCgyAABTBDKT4GBgdnNYMc");
      files.latencies().flush();
    }
    assertThatThrownBy(files::close)
        .isInstanceOf(FailedWorkException.class)
        .hasMessageStartingWith(folder + ": the disk is full")
        .hasMessageContaining("--resume");
    files.close();
  }

  @Test
  void lateRowsAreIgnored() throws IOException {
    RunFiles files = RunFiles.open(folder);
    files.close();
    files.row(SAMPLE);
    files.interval(INTERVAL);
    assertThat(Files.readAllLines(folder.resolve("nodes.csv"))).hasSize(1);
  }

  @Test
  void aFileThatCannotBeMadeIsToldAtOnce() throws IOException {
    Files.createDirectory(folder.resolve("ops.csv"));
    assertThatThrownBy(() -> RunFiles.open(folder))
        .isInstanceOf(FailedWorkException.class)
        .hasMessageContaining("Is a directory");
  }
}
