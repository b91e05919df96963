package org.calando.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.calando.core.CalandoException;
import org.calando.core.FailedWorkException;
import org.calando.core.policy.Decision;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.PolicyLoop;
import org.calando.core.policy.ReadChoice;
import org.junit.jupiter.api.Test;

/** Shifts to as many replicas as a policy is steered to, each for as long as a test says. */
class ShiftActorTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualScheduler scheduler = new ManualScheduler();
  private final List<ShiftActor.Look<Integer>> looks = new ArrayList<>();
  private final List<String> inForce = new ArrayList<>();
  private final Numbers numbers = new Numbers();
  private int asked;
  private int wanted = 2;

  private ControlLoop<Integer> start(boolean waits, boolean dryRun) {
    return ControlLoop.looking(
            scheduler,
            new PolicyLoop<>(new Table.Steered(), Table.NAME),
            now -> {
              asked++;
              return Optional.of(Table.saying(wanted, now));
            },
            new ShiftActor<>(numbers, waits, dryRun, looks::add))
        .listener(
            new LoopListener() {
              @Override
              public void decided(Decision<?> decision) {}

              @Override
              public void decided(Decision<?> decision, String words) {
                inForce.add(words);
              }
            })
        .start();
  }

  private ShiftActor.Look<Integer> last() {
    return looks.get(looks.size() - 1);
  }

  private void arrive() {
    numbers.now = wanted;
    numbers.shift.complete(null);
  }

  @Test
  void nothingIsObservedWhileAShiftIsUnderWay() {
    ControlLoop<Integer> loop = start(true, false);
    scheduler.advance(10 * SECOND);
    assertThat(asked).isEqualTo(1);
    assertThat(looks).isEmpty();
    arrive();
    assertThat(last().shifted()).isTrue();
    scheduler.advance(SECOND);
    assertThat(asked).isEqualTo(2);
    assertThat(last().tried()).isFalse();
    assertThat(numbers.begun).containsExactly("1 to 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void decisionsGoOnWhileAShiftIsUnderWayAndHoldAtItsEnd() {
    ControlLoop<Integer> loop = start(false, false);
    scheduler.run();
    wanted = 3;
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2");
    numbers.now = 2;
    numbers.shift.complete(null);
    scheduler.advance(SECOND);
    assertThat(numbers.begun).containsExactly("1 to 2", "2 to 3");
    assertThat(inForce).containsExactly("at 1", "under way from 1", "at 2");
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aDryRunDecidesOnly() {
    ControlLoop<Integer> loop = start(true, true);
    scheduler.advance(SECOND);
    assertThat(numbers.begun).isEmpty();
    assertThat(looks).hasSize(2);
    assertThat(last().decided()).isEqualTo(2);
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void whatIsRefusedIsTriedAgainLessAndLess() {
    numbers.refuses = true;
    ControlLoop<Integer> loop = start(true, false);
    scheduler.advance(1000 * SECOND);
    // Up: at 0, 10, 30, 60, 90 s and so on.
    assertThat(numbers.begun).hasSize(3 + 970 / 30);
    assertThat(looks.get(0).notNow()).contains("table: it is busy; remedy: wait");
    assertThat(looks.get(1).notNow()).contains("was refused, and is tried again later");
    assertThat(looks.get(1).tried()).isFalse();
    // Down, another matter: at once, and then after 10, 20, 40, 80, 160, 300 and 300 s.
    numbers.now = 3;
    wanted = 1;
    numbers.begun.clear();
    scheduler.advance(1000 * SECOND);
    assertThat(numbers.begun).hasSize(8);
    assertThat(loop.failure()).isEmpty();
  }

  @Test
  void aShiftThatFailsEndsTheLoop() {
    ControlLoop<Integer> loop = start(true, false);
    scheduler.run();
    numbers.shift.completeExceptionally(new IllegalStateException("half way"));
    assertThat(loop.failure().orElseThrow()).hasMessage("half way");
    scheduler.advance(10 * SECOND);
    assertThat(asked).isEqualTo(1);
  }

  private static final class Numbers implements ShiftActor.Shifts<Integer> {
    final List<String> begun = new ArrayList<>();
    int now = 1;
    boolean refuses;
    CompletableFuture<Void> shift = new CompletableFuture<>();

    @Override
    public Integer current() {
      return now;
    }

    @Override
    public Integer wanted(Decision<?> decision, Integer current) {
      return decision.value(KnobId.READ_LEVEL).map(ReadChoice::replicas).orElse(current);
    }

    @Override
    public boolean isUp(Integer from, Integer to) {
      return to > from;
    }

    @Override
    public CompletionStage<?> shift(Integer from, Integer to) {
      begun.add(from + " to " + to);
      shift = new CompletableFuture<>();
      if (refuses) {
        shift.completeExceptionally(new FailedWorkException("it is busy", "table", "wait"));
      }
      return shift;
    }

    @Override
    public boolean isRefusal(CalandoException why) {
      return true;
    }

    @Override
    public String words(Integer current, boolean isUnderWay) {
      return (isUnderWay ? "under way from " : "at ") + current;
    }
  }
}
