package org.calando.core.policy.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.calando.core.policy.PolicyLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferRangeTest {
  private static final long MS = 1_000_000;
  private static final BufferRange RANGE = new BufferRange(10 * MS, 1_000_000);

  private static BufferSetting next(BufferSetting wanted, BufferSetting current) {
    return RANGE.next(Optional.of(wanted), current);
  }

  @Test
  void settingsThatHardlyDifferAreLeft() {
    BufferSetting current = new BufferSetting(100_000, 100 * MS);
    assertThat(next(new BufferSetting(104_000, 97 * MS), current)).isEqualTo(current);
    BufferSetting other = new BufferSetting(104_000, 90 * MS);
    assertThat(next(other, current)).isEqualTo(other);
    assertThat(next(BufferSetting.STRONG, current)).isEqualTo(BufferSetting.STRONG);
    assertThat(next(BufferSetting.STRONG, BufferSetting.STRONG)).isEqualTo(BufferSetting.STRONG);
  }

  @Test
  void whatIsSetIsWithinTheRangeOfTheClient() {
    assertThat(next(new BufferSetting(5_000_000, MS), BufferSetting.STRONG))
        .isEqualTo(new BufferSetting(1_000_000, 10 * MS));
  }

  @Test
  void whereNothingIsWantedWhatIsSetStays() {
    BufferSetting current = BufferSetting.deferred(5_000);
    assertThat(RANGE.next(Optional.empty(), current)).isEqualTo(current);
  }

  @Test
  void thatApromiseIsNotToBeHadIsReportedAsLongAsItIsSo() {
    FreshPromise promise = new FreshPromise(100 * MS, FreshPromise.ANY);
    FreshBufferPolicy policy = new FreshBufferPolicy(promise, FreshLimits.DEFAULT);
    PolicyLoop<BufferState> loop = new PolicyLoop<>(policy, "t");
    assertThat(notToBeHad(policy, loop, seen(130, 120)).orElseThrow()).contains("takes 120 ms");
    // Neither that it is to be had nor that it is not.
    assertThat(notToBeHad(policy, loop, seen(130, 90))).isPresent();
    assertThat(notToBeHad(policy, loop, seen(80, 70))).isEmpty();
    assertThat(notToBeHad(policy, loop, seen(130, 90))).isEmpty();
  }

  private static Optional<String> notToBeHad(
      BufferPolicy policy, PolicyLoop<BufferState> loop, BufferObservation seen) {
    return policy.notToBeHad(loop.decide(seen).step().state());
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

  @ParameterizedTest
  @CsvSource({"0, strong", "12000000, 12000000 B"})
  void wordsTellSizeAndAge(long bytes, String words) {
    assertThat(new BufferSetting(bytes, BufferSetting.NO_DELAY).words()).isEqualTo(words);
  }

  @Test
  void wordsTellAgeToTheNanosecond() {
    assertThat(new BufferSetting(64_000, 80_123_456).words()).isEqualTo("64000 B 80123456 ns");
  }
}
