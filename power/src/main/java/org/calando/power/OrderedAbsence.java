package org.calando.power;

import org.jspecify.annotations.Nullable;

/**
 * What nodes use of which some are ended by order and come back as other processes. To its readers
 * each stays one node whose sums go on: while it is away it uses nothing, and what the new process
 * uses is added to what the old one had used when it was last read. Its machine is on all that
 * time, so that a meter that models it goes on with idle power; unless it was told to go off with
 * the process. Thread safe.
 *
 * <p>A process that ends without an order is an error, as it is to the source below.
 */
public final class OrderedAbsence extends UsageOver {
  private final Ticker ticker;
  private final Track[] tracks;

  /** One node. */
  private static final class Track {
    boolean mayEnd;
    boolean goesOff;
    boolean away;
    long incarnation;
    NodeUsage before = NodeUsage.ofProcess(0, 0, 0, 0).withDisk(0, 0);
    @Nullable NodeUsage last;
  }

  /**
   * Nobody is away yet.
   *
   * @param base reads the processes there are; a node that came back is another process to it
   * @param nodes number of nodes
   * @param ticker clock of the sampling
   */
  public OrderedAbsence(UsageSource base, int nodes, Ticker ticker) {
    super(base);
    this.ticker = ticker;
    tracks = new Track[nodes];
    for (int i = 0; i < nodes; i++) {
      tracks[i] = new Track();
    }
  }

  /** From now on the end of the node's process is no error, until another one is read for it. */
  public synchronized void mayEnd(int node) {
    try {
      // What it used until now is not lost with it.
      read(node);
    } catch (MeterException e) {
      // Then that is lost.
    }
    tracks[node].mayEnd = true;
  }

  /** As {@link #mayEnd}, and the node's machine goes off with the process. */
  public synchronized void mayGoOff(int node) {
    mayEnd(node);
    tracks[node].goesOff = true;
  }

  /** The node's machine is off before it was ever read; what comes on later is its process. */
  public synchronized void isOffAtFirst(int node) {
    Track track = tracks[node];
    track.mayEnd = true;
    track.goesOff = true;
    track.away = true;
    track.last = NodeUsage.ofProcess(ticker.nanos(), 0, 0, 0).withDisk(0, 0);
  }

  @Override
  public synchronized boolean isOff(int node) {
    return (tracks[node].goesOff && tracks[node].away) || base().isOff(node);
  }

  /** Its machine is to be on: that it cannot be read is an error again. */
  public synchronized void isOn(int node) {
    try {
      // The process that it has come back as goes on with its sums.
      read(node);
    } catch (MeterException e) {
      // Then what comes later begins anew.
    }
    Track track = tracks[node];
    track.mayEnd = false;
    track.goesOff = false;
    track.away = false;
  }

  @Override
  public synchronized NodeUsage read(int node) throws MeterException {
    Track track = tracks[node];
    NodeUsage now;
    try {
      now = base().read(node);
    } catch (MeterException e) {
      NodeUsage last = track.last;
      if (track.mayEnd && last != null) {
        track.away = true;
        return since(track.before, last, ticker.nanos(), track.incarnation, 0);
      }
      throw e;
    }
    follow(track, now);
    track.away = false;
    track.last = now;
    return since(track.before, now, now.atNanos(), track.incarnation, now.rssBytes());
  }

  private static void follow(Track track, NodeUsage now) {
    NodeUsage last = track.last;
    if (last == null) {
      track.incarnation = now.incarnation();
    } else if (now.incarnation() != last.incarnation()) {
      if (track.mayEnd) {
        track.before = since(track.before, last, last.atNanos(), 0, 0);
        track.mayEnd = false;
        track.goesOff = false;
      } else {
        track.incarnation = now.incarnation();
        track.before = NodeUsage.ofProcess(0, 0, 0, 0).withDisk(0, 0);
      }
    }
  }

  /** The sums of a process over those of its predecessors. */
  private static NodeUsage since(
      NodeUsage before, NodeUsage process, long atNanos, long incarnation, long rssBytes) {
    return new NodeUsage(
        atNanos,
        incarnation,
        before.cpuNanos() + process.cpuNanos(),
        process.hostCores(),
        rssBytes,
        process.memoryBytes(),
        sum(before.diskReadBytes(), process.diskReadBytes()),
        sum(before.diskWriteBytes(), process.diskWriteBytes()),
        process.netReceivedBytes(),
        process.netSentBytes());
  }

  @Override
  public synchronized boolean knows(int node) {
    return tracks[node].goesOff || base().knows(node);
  }
}
