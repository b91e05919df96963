package org.calando.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.calando.sim.kernel.Station.Arrival;
import org.junit.jupiter.api.Test;

class StationTest {
  @Test
  void jobsWaitInOrderOfArrivalForAFreeServer() {
    Station station = new Station(2, 10);
    assertThat(station.arrive(1, 0)).isEqualTo(Arrival.STARTS);
    assertThat(station.arrive(2, 1)).isEqualTo(Arrival.STARTS);
    assertThat(station.arrive(3, 2)).isEqualTo(Arrival.WAITS);
    assertThat(station.arrive(4, 2)).isEqualTo(Arrival.WAITS);
    assertThat(station.depart(5)).isEqualTo(3);
    assertThat(station.depart(6)).isEqualTo(4);
    assertThat(station.depart(7)).isEqualTo(Station.NONE);
    assertThat(station.busy()).isEqualTo(1);
  }

  @Test
  void busyTimeAndTimePresentAreCountedToTheMoment() {
    Station station = new Station(1, 10);
    station.arrive(1, 100);
    station.arrive(2, 150);
    assertThat(station.busyNanos(200)).isEqualTo(100);
    assertThat(station.presentNanos(200)).isEqualTo(150);
    station.depart(300);
    station.depart(350);
    assertThat(station.busyNanos(1000)).isEqualTo(250);
    assertThat(station.presentNanos(1000)).isEqualTo(200 + 200);
  }

  @Test
  void aFullQueueDropsWhatComes() {
    Station station = new Station(1, 2);
    station.arrive(1, 0);
    station.arrive(2, 0);
    station.arrive(3, 0);
    assertThat(station.arrive(4, 0)).isEqualTo(Arrival.DROPPED);
    assertThat(station.dropped()).isEqualTo(1);
    assertThat(station.waiting()).isEqualTo(2);
  }

  @Test
  void theQueueKeepsItsOrderWhenItGrows() {
    Station station = new Station(1, 1000);
    station.arrive(0, 0);
    for (int job = 1; job <= 10; job++) {
      station.arrive(job, 0);
    }
    for (int job = 1; job <= 5; job++) {
      assertThat(station.depart(0)).isEqualTo(job);
    }
    for (int job = 11; job <= 100; job++) {
      station.arrive(job, 0);
    }
    for (int job = 6; job <= 100; job++) {
      assertThat(station.depart(0)).isEqualTo(job);
    }
  }

  @Test
  void jobsAreTakenOutOfTheQueueAndOffTheServers() {
    Station station = new Station(2, 10);
    for (int job = 1; job <= 5; job++) {
      station.arrive(job, 0);
    }
    assertThat(station.giveUp(0)).isEqualTo(3);
    List<Integer> told = new ArrayList<>();
    station.drop(job -> job == 4, told::add, 10);
    assertThat(told).containsExactly(4);
    assertThat(station.giveUp(10)).isEqualTo(5);
    assertThat(station.giveUp(10)).isEqualTo(Station.NONE);
    assertThat(station.giveUp(10)).isEqualTo(Station.NONE);
    assertThat(station.arrivals()).isEqualTo(station.departures() + station.dropped());
    assertThat(station.busyNanos(100)).isEqualTo(20);
  }

  @Test
  void aStationHasServersAndRoom() {
    assertThatThrownBy(() -> new Station(0, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Station(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
