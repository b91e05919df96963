package org.calando.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CounterTrackTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void addsUpLaps() {
    CounterTrack track = new CounterTrack(1e-6, 1_000_000_000L, 500);
    assertThat(track.advance(0, 900_000_000L)).isEqualTo(new PowerSample.Energy(0, 0, false));
    PowerSample.Energy lap = track.advance(SECOND, 50_000_000L);
    assertThat(lap.joules()).isCloseTo(150, within(1e-9));
    assertThat(lap.reset()).isFalse();
    assertThat(track.advance(2 * SECOND, 60_000_000L).joules()).isCloseTo(160, within(1e-9));
  }

  @Test
  void counterThatStartedAgainIsAResetAndAddsNothing() {
    CounterTrack track = new CounterTrack(3600, 1L << 32, 2000);
    track.advance(0, 1000);
    track.advance(10 * SECOND, 1001);
    PowerSample.Energy again = track.advance(20 * SECOND, 3);
    assertThat(again.reset()).isTrue();
    assertThat(again.joules()).isEqualTo(3600);
    assertThat(track.advance(30 * SECOND, 4))
        .isEqualTo(new PowerSample.Energy(30 * SECOND, 7200, false));
  }

  @Test
  void moreThanALapMayHavePassedUnseen() {
    CounterTrack track = new CounterTrack(1, 100, 50);
    track.advance(0, 10);
    assertThat(track.advance(SECOND, 40).reset()).isFalse();
    assertThat(track.advance(3 * SECOND, 50).reset()).isTrue();
  }

  @Test
  void coarseCounterMayJumpByAWholeUnitAtOnce() {
    CounterTrack track = new CounterTrack(3600, 1L << 32, 500);
    track.advance(0, 7);
    assertThat(track.advance(SECOND, 8).reset()).isFalse();
  }

  @Test
  void refusesUnitsWithoutEnergy() {
    assertThatThrownBy(() -> new CounterTrack(0, 100, 50))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
