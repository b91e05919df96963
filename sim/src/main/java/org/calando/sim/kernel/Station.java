package org.calando.sim.kernel;

import java.util.Arrays;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/*
 * Conservation, which holds at any time:
 *
 *   arrivals = departures + dropped + jobs present,    jobs present = jobs in service + jobs waiting
 *
 * An integral over time of a number of jobs is the sum of the times at which one left, less that of
 * the times at which one came, and the present time for each that is there: a sum, which costs an
 * addition a change. It may overflow on the way, which the difference undoes.
 */
/**
 * Jobs, numbered by their owner, that wait in order of arrival for one of some equal servers. Knows
 * no events: its owner draws a service time for every job that starts, and says when it departs.
 * Not thread safe. Allocates only when its queue grows.
 */
public final class Station {
  /** No job. */
  public static final int NONE = -1;

  private static final int FIRST_LENGTH = 4;

  private final int servers;
  private final int mostWaiting;
  private int[] queue = new int[FIRST_LENGTH];
  private int head;
  private int waiting;
  private int busy;
  private long busySumNanos;
  private long presentSumNanos;
  private long arrivals;
  private long departures;
  private long dropped;

  /**
   * A station without jobs at time 0.
   *
   * @param servers 1 or more
   * @param mostWaiting jobs that may wait, 1 or more; those that come then are dropped
   */
  public Station(int servers, int mostWaiting) {
    if (servers < 1 || mostWaiting < 1) {
      throw new IllegalArgumentException(servers + " servers, " + mostWaiting + " waiting");
    }
    this.servers = servers;
    this.mostWaiting = mostWaiting;
  }

  /** What becomes of a job that arrives. */
  public enum Arrival {
    /** Its service starts now. */
    STARTS,
    /** It waits. */
    WAITS,
    /** The queue is full: the job is not taken. */
    DROPPED
  }

  /**
   * A job arrives.
   *
   * @param job 0 or more
   * @param nowNanos not before the call before
   */
  public Arrival arrive(int job, long nowNanos) {
    arrivals++;
    if (busy < servers) {
      busy++;
      busySumNanos -= nowNanos;
      presentSumNanos -= nowNanos;
      return Arrival.STARTS;
    }
    if (waiting == mostWaiting) {
      dropped++;
      return Arrival.DROPPED;
    }
    if (waiting == queue.length) {
      grow();
    }
    presentSumNanos -= nowNanos;
    queue[(head + waiting++) & (queue.length - 1)] = job;
    return Arrival.WAITS;
  }

  /**
   * A job's service ends, and that of the first that waits starts.
   *
   * @return the job that starts now, or {@link #NONE}
   */
  public int depart(long nowNanos) {
    departures++;
    return serveNext(nowNanos);
  }

  /**
   * A job that has started is given up without its service, and the first that waits starts.
   *
   * @return the job that starts now, or {@link #NONE}
   */
  public int giveUp(long nowNanos) {
    dropped++;
    return serveNext(nowNanos);
  }

  /**
   * Lets a job that waits go before all others.
   *
   * @param place how many wait before it, 0 .. {@link #waiting} - 1; the first takes its place
   */
  public void bringForward(int place) {
    int at = (head + place) & (queue.length - 1);
    int job = queue[at];
    queue[at] = queue[head];
    queue[head] = job;
  }

  /** Takes jobs out of the queue without service, and tells of each. */
  public void drop(IntPredicate which, IntConsumer told, long nowNanos) {
    int all = waiting;
    for (int i = 0; i < all; i++) {
      int job = first();
      if (which.test(job)) {
        dropped++;
        presentSumNanos += nowNanos;
        told.accept(job);
      } else {
        queue[(head + waiting++) & (queue.length - 1)] = job;
      }
    }
  }

  /** Time that servers were busy, of all together, up to a time not before the call before. */
  public long busyNanos(long nowNanos) {
    return busySumNanos + nowNanos * busy;
  }

  /** Time that jobs have spent here, of all together: the integral of the jobs present. */
  public long presentNanos(long nowNanos) {
    return presentSumNanos + nowNanos * (busy + waiting);
  }

  /** Jobs in service. */
  public int busy() {
    return busy;
  }

  /** Jobs that wait. */
  public int waiting() {
    return waiting;
  }

  /** Jobs that came. */
  public long arrivals() {
    return arrivals;
  }

  /** Jobs whose service ended. */
  public long departures() {
    return departures;
  }

  /** Jobs that went without their service. */
  public long dropped() {
    return dropped;
  }

  private int serveNext(long nowNanos) {
    presentSumNanos += nowNanos;
    if (waiting == 0) {
      busy--;
      busySumNanos += nowNanos;
      return NONE;
    }
    return first();
  }

  private int first() {
    int job = queue[head];
    head = (head + 1) & (queue.length - 1);
    waiting--;
    return job;
  }

  private void grow() {
    int[] longer = Arrays.copyOf(queue, 2 * queue.length);
    // The part before the head comes after the old end.
    System.arraycopy(queue, 0, longer, queue.length, head);
    queue = longer;
  }
}
