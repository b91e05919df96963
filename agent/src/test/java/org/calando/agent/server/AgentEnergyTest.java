package org.calando.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.calando.http.HttpPeer;
import org.calando.power.PowerProbe;
import org.calando.power.PowerSample;
import org.calando.power.Ticker;
import org.calando.power.agent.AgentSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two readers of the energy of one agent's machine. */
@Timeout(60)
class AgentEnergyTest {
  @TempDir Path folder;

  private void counter(long microjoules) throws IOException {
    Path zone = Files.createDirectories(folder.resolve("powercap/intel-rapl:0"));
    Files.writeString(zone.resolve("name"), "package-0\n");
    Files.writeString(zone.resolve("max_energy_range_uj"), "262143328850\n");
    Files.writeString(zone.resolve("energy_uj"), microjoules + "\n");
  }

  private static PowerSample.Energy sample(PowerProbe probe) throws Exception {
    long deadline = Ticker.system().nanos() + TimeUnit.SECONDS.toNanos(30);
    return (PowerSample.Energy) probe.sample(deadline);
  }

  @Test
  void eachReaderHearsThatACounterBeganAnew() throws Exception {
    counter(900_000_000);
    try (FakeAgent agent = FakeAgent.of(folder, 1)) {
      AgentSource source = new AgentSource(agent.address(), HttpPeer.Access.NONE);
      try (PowerProbe one = source.open(Ticker.system());
          PowerProbe two = source.open(Ticker.system())) {
        counter(10_000);
        assertThat(sample(one).reset()).isTrue();
        assertThat(sample(two).reset()).isTrue();
        assertThat(sample(one).reset()).isFalse();
        assertThat(sample(two).reset()).isFalse();
        try (PowerProbe later = source.open(Ticker.system())) {
          assertThat(sample(later).reset()).as("it was before").isFalse();
        }
      }
    }
  }
}
