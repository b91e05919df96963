package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.Test;

/** A process of this machine as a node. */
class ProcessSwitchTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  /** One that ends when it is asked, or does not. */
  private static final class Sleeper implements SwitchableProcess {
    private final String trap;
    private Optional<Process> process = Optional.empty();

    Sleeper(String trap) {
      this.trap = trap;
    }

    @Override
    public String name() {
      return "n1";
    }

    @Override
    public boolean isRunning() {
      return process.map(Process::isAlive).orElse(false);
    }

    @Override
    public void start() {
      try {
        // It tells that its trap is set by closing its output.
        Process started =
            new ProcessBuilder("sh", "-c", trap + " exec >&-; while :; do sleep 0.1; done").start();
        started.getInputStream().readAllBytes();
        process = Optional.of(started);
      } catch (IOException e) {
        throw new FailedWorkException("no shell", "n1", "", e);
      }
    }

    @Override
    public void stop() {
      process.orElseThrow().destroy();
    }

    @Override
    public void kill() {
      process.orElseThrow().destroyForcibly();
    }
  }

  @Test
  void startsAndEndsAProcess() throws Exception {
    Sleeper node = new Sleeper("");
    VerifiedSwitch verified = verified(node, SwitchTimes.USUAL.within(PATIENT, PATIENT));
    assertThat(verified.read()).isEqualTo(State.OFF);
    verified.on();
    assertThat(node.isRunning()).isTrue();
    verified.off();
    assertThat(node.isRunning()).isFalse();
  }

  @Test
  void killsOneThatDoesNotEnd() throws Exception {
    Sleeper node = new Sleeper("trap '' TERM;");
    VerifiedSwitch verified =
        verified(node, SwitchTimes.USUAL.within(PATIENT, PATIENT).forcing(Duration.ofMillis(200)));
    verified.on();
    verified.off();
    assertThat(node.isRunning()).isFalse();
  }

  private static VerifiedSwitch verified(Sleeper node, SwitchTimes times) {
    return new VerifiedSwitch(new ProcessSwitch(node), Optional.empty(), times, Ticker.system());
  }
}
