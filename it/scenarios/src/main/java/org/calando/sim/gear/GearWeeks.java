package org.calando.sim.gear;

import java.util.ArrayList;
import java.util.List;
import org.calando.core.energy.NodeProfile;
import org.calando.core.energy.PowerCurve;
import org.calando.core.layout.gear.GearGroups;
import org.calando.core.layout.gear.RabbitLayout;
import org.calando.core.policy.gear.GearModel;
import org.calando.core.policy.gear.LayoutGears;
import org.calando.load.LoadDays;
import org.calando.load.LoadTrace;

/*
 * Seven nodes of 75 to 150 W, three of them on in gear 1, as in the experiment of Le et al. 2011; a
 * node serves 100 operations a second, and noon asks for 70 % of what all serve. A fifth of the
 * operations write 100 KB. Of what is written in gear 1 a whole replica is owed to the four others,
 * as RABBIT with two replicas has it; it is moved at 50 MB/s, which takes 5 % of the capacity and the
 * energy of 5 % of the nodes' work. All of it is an assumption, not a measurement.
 */
/**
 * Weeks of an office's load on a cluster with gears, with some figures of its nodes. Immutable and
 * thread safe.
 *
 * @param shape of its days
 * @param gears nodes that are on in each gear, two or more gears
 * @param offShare off power as a share of idle power, 0 .. 1
 * @param bootSeconds how long a node boots, 0 or more
 * @param bootShare boot power as a share of idle power, 0 or more
 * @param learningWeeks that come first and are not counted, 0 or more
 * @param weeks that are counted, 1 or more
 * @param seed of the load
 */
public record GearWeeks(
    LoadDays.Shape shape,
    List<Integer> gears,
    double offShare,
    double bootSeconds,
    double bootShare,
    int learningWeeks,
    int weeks,
    long seed) {
  private static final double IDLE_WATTS = 75;
  private static final double BUSY_WATTS = 150;
  private static final double NODE_CAPACITY = 100;
  private static final double NOON = 0.7;
  private static final double WRITTEN_BYTES = 20_000;
  private static final double MOVED_PER_SECOND = 50e6;
  private static final double MOVING_SHARE = 0.05;
  private static final int REPLICAS = 2;

  /** What a second of too few nodes costs hindsight, as a multiple of all nodes' busy power. */
  private static final double FINE = 10;

  private static final int DAYS = 7;
  private static final int WEEK_STEPS = DAYS * 24 * 60;

  public GearWeeks {
    gears = List.copyOf(gears);
  }

  /**
   * What a policy came to in a week.
   *
   * @param contender the policy
   * @param week from 1
   * @param allOnJoules energy of the same week with all nodes on, in joules
   * @param joules energy, what is still to be moved counted in
   * @param account all else
   */
  public record Week(
      GearContender contender, int week, double allOnJoules, double joules, GearAccount account) {
    /** The share of energy that was saved. */
    public double saving() {
      return 1 - joules / allOnJoules;
    }
  }

  /** The cluster. */
  public GearModel model() {
    int nodes = gears.get(gears.size() - 1);
    NodeProfile profile =
        new NodeProfile(
            "weeks",
            offShare * IDLE_WATTS,
            IDLE_WATTS,
            BUSY_WATTS,
            4,
            1,
            PowerCurve.linear(),
            bootSeconds,
            bootShare * IDLE_WATTS,
            "assumed");
    double joulesPerByte = MOVING_SHARE * nodes * (BUSY_WATTS - IDLE_WATTS) / MOVED_PER_SECOND;
    GearGroups groups =
        GearGroups.parse(String.join(",", gears.stream().map(String::valueOf).toList()));
    return LayoutGears.of(
        RabbitLayout.of(groups, gears.get(0), REPLICAS),
        profile,
        NODE_CAPACITY,
        GearModel.MACHINE_OFF_SECONDS,
        MOVED_PER_SECOND,
        joulesPerByte,
        MOVING_SHARE);
  }

  /** The load on it. */
  public GearDay days() {
    GearModel model = model();
    double noon = NOON * model.capacity(model.highest());
    LoadTrace trace =
        LoadDays.office(noon).withShape(shape).trace(DAYS * (learningWeeks + weeks), seed);
    return GearDay.of(model, trace, WRITTEN_BYTES);
  }

  /** Every policy in each of the weeks that are counted. */
  public List<Week> run() {
    GearDay days = days();
    double joulesPerByte = days.model().catchUp().joulesPerByte();
    double fine = FINE * days.model().nodes().size() * BUSY_WATTS;
    List<GearAccount> allOn = days.run(days.allOn(), WEEK_STEPS);
    List<Week> results = new ArrayList<>();
    for (GearContender contender : GearContender.values()) {
      List<GearAccount> accounts = days.run(contender.policy(days, fine), WEEK_STEPS);
      for (int week = learningWeeks; week < accounts.size(); week++) {
        results.add(
            new Week(
                contender,
                week - learningWeeks + 1,
                allOn.get(week).settledJoules(joulesPerByte),
                accounts.get(week).settledJoules(joulesPerByte),
                accounts.get(week)));
      }
    }
    return results;
  }
}
