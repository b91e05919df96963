package org.calando.geartrials;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.GearLayout;
import org.calando.core.layout.gear.ParaidLayout;
import org.calando.core.layout.gear.ParaidLayout.Order;
import org.calando.core.layout.gear.RabbitLayout;
import org.junit.jupiter.api.Test;

class ShiftForecastTest {
  private static final long MB = 1 << 20;

  @Test
  void theExperimentsFileOf200MbMovesWhatWasPublished() {
    GearGroups groups = GearGroups.parse("3,7");
    ShiftForecast.NewFile file = ShiftForecast.NewFile.of("new", 200 * MB, 64 * MB);
    assertThat(file.blockBytes()).containsExactly(64 * MB, 64 * MB, 64 * MB, 8 * MB);
    GearLayout perFile = ParaidLayout.of(groups, Order.PER_FILE);
    assertThat(forecast(perFile, List.of(file)).bytes()).isEqualTo(8 * MB);
    GearLayout rabbit = RabbitLayout.of(groups, 3, 2);
    assertThat(forecast(rabbit, List.of(file)).bytes()).isEqualTo(200 * MB);
    assertThat(forecast(rabbit, List.of(file)).lowerBoundBytes() / MB).isBetween(199.9, 200.1);
  }

  @Test
  void placedEvenlyFourSeventhsMoveWhichIs114Mb() {
    GearLayout even = ParaidLayout.of(GearGroups.parse("3,7"), Order.EVEN);
    List<ShiftForecast.NewFile> files =
        IntStream.range(0, 70)
            .mapToObj(i -> ShiftForecast.NewFile.of("f" + i, 200 * MB, 50 * MB))
            .toList();
    ShiftForecast forecast = forecast(even, files);
    assertThat(forecast.bytes()).isEqualTo(70 * 200 * MB * 4 / 7);
    assertThat(forecast.lowerBoundBytes() / MB / 70).isBetween(114.28, 114.29);
    assertThat(forecast.blocks()).isEqualTo(160);
  }

  private static ShiftForecast forecast(GearLayout layout, List<ShiftForecast.NewFile> files) {
    return ShiftForecast.of(layout, layout.placer(), 1, 2, files);
  }
}
