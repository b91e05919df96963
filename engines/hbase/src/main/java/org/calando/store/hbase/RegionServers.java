package org.calando.store.hbase;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.calando.core.FailedWorkException;

/**
 * The RegionServers of an HBase, the regions on them, and moves of regions. Servers go by {@code
 * HOST:PORT}, regions by the hash that ends their names. Thread safe.
 *
 * <p>Methods block; they throw {@link FailedWorkException} where HBase does not answer in time.
 */
public interface RegionServers extends AutoCloseable {
  /**
   * A region that is open.
   *
   * @param id the hash that ends its name, which is the name of its folder too
   * @param table its table, with the namespace where that is not the default
   */
  record Region(String id, String table) {
    /** Whether it is HBase's own: what finds all other regions, say. */
    public boolean isSystem() {
      return table.startsWith("hbase:");
    }
  }

  /**
   * What a server said of a region.
   *
   * @param region which
   * @param reads rows read since the region was opened there
   * @param writes rows written since then
   * @param locality share of its files' bytes that HBase takes to be on the server's own host, 0 to
   *     1; servers that share a host cannot be told apart by it, and all copies there count
   */
  record Load(Region region, long reads, long writes, double locality) {
    /** Rows read and written. */
    public long requests() {
      return reads + writes;
    }
  }

  /**
   * The last word of a live server to the master.
   *
   * @param server {@code HOST:PORT}
   * @param startCode tells the server's process from the one before
   * @param atMillis when, by the server's own clock; 0 if it has said nothing yet
   * @param loads of its regions
   */
  record Report(String server, long startCode, long atMillis, List<Load> loads) {
    /** Copies the list. */
    public Report {
      loads = List.copyOf(loads);
    }
  }

  /**
   * Connects; blocks until the master answers.
   *
   * @throws FailedWorkException if ZooKeeper or the master does not answer
   */
  static RegionServers connect(HBaseStoreConfig config) {
    return LiveRegionServers.connect(config);
  }

  /** ZooKeeper's servers, as the cluster's name. */
  String name();

  /** The servers that the master holds for live. */
  Set<String> live();

  /** The regions that a live server itself says to have open; none if it is not live. */
  List<Region> regions(String server);

  /**
   * As {@link #regions(String)}.
   *
   * @param within how long the answer is waited for, the master's part of it included; at most 60 s
   *     count
   */
  List<Region> regions(String server, Duration within);

  /** Regions that are being opened or closed, or got stuck in it, and on which server. */
  Map<String, String> inTransition();

  /** The last word of each live server; one that hangs says nothing new. */
  List<Report> reports();

  /**
   * Moves regions, all at once, and waits for the end of each. A region is closed for a moment;
   * clients ask again and find it.
   *
   * @param targets servers by region
   * @return what went wrong, in words, by region: a region that is gone or moves already, a server
   *     that is not live
   */
  Map<String, String> move(Map<String, String> targets);

  /** Whether the master may move regions to balance the servers. */
  boolean balancer();

  /** Has the master balance or not; moves that it has begun are over on return. */
  void balancer(boolean on);

  /** Servers, live or not, that get no regions by the master's own choice. */
  Set<String> drained();

  /** Has the master give live servers no regions by its own choice; those that they have stay. */
  void drain(Collection<String> servers);

  /** Takes {@link #drain} back, also of processes that have ended since. */
  void undrain(Collection<String> servers);

  /** Has a live server begin a new log, on the DataNodes that serve now. */
  void rollLog(String server);

  @Override
  void close();
}
