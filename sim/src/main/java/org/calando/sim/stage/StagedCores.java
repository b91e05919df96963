package org.calando.sim.stage;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.calando.sim.kernel.SharedCores;
import org.calando.sim.kernel.Simulation;
import org.calando.sim.kernel.Station;

/**
 * The thread pools of all nodes. A job waits for a thread of its pool in order of arrival; the
 * threads that have one share the cores of their machine. Not thread safe.
 */
public final class StagedCores {
  /** Requests of clients, whose threads are kept until {@link #release}. */
  public static final int NATIVE = 0;

  /** Writes of replicas. */
  public static final int MUTATION = 1;

  /** Reads of replicas. */
  public static final int READ = 2;

  /** Replies. */
  public static final int RESPONSE = 3;

  /** A thread of its own for each job. */
  public static final int UNBOUNDED = 4;

  /** The first messaging loop. */
  private static final int LOOP = 5;

  /** What a job that starts answers if nobody waits for it any more. */
  public static final long GIVEN_UP = -1;

  /** What jobs are. */
  public interface Jobs {
    /** A job gets a thread: its core time, 0 or more, or {@link #GIVEN_UP}. */
    long begins(int job);

    /** A job's core time is over. */
    void done(int job);

    /** A job has given up, found its pool's queue full, or its node has stopped. */
    void lost(int job);
  }

  private final Simulation simulation;
  private final Jobs jobs;
  private final int loops;
  private final int pools;
  private final Station[] stations;
  private final SharedCores[] hosts;
  private final int[] hostOf;
  private final int[] ownerOf;
  private int[] stationOf = new int[256];

  /**
   * The pools of nodes without work.
   *
   * @param hostOf the machine of each node, below 0 for one that never has work
   * @param coresOf of each machine
   * @param mostWaiting jobs that wait for a pool at most
   */
  public StagedCores(
      Simulation simulation,
      NodeStages stages,
      int[] hostOf,
      int[] coresOf,
      int mostWaiting,
      Jobs jobs) {
    this.simulation = simulation;
    this.jobs = jobs;
    this.loops = stages.loops();
    this.pools = LOOP + loops;
    this.hostOf = hostOf.clone();
    int[] onHost = new int[coresOf.length];
    ownerOf = new int[hostOf.length];
    stations = new Station[hostOf.length * pools];
    for (int node = 0; node < hostOf.length; node++) {
      ownerOf[node] = hostOf[node] < 0 ? 0 : onHost[hostOf[node]]++;
      for (int pool = 0; pool < pools; pool++) {
        stations[node * pools + pool] = new Station(threads(stages, pool), mostWaiting);
      }
    }
    hosts = new SharedCores[coresOf.length];
    for (int host = 0; host < hosts.length; host++) {
      hosts[host] = new SharedCores(simulation, coresOf[host], onHost[host], this::done);
    }
  }

  private static int threads(NodeStages stages, int pool) {
    return switch (pool) {
      case NATIVE -> stages.nativeThreads();
      case MUTATION -> stages.mutationThreads();
      case READ -> stages.readThreads();
      case RESPONSE -> stages.responseThreads();
      case UNBOUNDED -> Integer.MAX_VALUE;
      default -> 1;
    };
  }

  /**
   * The messaging loop of a node for what comes from, and goes to, another one: connections are
   * given to loops by turns.
   *
   * @param nodes how many there are
   */
  public int loop(int node, int other, int nodes) {
    return LOOP + Math.floorMod(other - node - 1, nodes) % loops;
  }

  /** A job comes to a pool of a node. */
  public void submit(int job, int node, int pool) {
    int station = node * pools + pool;
    if (job >= stationOf.length) {
      stationOf = Arrays.copyOf(stationOf, Math.max(job + 1, 2 * stationOf.length));
    }
    stationOf[job] = station;
    Station.Arrival arrival = stations[station].arrive(job, simulation.nowNanos());
    if (arrival == Station.Arrival.STARTS) {
      start(job, station);
    } else if (arrival == Station.Arrival.DROPPED) {
      jobs.lost(job);
    }
  }

  private void start(int first, int station) {
    int job = first;
    while (job != Station.NONE) {
      long nanos = jobs.begins(job);
      if (nanos != GIVEN_UP) {
        int node = station / pools;
        hosts[hostOf[node]].start(job, ownerOf[node], nanos);
        return;
      }
      int next = stations[station].giveUp(simulation.nowNanos());
      jobs.lost(job);
      job = next;
    }
  }

  private void done(int job) {
    int station = stationOf[job];
    if (station % pools != NATIVE) {
      start(stations[station].depart(simulation.nowNanos()), station);
    }
    jobs.done(job);
  }

  /** An operation of a node is over: the thread that took its request takes the next. */
  public void release(int node) {
    int station = node * pools + NATIVE;
    start(stations[station].depart(simulation.nowNanos()), station);
  }

  /** A node stops: what it has is lost. */
  public void stop(int node) {
    long now = simulation.nowNanos();
    int[] running = hosts[hostOf[node]].remove(ownerOf[node]);
    IntConsumer lost = jobs::lost;
    for (int pool = 0; pool < pools; pool++) {
      Station station = stations[node * pools + pool];
      station.drop(job -> true, lost, now);
      while (station.busy() > 0) {
        station.giveUp(now);
      }
    }
    Arrays.stream(running).forEach(lost);
  }

  /** Core time that a node has used up to the present time. */
  public long busyNanos(int node) {
    return hostOf[node] < 0 ? 0 : hosts[hostOf[node]].busyNanos(ownerOf[node]);
  }

  /** Threads of a node's machine that wait for a core. */
  public int crowd(int node) {
    return hosts[hostOf[node]].crowd();
  }

  /** Jobs that wait for a pool of a node, or have a thread. */
  public int jobs(int node) {
    int count = 0;
    for (int pool = 0; pool < pools; pool++) {
      Station station = stations[node * pools + pool];
      count += station.busy() + station.waiting();
    }
    return count;
  }
}
