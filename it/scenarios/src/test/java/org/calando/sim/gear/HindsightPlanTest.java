package org.calando.sim.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.policy.gear.CatchUpModel;
import org.calando.core.policy.gear.GearModel;
import org.junit.jupiter.api.Test;

class HindsightPlanTest {
  private static final int STEPS = 7;

  @Test
  void noOtherOrdersAreCheaper() {
    for (long seed = 1; seed <= 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = random(random);
      double[] load = new double[STEPS];
      for (int i = 0; i < STEPS; i++) {
        load[i] = random.nextDouble(1.1 * model.capacity(model.highest()));
      }
      HindsightPlan.Known known = new HindsightPlan.Known(load, 60, 1000);
      double fine = random.nextDouble(5000);
      HindsightPlan plan = HindsightPlan.of(model, known, model.highest(), fine);
      int[] planned = new int[STEPS];
      for (int i = 0; i < STEPS; i++) {
        planned[i] = plan.gear(i);
      }
      assertThat(plan.cost())
          .as("seed %d", seed)
          .isCloseTo(cost(model, known, planned, fine), within(1e-9 * plan.cost()));
      double least = least(model, known, fine, 0, start(model), Double.POSITIVE_INFINITY);
      assertThat(plan.cost()).as("seed %d", seed).isCloseTo(least, within(1e-9 * least));
    }
  }

  @Test
  void withoutAFineNobodyIsServed() {
    double[] load = new double[500];
    Arrays.fill(load, 600);
    HindsightPlan.Known known = new HindsightPlan.Known(load, 60, 0);
    GearModel model =
        GearModel.ofEqualNodes(
            List.of(3, 7), node(10, 100, 200, 60), 100, 20, CatchUpModel.none(2));
    assertThat(HindsightPlan.of(model, known, 2, 0).gear(0)).isEqualTo(1);
    assertThat(HindsightPlan.of(model, known, 2, 1e6).gear(0)).isEqualTo(2);
  }

  private static GearModel random(SplittableRandom random) {
    List<Integer> nodesOn = new ArrayList<>();
    List<Double> homed = new ArrayList<>();
    int nodes = 0;
    int gears = random.nextInt(2, 5);
    for (int gear = 0; gear < gears; gear++) {
      nodes += random.nextInt(1, 5);
      nodesOn.add(nodes);
      homed.add(random.nextDouble(0.5));
    }
    double idle = random.nextDouble(20, 120);
    return GearModel.ofEqualNodes(
        nodesOn,
        node(random.nextDouble(0, 0.4) * idle, idle, 2 * idle, random.nextInt(0, 300)),
        random.nextDouble(50, 200),
        random.nextInt(0, 40),
        new CatchUpModel(homed, 50e6, random.nextDouble(1e-6), 0.1));
  }

  private static NodeProfile node(double off, double idle, double busy, double bootSeconds) {
    return new NodeProfile(
        "test", off, idle, busy, 4, 1, PowerCurve.linear(), bootSeconds, 1.4 * idle, "a test");
  }

  /** The least that any orders from a step on come to, or what is known to be no more. */
  private static double least(
      GearModel model, HindsightPlan.Known known, double fine, int step, Way so, double best) {
    if (step == STEPS || so.cost() >= best) {
      return Math.min(best, so.cost());
    }
    double least = best;
    for (int order = 1; order <= model.highest(); order++) {
      Way further = after(model, known, fine, step, order, so);
      least = least(model, known, fine, step + 1, further, least);
    }
    return least;
  }

  private static double cost(
      GearModel model, HindsightPlan.Known known, int[] orders, double fine) {
    Way way = start(model);
    for (int step = 0; step < orders.length; step++) {
      way = after(model, known, fine, step, orders[step], way);
    }
    return way.cost();
  }

  /** How it stands after some steps: between two gears while anything is left of a shift. */
  private record Way(int gear, int to, double left, double cost) {}

  private static Way start(GearModel model) {
    return new Way(model.highest(), model.highest(), 0, 0);
  }

  /** A step more, second by second, in another way than the plan's. */
  private static Way after(
      GearModel model, HindsightPlan.Known known, double fine, int step, int order, Way so) {
    int gear = so.gear();
    int to = so.to();
    double left = so.left();
    double cost = so.cost();
    if (left <= 0 && order != to) {
      gear = to;
      to = order;
      left = model.shiftSeconds(gear, to);
    }
    double perSecond = known.perSecond()[step];
    for (int second = 0; second < 60; second++) {
      boolean shifting = left > 0;
      int serving = shifting ? Math.min(gear, to) : to;
      cost += shifting ? model.shiftWatts(gear, to, perSecond) : model.watts(to, perSecond);
      cost += perSecond > model.capacity(serving) ? fine : 0;
      cost +=
          Math.min(perSecond, model.capacity(serving))
              * known.writtenBytes()
              * model.catchUp().movedPerByte(serving, model.highest())
              * model.catchUp().joulesPerByte();
      left -= shifting ? 1 : 0;
    }
    return new Way(gear, to, left, cost);
  }
}
