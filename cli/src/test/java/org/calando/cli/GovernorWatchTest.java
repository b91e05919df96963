package org.calando.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.calando.control.DecisionJournal;
import org.calando.control.HeldGear;
import org.calando.core.BadRequestException;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.calando.core.policy.gear.GearObservation;
import org.calando.core.policy.gear.GearPolicy;
import org.calando.core.policy.gear.GearState;
import org.calando.core.time.Scheduler;
import org.calando.gears.ShiftGovernor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GovernorWatchTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @TempDir private Path folder;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final List<String> events = new ArrayList<>();

  @Test
  void decisionsAreItsOwnUntilAShiftThatDoesNotHeedTheInterruptHasEnded() throws Exception {
    Thread governs = new Thread(this::govern, "governs");
    governs.start();
    begun.await();
    governs.interrupt();
    interrupted.await();
    assertThatThrownBy(() -> DecisionJournal.open(folder, "another", Instant::now))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("a test");
    mayEnd.countDown();
    governs.join();
    DecisionJournal.open(folder, "another", Instant::now).close();
    assertThat(events).containsExactly("shifted", "interrupted");
  }

  private void govern() {
    try {
      new Watch()
          .run(
              new Up(),
              SECOND,
              0,
              folder,
              "a test",
              (scheduler, executor) -> new Stubborn(scheduler, executor));
    } catch (InterruptedException e) {
      events.add("interrupted");
    }
  }

  private static final class Watch extends GovernorWatch {
    Watch() {
      super(
          false, false, new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8));
    }

    @Override
    String words(HeldGear.Look look) {
      return "";
    }

    @Override
    void fill(ObjectNode node, HeldGear.Look look) {}
  }

  private static final class Up implements GearPolicy {
    @Override
    public String name() {
      return "up";
    }

    @Override
    public Step<GearState> decide(GearState state, GearObservation observation) {
      return new Step<>(
          state, List.of(new Setting<>(KnobId.GEAR, "cluster", 2)), List.of("a test"));
    }
  }

  /** Shifts until it may end, whoever interrupts it. */
  private final class Stubborn extends ShiftGovernor {
    private volatile int gear = 1;

    Stubborn(Scheduler scheduler, Executor executor) {
      super(scheduler, executor, () -> 0);
    }

    @Override
    public Optional<String> resume(boolean dryRun) {
      return Optional.empty();
    }

    @Override
    public String target() {
      return "cluster";
    }

    @Override
    protected GearObservation observe() {
      return observed(gear, 0, Optional.empty());
    }

    @Override
    protected void move(int to) {
      begun.countDown();
      boolean may = false;
      while (!may) {
        try {
          mayEnd.await();
          may = true;
        } catch (InterruptedException e) {
          interrupted.countDown();
        }
      }
      gear = to;
      events.add("shifted");
    }

    @Override
    protected boolean isUnfinished() {
      return false;
    }

    @Override
    protected void begin() {}

    @Override
    public int gear() {
      return gear;
    }

    @Override
    public int highest() {
      return 2;
    }
  }
}
