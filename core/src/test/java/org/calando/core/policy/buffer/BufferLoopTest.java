package org.calando.core.policy.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.calando.core.policy.KnobId;
import org.calando.core.policy.Setting;
import org.calando.core.policy.Step;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferLoopTest {
  private static final long MS = 1_000_000;
  private static final BufferLoop.Range RANGE = new BufferLoop.Range(10 * MS, 1_000_000);

  private static BufferLoop.Decided decide(BufferSetting wanted, BufferSetting current) {
    return new BufferLoop(new FixedBufferPolicy(wanted), "t", RANGE).decide(seen(), current);
  }

  private static BufferObservation seen() {
    return new BufferObservation(
        0, "t", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 0);
  }

  @Test
  void settingsThatHardlyDifferAreLeft() {
    BufferSetting current = new BufferSetting(100_000, 100 * MS);
    BufferLoop.Decided near = decide(new BufferSetting(104_000, 97 * MS), current);
    assertThat(near.changed()).isFalse();
    assertThat(near.set()).isEqualTo(current);
    BufferSetting other = new BufferSetting(104_000, 90 * MS);
    assertThat(decide(other, current).set()).isEqualTo(other);
    assertThat(decide(BufferSetting.STRONG, current).set()).isEqualTo(BufferSetting.STRONG);
    assertThat(decide(BufferSetting.STRONG, BufferSetting.STRONG).changed()).isFalse();
  }

  @Test
  void whatIsSetIsWithinTheRangeOfTheClient() {
    assertThat(decide(new BufferSetting(5_000_000, MS), BufferSetting.STRONG).set())
        .isEqualTo(new BufferSetting(1_000_000, 10 * MS));
  }

  @Test
  void thatApromiseIsNotToBeHadIsToldAsLongAsItIsSo() {
    FreshPromise promise = new FreshPromise(100 * MS, FreshPromise.ANY);
    BufferLoop loop =
        new BufferLoop(new FreshBufferPolicy(promise, FreshLimits.DEFAULT), "t", RANGE);
    assertThat(loop.decide(seen(130, 120), BufferSetting.STRONG).notToBeHad().orElseThrow())
        .contains("takes 120 ms");
    // Neither that it is to be had nor that it is not.
    assertThat(loop.decide(seen(130, 90), BufferSetting.STRONG).notToBeHad()).isPresent();
    assertThat(loop.decide(seen(80, 70), BufferSetting.STRONG).notToBeHad()).isEmpty();
    assertThat(loop.notToBeHad()).isEmpty();
    assertThat(loop.decide(seen(130, 90), BufferSetting.STRONG).notToBeHad()).isEmpty();
  }

  private static BufferObservation seen(long atMostMillis, long atLeastMillis) {
    return new BufferObservation(
        0,
        "t",
        Optional.empty(),
        Optional.empty(),
        Optional.of(
            new BufferObservation.Tail(
                0, 300, (double) (atMostMillis * MS), (double) (atLeastMillis * MS))),
        Optional.empty(),
        0);
  }

  @Test
  void astepThatSetsNothingLeavesWhatIsSet() {
    BufferSetting current = BufferSetting.deferred(5_000);
    BufferPolicy silent =
        new BufferPolicy() {
          @Override
          public String name() {
            return "silent";
          }

          @Override
          public Step<BufferState> decide(BufferState state, BufferObservation observation) {
            return new Step<>(
                state, List.of(new Setting<>(KnobId.GEAR, "cluster", 1)), List.of("nothing"));
          }
        };
    BufferLoop.Decided decided = new BufferLoop(silent, "t", RANGE).decide(seen(), current);
    assertThat(decided.changed()).isFalse();
    assertThat(decided.set()).isEqualTo(current);
  }

  @ParameterizedTest
  @ValueSource(strings = {"strong", "12000000 B", "64000 B 80123456 ns"})
  void wordsOfSettingsAreReadAgain(String words) {
    assertThat(BufferSetting.parse(words).words()).isEqualTo(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "weak", "0 B", "12 MB", "64000 B 80 ms", "64000 B "})
  void otherWordsAreNone(String words) {
    assertThatThrownBy(() -> BufferSetting.parse(words))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
