package org.calando.core.policy.gear;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;

/** Models and observations of tests. */
final class GearCases {
  static final long SECOND = 1_000_000_000L;
  static final long MINUTE = 60 * SECOND;

  private GearCases() {}

  static NodeProfile node(double off, double idle, double busy, double boot, double bootWatts) {
    return new NodeProfile(
        "test", off, idle, busy, 4, 1, PowerCurve.linear(), boot, bootWatts, "a test");
  }

  /** Nodes of 100 to 200 W, 10 W when off, which boot for 60 s at 150 W and serve 100 ops/s. */
  static GearModel model(Integer... nodesOn) {
    return GearModel.ofEqualNodes(
        List.of(nodesOn), node(10, 100, 200, 60, 150), 100, 20, CatchUpModel.none(nodesOn.length));
  }

  static GearModel random(SplittableRandom random) {
    List<Integer> nodesOn = new ArrayList<>();
    int nodes = 0;
    int gears = random.nextInt(2, 5);
    List<Double> homed = new ArrayList<>();
    for (int gear = 0; gear < gears; gear++) {
      nodes += random.nextInt(1, 5);
      nodesOn.add(nodes);
      homed.add(random.nextDouble(0.5));
    }
    double idle = random.nextDouble(20, 120);
    double off = random.nextDouble(0, 0.4) * idle;
    return GearModel.ofEqualNodes(
        nodesOn,
        node(off, idle, idle * random.nextDouble(1, 3), random.nextInt(0, 300), idle * 1.3),
        random.nextDouble(50, 200),
        random.nextInt(0, 40),
        new CatchUpModel(homed, 50e6, random.nextDouble(1e-6), 0.1));
  }

  static GearObservation at(long nanos, int gear, double perSecond) {
    return at(nanos, gear, 0, perSecond, 0);
  }

  static GearObservation at(
      long nanos, int gear, int failed, double perSecond, double writtenBytesPerSecond) {
    return new GearObservation(
        nanos,
        nanos / SECOND,
        "c",
        gear,
        failed,
        Optional.of(new GearObservation.Load(nanos, perSecond, writtenBytesPerSecond)));
  }

  static GearObservation blind(long nanos, int gear) {
    return new GearObservation(nanos, nanos / SECOND, "c", gear, 0, Optional.empty());
  }
}
