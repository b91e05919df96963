package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.core.energy.EnergySummary;
import org.calando.core.energy.NodeEnergy;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.power.powercap.PowercapSource;
import org.calando.power.powercap.PowercapTree;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that burn a known amount of CPU time, on a machine whose energy counter the test moves:
 * what the account says of them is within 1 % of the host's energy of what is known, and within the
 * resolution of CPU times.
 */
class KnownLoadTest {
  private static final double MICROJOULES = 1e6;
  private static final NodeProfile NODE =
      new NodeProfile("node", 5, 75, 150, 4, 1, PowerCurve.linear(), 60, 100, "a test");

  /** Four readings are compared, each to a tick of 10 ms; and a process goes on for a moment. */
  private static final double RESOLUTION_SECONDS = 0.06;

  @TempDir Path folder;
  private final List<Process> children = new ArrayList<>();

  @AfterEach
  void endChildren() {
    children.forEach(Process::destroyForcibly);
  }

  @Test
  void hostsEnergyIsDividedByTheCpuTimeThatWasBurned() throws Exception {
    PowercapTree tree = new PowercapTree(folder);
    tree.zone("intel-rapl:0", "package-0", 262_143_328_850L, 262_143_000_000L);
    ProcessCpu reader = ProcessCpu.ofThisMachine();
    List<BufferedReader> answers = new ArrayList<>();
    List<MeteredNode> nodes = new ArrayList<>();
    Map<Integer, NodeProcess> processes = new TreeMap<>();
    for (int millis : new int[] {6000, 2000}) {
      Process child = burn(millis);
      answers.add(
          new BufferedReader(
              new InputStreamReader(child.getInputStream(), StandardCharsets.US_ASCII)));
      assertThat(answers.get(answers.size() - 1).readLine()).isEqualTo("ready");
      processes.put(nodes.size(), reader.identify(child.pid()));
      nodes.add(new MeteredNode("n" + millis, NODE, List.of(new PowercapSource(folder))));
    }
    ProcessUsage usage = new ProcessUsage(reader, nodes, processes);
    double[] before = {cpuSeconds(usage, 0), cpuSeconds(usage, 1)};
    EnergySummary energy = account(tree, nodes, usage, answers);

    assertThat(energy.grossJoules()).isCloseTo(900, withPercentage(1));
    double[] used = {cpuSeconds(usage, 0) - before[0], cpuSeconds(usage, 1) - before[1]};
    assertThat(used[0]).isGreaterThan(5.5);
    assertThat(used[1]).isGreaterThan(1.5);
    NodeEnergy first = energy.nodes().get(0);
    NodeEnergy second = energy.nodes().get(1);
    assertThat(first.cpuSeconds()).isCloseTo(used[0], within(RESOLUTION_SECONDS));
    assertThat(second.cpuSeconds()).isCloseTo(used[1], within(RESOLUTION_SECONDS));
    double share = used[0] / (used[0] + used[1]);
    assertThat(first.grossJoules()).isCloseTo(900 * share, within(9.0));
    assertThat(second.grossJoules()).isCloseTo(900 * (1 - share), within(9.0));
  }

  /**
   * One phase in which both burn what they are to burn, and the host 900 J over its counter's end.
   */
  private EnergySummary account(
      PowercapTree tree, List<MeteredNode> nodes, UsageSource usage, List<BufferedReader> answers)
      throws Exception {
    // An interval that never ends: the edges of the phase are the only readings.
    long interval = 3_600_000_000_000L;
    Ticker ticker = Ticker.system();
    try (Meter meter = Meters.open("powercap", nodes, usage, ticker, interval, "a test").meter();
        Sampler sampler = new Sampler(meter, usage, nodes, row -> {}, ticker, interval)) {
      sampler.start("burning");
      for (Process child : children) {
        child.getOutputStream().write('\n');
        child.getOutputStream().flush();
      }
      for (BufferedReader answer : answers) {
        assertThat(answer.readLine()).isNotBlank();
      }
      tree.add("intel-rapl:0", (long) (900 * MICROJOULES));
      return sampler.stop().get(0).energy();
    }
  }

  private static double cpuSeconds(UsageSource usage, int node) throws MeterException {
    return usage.read(node).cpuNanos() / 1e9;
  }

  private Process burn(int millis) throws IOException, URISyntaxException {
    Path classes =
        Path.of(Burner.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx32m",
                "-cp",
                classes.toString(),
                Burner.class.getName(),
                Integer.toString(millis),
                "wait")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    children.add(child);
    return child;
  }
}
