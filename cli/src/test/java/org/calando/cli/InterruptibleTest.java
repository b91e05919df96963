package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.calando.core.FailedWorkException;
import org.calando.study.Progress;
import org.calando.study.StopSignal;
import org.junit.jupiter.api.Test;

class InterruptibleTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Progress progress =
      new Progress(new PrintStream(said, true, StandardCharsets.UTF_8), false, 80);
  private final StopSignal stop = new StopSignal();

  private static Integer fail() {
    throw new FailedWorkException("the NameNode does not answer", "", "start it");
  }

  private void open() {
    assertThatThrownBy(() -> Interruptible.opened(stop, InterruptibleTest::fail, progress))
        .isInstanceOf(FailedWorkException.class);
  }

  private void work(Optional<String> left) {
    Interruptible work = Interruptible.telling(stop, InterruptibleTest::fail, () -> left, progress);
    assertThatThrownBy(work::run).isInstanceOf(FailedWorkException.class);
  }

  @Test
  void whoEndsACommandIsToldWhatIsLeft() {
    open();
    work(Optional.of("x"));
    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    stop.request();
    open();
    work(Optional.empty());
    work(Optional.of("./calando gear up --resume"));
    assertThat(said.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "interrupted; nothing was begun",
            "interrupted; no plan is open",
            "the plan stays open; resume it by ./calando gear up --resume");
  }
}
