package org.calando.power.powercap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.calando.power.MeterException;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Ticker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PowercapProbeTest {
  private static final long LAP = 262_143_328_850L;

  @TempDir Path root;
  private final ManualTicker ticker = new ManualTicker();
  private PowercapTree tree;

  @BeforeEach
  void plant() {
    tree = new PowercapTree(root);
  }

  @Test
  void addsPackagesAndMemoryAndNothingTwice() throws Exception {
    tree.zone("intel-rapl:0", "package-0", LAP, 0);
    tree.zone("intel-rapl:0:0", "core", LAP, 0);
    tree.zone("intel-rapl:0:1", "uncore", LAP, 0);
    tree.zone("intel-rapl:0:2", "dram", LAP, 0);
    tree.zone("intel-rapl:1", "package-1", LAP, 0);
    tree.zone("intel-rapl:1:0", "dram", LAP, 0);
    tree.zone("intel-rapl:2", "psys", LAP, 0);
    tree.zone("intel-rapl-mmio:0", "package-0", LAP, 0);
    Files.createDirectories(root.resolve("intel-rapl"));
    PowerProbe probe = open();
    assertThat(probe.info().resolution()).contains("package-0 + package-1 + dram + dram");
    probe.sample(0);
    ticker.nanos = 1_000_000_000L;
    tree.set("intel-rapl:0", 50_000_000);
    tree.set("intel-rapl:0:0", 40_000_000);
    tree.set("intel-rapl:0:1", 3_000_000);
    tree.set("intel-rapl:0:2", 5_000_000);
    tree.set("intel-rapl:1", 70_000_000);
    tree.set("intel-rapl:1:0", 7_000_000);
    tree.set("intel-rapl:2", 200_000_000);
    tree.set("intel-rapl-mmio:0", 50_000_000);
    assertThat(joules(probe)).isCloseTo(50 + 5 + 70 + 7, within(1e-9));
  }

  @Test
  void platformCounterServesWhereThereIsNoPackage() throws Exception {
    tree.zone("intel-rapl:0", "psys", LAP, 0);
    PowerProbe probe = open();
    probe.sample(0);
    ticker.nanos = 1_000_000_000L;
    tree.set("intel-rapl:0", 12_000_000);
    assertThat(joules(probe)).isCloseTo(12, within(1e-9));
  }

  @Test
  void eachCounterWrapsAtItsOwnEnd() throws Exception {
    tree.zone("intel-rapl:0", "package-0", LAP, LAP - 30_000_000);
    tree.zone("intel-rapl:0:0", "dram", 65_712_999_613L, 65_712_999_613L - 1_000_000);
    PowerProbe probe = open();
    probe.sample(0);
    ticker.nanos = 1_000_000_000L;
    tree.set("intel-rapl:0", 20_000_000);
    tree.set("intel-rapl:0:0", 4_000_000);
    assertThat(joules(probe)).isCloseTo(50 + 5, within(1e-9));
  }

  @Test
  void vanishedCounterIsToldWithItsFileAndNeverZero() throws Exception {
    tree.zone("intel-rapl:0", "package-0", LAP, 0);
    PowerProbe probe = open();
    probe.sample(0);
    tree.hide("intel-rapl:0");
    assertThatThrownBy(() -> probe.sample(0))
        .isInstanceOf(MeterException.class)
        .hasMessage(root.resolve("intel-rapl:0/energy_uj") + ": no longer exists");
  }

  @Test
  void emptyFolderAndOddContentsAreToldApart() throws Exception {
    assertThatThrownBy(this::open)
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("no energy counter");
    assertThatThrownBy(() -> new PowercapSource(root.resolve("none")).open(ticker))
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("no such folder");
    tree.zone("intel-rapl:0", "package-0", LAP, 0);
    Files.writeString(root.resolve("intel-rapl:0/energy_uj"), "many\n");
    assertThatThrownBy(this::open)
        .isInstanceOf(MeterException.class)
        .hasMessageContaining("holds 'many'");
  }

  /** Root may read everything, so another user tries; run by others, this very process does. */
  @Test
  void refusedPermissionNamesFileAndRemedy() throws Exception {
    tree.zone("intel-rapl:0", "package-0", LAP, 0);
    Path counter = root.resolve("intel-rapl:0/energy_uj");
    Files.setPosixFilePermissions(counter, PosixFilePermissions.fromString("---------"));
    String told;
    if (Files.isReadable(counter)) {
      Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
      told = openAsNobody();
    } else {
      told = RefusedReader.tryToOpen(root);
    }
    assertThat(told).contains(counter.toString(), "cannot be read by this user", "chmod a+r");
  }

  private String openAsNobody() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.addAll(List.of(RefusedReader.class.getName(), root.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return output;
  }

  private PowerProbe open() throws MeterException {
    return new PowercapSource(root).open(ticker);
  }

  private static double joules(PowerProbe probe) throws Exception {
    return ((PowerSample.Energy) probe.sample(0)).joules();
  }

  /** Time that a test sets. */
  private static final class ManualTicker implements Ticker {
    private long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public void awaitUntil(long atNanos) {
      throw new IllegalStateException("nobody waits here");
    }
  }
}
