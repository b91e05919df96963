package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.calando.core.FailedWorkException;
import org.calando.power.Daemon;
import org.calando.power.Ticker;
import org.calando.power.onoff.CommandSwitch.Commands;
import org.calando.power.onoff.PowerSwitch.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real programs. */
class CommandSwitchTest {
  private static final Duration PATIENT = Duration.ofSeconds(60);

  @TempDir Path folder;
  private Scripts scripts;

  @BeforeEach
  void findFolder() {
    scripts = new Scripts(folder);
  }

  @Test
  void switchesByProgramsAndReadsTheirExitCode() throws Exception {
    CommandSwitch plain =
        new CommandSwitch("n1", byCode("[ -e \"$here/lit\" ] || exit 3"), PATIENT);
    SwitchTimes times = SwitchTimes.USUAL.within(PATIENT, PATIENT);
    VerifiedSwitch verified = new VerifiedSwitch(plain, Optional.empty(), times, Ticker.system());
    assertThat(verified.read()).isEqualTo(State.OFF);
    verified.on();
    assertThat(folder.resolve("lit")).exists();
    assertThat(verified.read()).isEqualTo(State.ON);
    verified.off();
    assertThat(folder.resolve("lit")).doesNotExist();
  }

  @Test
  void takesOtherExitCodesForNoAnswer() throws Exception {
    assertThat(new CommandSwitch("n1", byCode("exit 1"), PATIENT).read()).isEqualTo(State.UNKNOWN);
    assertThat(new CommandSwitch("n1", byCode("kill -9 $$"), PATIENT).read())
        .isEqualTo(State.UNKNOWN);
  }

  @Test
  void readsTheStateFromWhatAProgramSays() throws Exception {
    assertThat(saying("echo Outlet 7 is On; exit 9").read()).isEqualTo(State.ON);
    assertThat(saying("echo Outlet 7 is Off >&2").read()).isEqualTo(State.OFF);
    assertThat(saying("printf 'Outlet 7 is O'").read()).as("half").isEqualTo(State.UNKNOWN);
    assertThat(saying("").read()).as("nothing").isEqualTo(State.UNKNOWN);
    assertThat(saying("echo is On; echo is Off").read()).as("both").isEqualTo(State.UNKNOWN);
  }

  @Test
  void tellsAProgramThatFails() throws Exception {
    CommandSwitch plain = new CommandSwitch("n1", failing("echo no licence; exit 7"), PATIENT);
    assertThat(catchThrowableOfType(FailedWorkException.class, plain::on))
        .hasMessageContaining("exit code 7: no licence")
        .hasMessageContaining("n1, commands");
    CommandSwitch missing =
        new CommandSwitch(
            "n1",
            byExitCode(List.of("/none/on"), List.of("/none/off"), List.of("/none/is")),
            PATIENT);
    assertThat(catchThrowableOfType(FailedWorkException.class, missing::read))
        .hasMessageContaining("cannot be started");
  }

  @Test
  void killsAProgramThatDoesNotEndAndWhatItStarted() throws Exception {
    Commands commands = failing("sleep 600 & echo $! > \"$here/child\"; wait");
    CommandSwitch plain = new CommandSwitch("n1", commands, Duration.ofSeconds(5));
    assertThat(catchThrowableOfType(FailedWorkException.class, plain::on))
        .hasMessageContaining("did not end within 5000 ms and was killed");
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    await().atMost(PATIENT).until(() -> !isRunning(child));
  }

  private static boolean isRunning(long pid) throws IOException {
    // One that ended stays an entry until whoever inherited it waits for it.
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    try {
      return !Files.readString(stat).contains(") Z ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void isNotHeldUpByWhatStaysInTheBackground() throws Exception {
    Commands commands = failing("echo started; sleep 600 & echo $! > \"$here/child\"");
    new CommandSwitch("n1", commands, PATIENT).on();
    long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
    ProcessHandle left = ProcessHandle.of(child).orElseThrow();
    assertThat(left.isAlive()).isTrue();
    left.destroyForcibly();
  }

  @Test
  void boundsWhatAProgramWrites() throws Exception {
    CommandSwitch plain = saying("yes is Off | head -c 3000000; echo is On");
    assertThat(plain.read()).as("what comes after 64 KiB is not kept").isEqualTo(State.OFF);
  }

  @Test
  void givesArgumentsAsTheyAre() throws Exception {
    String program = scripts.program("on", "printf '%s|' \"$@\" > \"$here/arguments\"");
    List<String> odd = List.of(program, "a b", "$HOME", "*", "");
    new CommandSwitch("n1", byExitCode(odd, odd, odd), PATIENT).on();
    assertThat(folder.resolve("arguments")).hasContent("a b|$HOME|*||");
  }

  @Test
  void catchesASwitchThatLies() throws Exception {
    SwitchTimes times = SwitchTimes.USUAL.within(PATIENT, Duration.ofSeconds(2));
    SwitchSpec spec = new SwitchSpec(new SwitchSpec.Command(byCode("exit 3")), PATIENT, times);
    int port = Daemon.freePort();
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket socket = new ServerSocket(port, 50, loopback)) {
      assertThat(socket.isBound()).isTrue();
      assertThat(catchThrowableOfType(FailedWorkException.class, () -> watched(spec, port).off()))
          .hasMessageContaining("says off, but the node still answers");
    }
    watched(spec, port).off();
  }

  private static PowerSwitch watched(SwitchSpec spec, int port) {
    Lookout lookout = Lookout.port("127.0.0.1", port, Duration.ofSeconds(30));
    return spec.verified("n1", Optional.of(lookout), Ticker.system());
  }

  @Test
  void refusesHalfOfAnAnswersMeaning() {
    List<String> program = List.of("true");
    Optional<Pattern> on = Optional.of(Pattern.compile("on"));
    assertThatThrownBy(
            () -> new Commands(program, program, Optional.empty(), program, on, Optional.empty()))
        .hasMessageContaining("together");
    assertThatThrownBy(() -> byExitCode(List.of(), program, program))
        .hasMessageContaining("program");
  }

  static Commands byExitCode(List<String> on, List<String> off, List<String> status) {
    return new Commands(on, off, Optional.empty(), status, Optional.empty(), Optional.empty());
  }

  private Commands byCode(String status) throws IOException {
    return byExitCode(
        List.of(scripts.program("on", "touch \"$here/lit\"")),
        List.of(scripts.program("off", "rm -f \"$here/lit\"")),
        List.of(scripts.program("status", status)));
  }

  private Commands failing(String on) throws IOException {
    return byExitCode(List.of(scripts.program("on", on)), List.of("true"), List.of("true"));
  }

  private CommandSwitch saying(String status) throws IOException {
    List<String> program = List.of(scripts.program("status", status));
    return new CommandSwitch(
        "n1",
        new Commands(
            program,
            program,
            Optional.empty(),
            program,
            Optional.of(Pattern.compile("is On\\b")),
            Optional.of(Pattern.compile("is Off\\b"))),
        PATIENT);
  }
}
