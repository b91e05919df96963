package org.calando.core.policy.gear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HindsightPlanTest {
  private static final int STEPS = 7;

  @Test
  void noOtherOrdersAreCheaper() {
    for (long seed = 1; seed <= 60; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      GearModel model = GearCases.random(random);
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
      double least = Double.POSITIVE_INFINITY;
      int[] orders = new int[STEPS];
      int all = (int) Math.pow(model.highest(), STEPS);
      for (int number = 0; number < all; number++) {
        int rest = number;
        for (int i = 0; i < STEPS; i++) {
          orders[i] = 1 + rest % model.highest();
          rest /= model.highest();
        }
        least = Math.min(least, cost(model, known, orders, fine));
      }
      assertThat(plan.cost()).as("seed %d", seed).isCloseTo(least, within(1e-9 * least));
    }
  }

  @Test
  void withoutAFineNobodyIsServed() {
    double[] load = new double[500];
    Arrays.fill(load, 600);
    HindsightPlan.Known known = new HindsightPlan.Known(load, 60, 0);
    GearModel model = GearCases.model(3, 7);
    assertThat(HindsightPlan.of(model, known, 2, 0).gear(0)).isEqualTo(1);
    assertThat(HindsightPlan.of(model, known, 2, 1e6).gear(0)).isEqualTo(2);
  }

  /** Second by second, in another way than the plan's. */
  private static double cost(
      GearModel model, HindsightPlan.Known known, int[] orders, double fine) {
    double cost = 0;
    int gear = model.highest();
    int to = gear;
    double left = 0;
    for (int step = 0; step < orders.length; step++) {
      if (left <= 0 && orders[step] != to) {
        gear = to;
        to = orders[step];
        left = model.shiftSeconds(gear, to);
      }
      for (int second = 0; second < 60; second++) {
        boolean shifting = left > 0;
        double perSecond = known.perSecond()[step];
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
    }
    return cost;
  }
}
