package org.calando.sim.gear;

import java.util.Arrays;
import org.calando.core.policy.gear.GearModel;

/*
 * The best that could have been done with a load that is known from beginning to end, by dynamic
 * programming backwards in time. A shift is ordered at a step's begin and the next no earlier than
 * at the first step's begin after it has ended, so the state is the gear alone:
 *
 *   V(t, g) = min( stay(t, g) + V(t + 1, g),  min over h of shift(t, g, h) + V(t + steps(g, h), h) )
 *
 * What is minimised is the energy, what is written in low gears charged at once with what moving it
 * will take, plus a fine for each second in which the load is above what the nodes serve: without it
 * the best would be never to serve anybody.
 *
 * It is a bound for every policy that keeps to the same rules of shifting, as long as moving does not
 * take capacity, which would only add to its cost.
 */
/** The cheapest gears for a load that is known. Immutable and thread safe. */
public final class HindsightPlan {
  private final int[] gears;
  private final double cost;

  private HindsightPlan(int[] gears, double cost) {
    this.gears = gears;
    this.cost = cost;
  }

  /**
   * A load that is known. It belongs to who made it.
   *
   * @param perSecond operations a second, by step
   * @param stepSeconds length of a step, above 0
   * @param writtenBytes new data for each operation served, in bytes, 0 or more
   */
  @SuppressWarnings("ArrayRecordComponent") // read once, by one method
  public record Known(double[] perSecond, double stepSeconds, double writtenBytes) {
    public Known {
      if (!(stepSeconds > 0) || !(writtenBytes >= 0)) {
        throw new IllegalArgumentException(
            "steps of " + stepSeconds + " s, " + writtenBytes + " bytes an operation");
      }
    }
  }

  /**
   * The best gears.
   *
   * @param firstGear the gear at the beginning
   * @param fineWatts joules that a second costs in which not all are served, 0 or more
   */
  public static HindsightPlan of(GearModel model, Known load, int firstGear, double fineWatts) {
    return new Search(model, load, fineWatts).best(firstGear);
  }

  /** The gear that is ordered at a step's begin, and stays so until another is. */
  public int gear(int step) {
    return gears[step];
  }

  /** Number of steps. */
  public int steps() {
    return gears.length;
  }

  /** Joules, with catch-up of all that was written, and with fines. */
  public double cost() {
    return cost;
  }

  private static final class Search {
    private final GearModel model;
    private final Known load;
    private final double fineWatts;
    private final int steps;
    private final double[][] values;
    private final int[][] choices;

    Search(GearModel model, Known load, double fineWatts) {
      this.model = model;
      this.load = load;
      this.fineWatts = fineWatts;
      this.steps = load.perSecond().length;
      values = new double[steps + 1][model.highest() + 1];
      choices = new int[steps][model.highest() + 1];
    }

    HindsightPlan best(int firstGear) {
      for (int step = steps - 1; step >= 0; step--) {
        for (int gear = 1; gear <= model.highest(); gear++) {
          choose(step, gear);
        }
      }
      int[] gears = new int[steps];
      int gear = firstGear;
      for (int step = 0; step < steps; ) {
        int next = choices[step][gear];
        int end = end(step, gear, next);
        Arrays.fill(gears, step, end, next);
        step = end;
        gear = next;
      }
      return new HindsightPlan(gears, values[0][firstGear]);
    }

    private void choose(int step, int gear) {
      double least = Double.POSITIVE_INFINITY;
      for (int next = 1; next <= model.highest(); next++) {
        int end = end(step, gear, next);
        double value = values[end][next];
        for (int each = step; each < end; each++) {
          value += cost(each, each - step, gear, next);
        }
        // Of two that cost the same, the higher serves more.
        if (value <= least) {
          least = value;
          choices[step][gear] = next;
        }
      }
      values[step][gear] = least;
    }

    private int end(int step, int from, int to) {
      int taken = (int) Math.ceil(model.shiftSeconds(from, to) / load.stepSeconds() - 1e-9);
      return Math.min(steps, step + (from == to ? 1 : Math.max(1, taken)));
    }

    /** Of a step, so many after the order to shift. */
    private double cost(int step, int after, int from, int to) {
      double perSecond = load.perSecond()[step];
      double shifting =
          from == to
              ? 0
              : Math.max(
                  0,
                  Math.min(
                      load.stepSeconds(),
                      model.shiftSeconds(from, to) - after * load.stepSeconds()));
      double cost = 0;
      if (shifting > 0) {
        cost +=
            shifting
                * (model.shiftWatts(from, to, perSecond) + serving(Math.min(from, to), perSecond));
      }
      double rest = load.stepSeconds() - shifting;
      return cost + rest * (model.watts(to, perSecond) + serving(to, perSecond));
    }

    /** What a second costs besides the power of the nodes. */
    private double serving(int gear, double perSecond) {
      double capacity = model.capacity(gear);
      double owed =
          Math.min(perSecond, capacity)
              * load.writtenBytes()
              * model.catchUp().movedPerByte(gear, model.highest())
              * model.catchUp().joulesPerByte();
      return owed + (perSecond > capacity ? fineWatts : 0);
    }
  }
}
