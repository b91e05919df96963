package org.calando.gears.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.calando.core.policy.gear.GearObservation;
import org.calando.store.hbase.RegionServers.Load;
import org.calando.store.hbase.RegionServers.Region;
import org.calando.store.hbase.RegionServers.Report;
import org.junit.jupiter.api.Test;

class LoadMeterTest {
  private final LoadMeter meter = new LoadMeter();

  private static Report report(String server, long code, long seconds, long requests) {
    return new Report(
        server,
        code,
        1_700_000_000_000L + 1000 * seconds,
        List.of(
            new Load(new Region("r", "t"), requests - 1, 1, 1),
            new Load(new Region("meta", "hbase:meta"), 1000 * requests, 0, 1)));
  }

  private static long nanos(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  @Test
  void aRateIsOverTheServersOwnTimeWheneverWeLook() {
    assertThat(meter.look(List.of(report("a", 1, 0, 500)), nanos(100))).isEmpty();
    // We look 25 s later; the server's last report came 10 s after the first.
    assertThat(meter.look(List.of(report("a", 1, 10, 600)), nanos(125)))
        .contains(new GearObservation.Load(nanos(125), 10, 0));
  }

  @Test
  void aServerThatHangsKeepsItsRateAndTheLoadGetsOld() {
    assertThat(meter.look(List.of(report("a", 1, 0, 0), report("b", 1, 7, 0)), nanos(0))).isEmpty();
    meter.look(List.of(report("a", 1, 10, 100), report("b", 1, 17, 200)), nanos(10));
    for (long second = 20; second <= 300; second += 10) {
      assertThat(
              meter.look(
                  List.of(report("a", 1, second, 10 * second), report("b", 1, 17, 200)),
                  nanos(second)))
          .contains(new GearObservation.Load(nanos(10), 30, 0));
    }
  }

  @Test
  void aNewProcessOrNoReportIsNotKnownYet() {
    assertThat(meter.look(List.of(), 0)).isEmpty();
    meter.look(List.of(report("a", 1, 0, 0)), nanos(0));
    assertThat(meter.look(List.of(report("a", 1, 10, 50)), nanos(10))).isPresent();
    assertThat(meter.look(List.of(report("a", 2, 20, 70)), nanos(20))).isEmpty();
    // Its region was opened there, and counts from nothing.
    assertThat(meter.look(List.of(report("a", 2, 30, 90)), nanos(30)))
        .contains(new GearObservation.Load(nanos(30), 2, 0));
    // The count begins anew where a region is closed and opened on the same process.
    assertThat(meter.look(List.of(report("a", 2, 40, 5)), nanos(40)))
        .contains(new GearObservation.Load(nanos(40), 0, 0));
    Report silent = new Report("b", 1, 0, List.of());
    assertThat(meter.look(List.of(report("a", 2, 50, 15), silent), nanos(50))).isEmpty();
    meter.begin();
    assertThat(meter.look(List.of(report("a", 2, 60, 25)), nanos(60))).isEmpty();
  }
}
