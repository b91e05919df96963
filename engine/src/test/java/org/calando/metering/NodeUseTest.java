package org.calando.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.calando.core.energy.Profiles;
import org.calando.engine.Target;
import org.calando.power.MeterException;
import org.calando.power.NodeUsage;
import org.calando.power.Ticker;
import org.calando.power.host.HostProbe;
import org.calando.power.host.HostSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node elsewhere, whose machine tells what it uses for as long as it is on; and one of two
 * processes here.
 */
@Timeout(60)
class NodeUseTest {
  private static final long SECOND = 1_000_000_000L;

  private volatile boolean isUp = true;
  private volatile long boot = 1;
  private volatile long cpuNanos = 5 * SECOND;
  private final List<Process> running = new ArrayList<>();
  private NodeUse use = of(Set.of());

  private final class Machine implements HostSource {
    @Override
    public String describe() {
      return "n1's exporter";
    }

    @Override
    public HostProbe open(Ticker ticker) {
      return new HostProbe() {
        @Override
        public NodeUsage sample(long deadlineNanos) throws MeterException {
          if (!isUp) {
            throw new MeterException("no answer", "n1", "start it");
          }
          return NodeUsage.ofProcess(ticker.nanos(), boot, cpuNanos, 0);
        }

        @Override
        public void close() {}
      };
    }
  }

  private NodeUse of(Set<String> off) {
    return NodeUse.of(
        List.of(
            new Target.Node(
                "n1",
                "10.0.0.1",
                "",
                Profiles.byName(Profiles.DEFAULT).orElseThrow(),
                List.of(),
                Optional.of(new Machine()),
                OptionalLong.empty(),
                Optional.empty(),
                List.of())),
        off,
        Optional.empty());
  }

  @AfterEach
  void close() throws InterruptedException {
    use.close();
    end(running.toArray(Process[]::new));
  }

  /** A process that has used CPU time, and waits for its input to end. */
  private Process process() throws IOException {
    Process started =
        new ProcessBuilder(
                "sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; echo; read end")
            .start();
    running.add(started);
    assertThat(started.getInputStream().read()).isEqualTo('\n');
    return started;
  }

  private static NodeUse of(Process server, Process companion, Set<String> off) {
    return NodeUse.of(
        List.of(
            new Target.Node(
                "n1",
                "127.0.0.1",
                "",
                Profiles.byName(Profiles.DEFAULT).orElseThrow(),
                List.of(),
                Optional.empty(),
                OptionalLong.of(server.pid()),
                Optional.empty(),
                List.of(companion.pid()))),
        off,
        Optional.empty());
  }

  private static void end(Process... processes) throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  private NodeUsage read() throws Exception {
    use.source().refresh(Ticker.system().nanos() + 10 * SECOND).await();
    return use.source().read(0);
  }

  @Test
  void aMachineThatIsSilentIsAnErrorUnlessItIsOffByOrder() throws Exception {
    assertThat(read().cpuNanos()).isEqualTo(5 * SECOND);
    use.mayGoOff("n1");
    assertThat(read().cpuNanos()).isEqualTo(5 * SECOND);
    assertThat(use.source().isOff(0)).as("not yet").isFalse();
    isUp = false;
    assertThat(read().cpuNanos()).isEqualTo(5 * SECOND);
    assertThat(use.source().isOff(0)).isTrue();
    isUp = true;
    boot = 2;
    cpuNanos = SECOND;
    assertThat(read().cpuNanos()).as("its sums go on").isEqualTo(6 * SECOND);
    assertThat(use.source().isOff(0)).isFalse();
    isUp = false;
    assertThatThrownBy(this::read).isInstanceOf(MeterException.class);
  }

  @Test
  void aMachineThatIsOffAtFirstUsesNothingUntilItIsToBeOn() throws Exception {
    isUp = false;
    use.close();
    use = of(Set.of("n1"));
    assertThat(read().cpuNanos()).isZero();
    assertThat(use.source().isOff(0)).isTrue();
    use.isOn("n1");
    assertThatThrownBy(this::read).isInstanceOf(MeterException.class);
  }

  @Test
  void sumsGoOnWithTheProcessesThatComeBack() throws Exception {
    use.close();
    Process server = process();
    Process companion = process();
    use = of(server, companion, Set.of());
    NodeUsage both = read();
    assertThat(both.cpuNanos()).isPositive();
    use.mayGoOff("n1");
    end(server, companion);
    assertThat(read().cpuNanos()).isGreaterThanOrEqualTo(both.cpuNanos());
    assertThat(use.source().isOff(0)).isTrue();
    long before = read().cpuNanos();
    Process again = process();
    Process beside = process();
    use.cameBack("n1", again.pid(), List.of(beside.pid()));
    use.isOn("n1");
    NodeUsage back = read();
    assertThat(back.incarnation()).isEqualTo(both.incarnation());
    assertThat(back.cpuNanos()).isGreaterThan(before);
    assertThat(use.source().isOff(0)).isFalse();
    end(beside);
    assertThatThrownBy(this::read).as("it had no order").isInstanceOf(MeterException.class);
  }

  @Test
  void aNodeThatIsOffAtFirstUsesNothingUntilItsProcessesAreTold() throws Exception {
    use.close();
    Process server = process();
    Process companion = process();
    use = of(server, companion, Set.of("n1"));
    end(server, companion);
    assertThat(read().cpuNanos()).isZero();
    assertThat(use.source().isOff(0)).isTrue();
    Process again = process();
    use.cameBack("n1", again.pid(), List.of(process().pid()));
    assertThat(read().cpuNanos()).isPositive();
    assertThat(use.source().isOff(0)).isFalse();
    end(again);
    assertThatThrownBy(this::read).as("it had no order").isInstanceOf(MeterException.class);
  }
}
