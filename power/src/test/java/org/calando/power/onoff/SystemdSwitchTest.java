package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.power.Ticker;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program with systemctl's words; tests run where no systemd does. */
class SystemdSwitchTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  @TempDir Path folder;
  private String systemctl;

  @BeforeEach
  void installSystemctl() throws Exception {
    systemctl =
        new Scripts(folder)
            .program(
                "systemctl",
                "echo \"$@\" >> \"$here/calls\"",
                "[ \"$1\" = --no-ask-password ] || exit 64",
                "case \"$2\" in",
                "  is-active) cat \"$here/state\"; grep -qx active \"$here/state\" || exit 3;;",
                "  start) echo active > \"$here/state\";;",
                "  stop) cat \"$here/after-stop\" > \"$here/state\";;",
                "  kill) echo failed > \"$here/state\";;",
                "esac");
    state("inactive");
    Files.writeString(folder.resolve("after-stop"), "inactive\n");
  }

  @Test
  void startsAndStopsAUnit() throws Exception {
    VerifiedSwitch verified = verified(SwitchTimes.USUAL.within(PATIENT, PATIENT));
    verified.on();
    assertThat(verified.read()).isEqualTo(State.ON);
    verified.off();
    assertThat(verified.read()).isEqualTo(State.OFF);
    assertThat(Files.readAllLines(folder.resolve("calls")))
        .contains(
            "--no-ask-password start --no-block dn@1.service",
            "--no-ask-password stop --no-block dn@1.service")
        .noneMatch(call -> call.contains("kill"));
  }

  @Test
  void killsAUnitThatDoesNotStop() throws Exception {
    state("active");
    Files.writeString(folder.resolve("after-stop"), "deactivating\n");
    verified(SwitchTimes.USUAL.within(PATIENT, PATIENT).forcing(Duration.ofMillis(200))).off();
    assertThat(Files.readAllLines(folder.resolve("calls")))
        .contains("--no-ask-password kill --kill-who=all --signal=SIGKILL dn@1.service");
  }

  @ParameterizedTest
  @CsvSource({
    "active, ON",
    "reloading, ON",
    "inactive, OFF",
    "failed, OFF",
    "activating, UNKNOWN",
    "deactivating, UNKNOWN"
  })
  void readsTheUnitsState(String word, State state) throws Exception {
    state(word);
    assertThat(plain(List.of(systemctl)).read()).isEqualTo(state);
    Files.writeString(folder.resolve("state"), "Warning: a key was added\n" + word + "\n");
    assertThat(plain(List.of(systemctl)).read()).as("after what ssh says").isEqualTo(state);
  }

  @Test
  void tellsAUnitThatIsNotThereAndASystemThatIsNotReached() throws Exception {
    Scripts scripts = new Scripts(folder);
    String old = scripts.program("no-unit", "echo inactive; exit 4");
    assertThat(failure(plain(List.of(old)))).hasMessageContaining("no such unit");
    String ssh = scripts.program("ssh", "echo 'ssh: no route to host' >&2; exit 255");
    assertThat(failure(plain(List.of(ssh, "root@c1", "systemctl"))))
        .hasMessageContaining("exit code 255")
        .hasMessageContaining("no route to host")
        .hasMessageContaining("root@c1 systemctl --no-ask-password is-active dn@1.service");
  }

  @Test
  void takesNoUnitThatMeansSomethingToAShell() {
    for (String unit : List.of("a b", "a;reboot", "$(id)", "-H", "")) {
      assertThatThrownBy(() -> new SystemdSwitch("n1", unit, List.of("systemctl"), PATIENT))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private void state(String word) throws Exception {
    Files.writeString(folder.resolve("state"), word + "\n");
  }

  private static FailedWorkException failure(PowerSwitch plain) {
    return catchThrowableOfType(FailedWorkException.class, plain::read);
  }

  private SystemdSwitch plain(List<String> program) {
    return new SystemdSwitch("n1", "dn@1.service", program, PATIENT);
  }

  private VerifiedSwitch verified(SwitchTimes times) {
    SwitchSpec.Kind kind = new SwitchSpec.Systemd("dn@1.service", List.of(systemctl));
    return new SwitchSpec(kind, PATIENT, times).verified("n1", Optional.empty(), Ticker.system());
  }
}
