package org.calando.sim.gear;

import java.util.Arrays;
import org.calando.core.policy.gear.GearModel;

/*
 * A fluid model, not one of single requests: a load is a number that holds for a stretch of time, the
 * nodes that are on serve as much of it as their gear's capacity, and the rest is lost (clients that
 * get no answer in time give up). There are no queues: how long requests wait is not told, only for
 * how long a gear was asked for more than it serves within what clients were promised. Weeks take
 * milliseconds so, and what is told of energy needs no more: it depends on requests through the busy
 * share of cores alone.
 *
 * A stretch is cut where a shift ends and where catch-up does; between cuts all is constant, so that
 * sums are exact whatever the stretches.
 *
 * Replicas of new data whose home is off are written elsewhere and owed, by group of nodes. Once a
 * group serves, what is owed to it is moved at the catch-up's rate, which takes its share of the
 * capacity meanwhile. A shift down leaves the rest owed.
 */
/** A cluster with gears, in simulated time. Not thread safe. */
public final class GearCluster {
  private static final double LEAST_SECONDS = 1e-6;

  private final GearModel model;
  private final double writtenBytes;
  private final double[] owed;
  private int from;
  private int to;
  private double shiftLeft;
  private GearAccount account = GearAccount.NONE;

  /**
   * A cluster with all nodes on.
   *
   * @param writtenBytes new data for each operation that is served, in bytes, 0 or more
   */
  public GearCluster(GearModel model, double writtenBytes) {
    this.model = model;
    this.writtenBytes = writtenBytes;
    owed = new double[model.highest()];
    from = model.highest();
    to = from;
  }

  /** The gear that it is in, or being shifted to. */
  public int gear() {
    return to;
  }

  /** Whether a shift is under way. */
  public boolean isShifting() {
    return shiftLeft > 0;
  }

  /** The gear whose nodes serve: the lower of the two while a shift is under way. */
  public int serving() {
    return isShifting() ? Math.min(from, to) : to;
  }

  /** Operations a second that are served at most, catch-up counted off. */
  public double capacity() {
    double capacity = model.capacity(serving());
    return movable() > 0 ? capacity * (1 - model.catchUp().capacityShare()) : capacity;
  }

  /** Power of all nodes at a load, in watts. */
  public double watts(double perSecond) {
    double served = Math.min(perSecond, capacity());
    double moving =
        movable() > 0 ? model.catchUp().bytesPerSecond() * model.catchUp().joulesPerByte() : 0;
    return moving + (isShifting() ? model.shiftWatts(from, to, served) : model.watts(to, served));
  }

  /** Bytes that are owed to nodes, whether on or off. */
  public double owedBytes() {
    return Arrays.stream(owed).sum();
  }

  /**
   * Orders a gear; while a shift is under way nothing happens.
   *
   * @return whether a shift begins
   */
  public boolean order(int gear) {
    if (isShifting() || gear == to) {
      return false;
    }
    from = to;
    to = gear;
    shiftLeft = model.shiftSeconds(from, to);
    account = account.plus(new GearAccount(0, NodeStates.NONE, 0, 0, 0, 1, 0, 0, 0));
    return true;
  }

  /** What it came to since the last such question. */
  public GearAccount take() {
    GearAccount taken = account;
    account = GearAccount.NONE;
    return taken;
  }

  /**
   * Lets time go on.
   *
   * @param seconds 0 or more
   * @param perSecond operations a second that clients ask for
   */
  public void advance(double seconds, double perSecond) {
    double left = seconds;
    while (left > 0) {
      double stretch = isShifting() ? Math.min(left, shiftLeft) : left;
      double movable = movable();
      if (movable > 0) {
        stretch = Math.min(stretch, movable / model.catchUp().bytesPerSecond());
      }
      account = account.plus(stretch(stretch, perSecond, movable));
      left -= stretch;
      // What rounding leaves of a shift would keep the next from being ordered.
      shiftLeft = shiftLeft - stretch > LEAST_SECONDS ? shiftLeft - stretch : 0;
    }
  }

  /** Of which all is as at its begin. */
  private GearAccount stretch(double seconds, double perSecond, double movable) {
    double capacity = capacity();
    double served = Math.min(perSecond, capacity);
    double written = served * writtenBytes * seconds;
    double moved = move(movable, model.catchUp().bytesPerSecond() * seconds);
    double newlyOwed = owe(written);
    return new GearAccount(
        seconds,
        states(seconds, served, moved),
        perSecond > capacity ? seconds : 0,
        perSecond * seconds,
        (perSecond - served) * seconds,
        0,
        written,
        moved,
        newlyOwed);
  }

  private NodeStates states(double seconds, double served, double moved) {
    int serving = serving();
    int lit = isShifting() ? Math.max(from, to) : to;
    double idle = (model.watts(serving, 0) - model.offWatts(serving)) * seconds;
    double work = (model.watts(serving, served) - model.watts(serving, 0)) * seconds;
    double changing = (model.nodesOn(lit) - model.nodesOn(serving)) * seconds;
    double changingJoules =
        isShifting() ? model.changingJoules(from, to) / model.shiftSeconds(from, to) * seconds : 0;
    boolean up = to > from;
    return new NodeStates(
        model.nodesOn(serving) * seconds,
        up ? changing : 0,
        up ? 0 : changing,
        (model.nodes().size() - model.nodesOn(lit)) * seconds,
        idle,
        work,
        moved * model.catchUp().joulesPerByte(),
        up ? changingJoules : 0,
        up ? 0 : changingJoules,
        model.offWatts(lit) * seconds);
  }

  /** Bytes owed to groups that serve. */
  private double movable() {
    double sum = 0;
    for (int group = 0; group < serving(); group++) {
      sum += owed[group];
    }
    return sum;
  }

  /** Lower groups first; rounding is not left behind, as it would have to be moved again. */
  private double move(double movable, double bytes) {
    double moved = bytes < movable * (1 - 1e-9) ? bytes : movable;
    double left = moved;
    for (int group = 0; group < serving(); group++) {
      double part = moved == movable ? owed[group] : Math.min(left, owed[group]);
      owed[group] -= part;
      left -= part;
    }
    return moved;
  }

  private double owe(double written) {
    double sum = 0;
    for (int group = serving(); group < owed.length; group++) {
      double bytes = written * model.catchUp().homedPerByte().get(group);
      owed[group] += bytes;
      sum += bytes;
    }
    return sum;
  }
}
