package org.calando.core.policy.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.calando.core.policy.clock.WriteHeadroom.Verdict.FALLS_BEHIND;
import static org.calando.core.policy.clock.WriteHeadroom.Verdict.KEEPS_UP;
import static org.calando.core.policy.clock.WriteHeadroom.Verdict.TIGHT;
import static org.calando.core.policy.clock.WriteHeadroom.Verdict.UNKNOWN;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.calando.core.BadRequestException;
import org.calando.core.energy.PStates;
import org.calando.core.replication.ServerCounts;
import org.calando.core.replication.ServerUse;
import org.junit.jupiter.api.Test;

class LagAnalysisTest {
  private static final PStates PAPER = PStates.xeonSilver4114();
  private static final ServerCounts START = new ServerCounts(0, 0, 0, 0, 0, 0, 0, 0);
  private static final long SECOND = 1_000_000_000;

  @Test
  void thePapersFigureThreeIsOfAReplicaThatKeepsUpAtEveryClock() {
    // A write each 77.69 us, 10.98 us of processing: 12872 a second.
    ServerUse use = writes(12_872, 10_980);
    List<WriteHeadroom> rows = WriteHeadroom.of(use, PAPER, 2.2, 0.6);
    assertThat(rows).extracting(WriteHeadroom::verdict).containsOnly(KEEPS_UP).hasSize(7);
    WriteHeadroom fast = rows.get(0);
    assertThat(fast.arrivalNanos()).isCloseTo(77_690, within(5.0));
    assertThat(fast.headroom()).isCloseTo(1 - 10.98 / 77.69, within(1e-3));
    assertThat(fast.lagFactor()).isCloseTo(1, within(1e-9));
    WriteHeadroom slow = rows.get(6);
    // The paper measured 22.28 us: memory does not become slower with the core.
    assertThat(slow.processingNanos()).isCloseTo(2.2 * 10_980, within(1e-6));
    assertThat(slow.headroom()).isCloseTo(1 - 24.16 / 77.69, within(1e-3));
    assertThat(slow.lagFactor()).isGreaterThan(2.2);
  }

  @Test
  void aBusyReplicaIsToldFromOneThatFallsBehind() {
    // 44 % busy at 2.2 GHz: 60 % and more below 1.6 GHz, 96 % at 1.0 GHz.
    assertThat(verdicts(writes(44_000, 10_000)))
        .containsExactly(KEEPS_UP, KEEPS_UP, KEEPS_UP, TIGHT, TIGHT, TIGHT, TIGHT);
    assertThat(verdicts(writes(60_000, 10_000)))
        .containsExactly(KEEPS_UP, TIGHT, TIGHT, TIGHT, TIGHT, FALLS_BEHIND, FALLS_BEHIND);
  }

  @Test
  void withoutCpuTimeOrWritesNothingIsClaimed() {
    ServerUse remote =
        ServerUse.between(
            new ServerCounts(0, 0, 0, 0, 0, 0, -1, -1),
            new ServerCounts(SECOND, 500_000, 1_000, 2_000_000, 0, 0, -1, -1));
    assertThat(verdicts(remote)).containsOnly(UNKNOWN);
    assertThat(remote.bytesPerWrite()).isEqualTo(500);
    assertThat(verdicts(writes(0, 0))).containsOnly(UNKNOWN);
  }

  @Test
  void cpuTimeIsSplitByExecutionAndNumber() {
    // 100 writes of 1 us and 300 reads of 2 us each in 2 ms of CPU: 1.3 ms is for receiving and
    // answering 400 commands.
    ServerUse use =
        ServerUse.between(
            START,
            new ServerCounts(SECOND, 10_000, 100, 100_000, 300, 600_000, 2_000_000, 800_000));
    assertThat(use.busyShare()).isCloseTo(0.002, within(1e-12));
    assertThat(use.writeNanos()).isCloseTo(1_000 + 3_250, within(1e-6));
    assertThat(use.readNanos()).isCloseTo(2_000 + 3_250, within(1e-6));
    assertThat(use.ioNanosPerCommand()).isCloseTo(2_000, within(1e-6));
    assertThat(100 * use.writeNanos() + 300 * use.readNanos()).isCloseTo(2_000_000, within(1e-3));
    // More execution than CPU time: held up in the midst of commands.
    ServerUse held =
        ServerUse.between(START, new ServerCounts(SECOND, 0, 100, 9_000_000, 0, 0, 3_000_000, 0));
    assertThat(held.writeNanos()).isCloseTo(30_000, within(1e-6));
    assertThatThrownBy(() -> ServerUse.between(new ServerCounts(1, 0, 5, 0, 0, 0, 0, 0), START))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void offLoadAvoidsThePartThatIoThreadsDo() {
    // As in the paper, where two thirds of the delay are of encoding and sending.
    ReadBreakdown read = new ReadBreakdown(1_000, 3_000, 8_000);
    assertThat(read.totalNanos()).isEqualTo(12_000);
    double slow = read.slowNanos(2.2) - read.totalNanos();
    double offloaded = read.offloadedNanos(2.2) - read.totalNanos();
    assertThat(offloaded / slow).isCloseTo(1 / 3.0, within(1e-12));
  }

  @Test
  void aBreakdownIsScaledToFullSpeed() {
    ServerUse use =
        ServerUse.between(START, new ServerCounts(SECOND, 0, 0, 0, 100, 200_000, 1_000_000, 0));
    ReadBreakdown read = ReadBreakdown.of(use, 2);
    assertThat(read.lookUpNanos()).isCloseTo(1_000, within(1e-9));
    assertThat(read.mainRestNanos()).isCloseTo(4_000, within(1e-9));
    assertThat(read.ioNanos()).isZero();
  }

  @Test
  void aLagHasASpread() {
    List<OptionalLong> lags = new ArrayList<>(List.of(OptionalLong.empty()));
    for (long i = 200; i >= 1; i--) {
      lags.add(OptionalLong.of(i));
    }
    assertThat(LagSpread.of(lags)).isEqualTo(new LagSpread(200, 1, 100, 198, 200));
    assertThat(LagSpread.of(lags).dividedBy(2).max()).isEqualTo(100);
    assertThat(LagSpread.of(List.of()).p50()).isNaN();
  }

  @Test
  void theMeasuredClockIsOneOfTheTable() {
    assertThatThrownBy(() -> WriteHeadroom.of(writes(1, 1), PAPER, 2.1, 0.6))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("2.1 GHz");
  }

  private static List<WriteHeadroom.Verdict> verdicts(ServerUse use) {
    return WriteHeadroom.of(use, PAPER, 2.2, 0.6).stream().map(WriteHeadroom::verdict).toList();
  }

  /** A replica that applies so many writes a second, each of so much CPU time. */
  private static ServerUse writes(long perSecond, long nanos) {
    return ServerUse.between(
        START,
        new ServerCounts(
            SECOND, 100 * perSecond, perSecond, perSecond * nanos / 4, 0, 0, perSecond * nanos, 0));
  }
}
