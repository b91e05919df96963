package org.calando.power.onoff;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.calando.core.FailedWorkException;
import org.calando.core.time.DaemonThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SwitchBoardTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** How a switch begins. */
  private interface Begin {
    void run() throws InterruptedException;
  }

  private record Beginning(Begin how) implements PowerSwitch {
    @Override
    public String describe() {
      return "a switch";
    }

    @Override
    public State read() {
      return State.UNKNOWN;
    }

    @Override
    public void begin() throws InterruptedException {
      how.run();
    }

    @Override
    public void on() {}

    @Override
    public void off() {}

    @Override
    public boolean canForce() {
      return false;
    }

    @Override
    public void forceOff() {}
  }

  private static SwitchBoard board(Map<String, PowerSwitch> switches) {
    return new SwitchBoard(switches, LONG, line -> {});
  }

  @Test
  void allSwitchesBeginAtOnce() throws Exception {
    CountDownLatch all = new CountDownLatch(3);
    Beginning waits =
        new Beginning(
            () -> {
              all.countDown();
              all.await();
            });
    board(Map.of("a", waits, "b", waits, "c", waits)).begin();
    assertThat(all.getCount()).isZero();
  }

  private static final Beginning HANGS = new Beginning(() -> new CountDownLatch(1).await());

  @Test
  void switchesThatHangOrFailKeepNoOtherFromItsBegin() throws Exception {
    // Those that hang too: what has not begun when it is cut off never does.
    CountDownLatch begun = new CountDownLatch(40);
    CountDownLatch cutOff = new CountDownLatch(20);
    Map<String, PowerSwitch> switches = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      switches.put("begins" + i, new Beginning(begun::countDown));
      switches.put("hangs" + i, new Beginning(() -> hang(begun, cutOff)));
      switches.put("fails" + i, new Beginning(SwitchBoardTest::fail));
    }
    Thread begins = DaemonThread.of("begins", () -> begin(board(switches)));
    begins.start();
    begun.await();
    begins.interrupt();
    cutOff.await();
    begins.join();
  }

  private static void hang(CountDownLatch begun, CountDownLatch cutOff)
      throws InterruptedException {
    begun.countDown();
    try {
      HANGS.begin();
    } finally {
      cutOff.countDown();
    }
  }

  private static void fail() {
    throw new FailedWorkException("does not answer", "a switch", "start it");
  }

  private static void begin(SwitchBoard board) {
    try {
      board.begin(LONG);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void oneThatHangsIsWaitedForUntilTheDeadline() throws Exception {
    board(Map.of("a", HANGS)).begin(Duration.ofMillis(1));
  }
}
