package org.calando.concerto;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.calando.clock.thread.CpuSet;
import org.calando.core.BadRequestException;
import org.calando.store.redis.ServerBuild;
import org.jspecify.annotations.Nullable;

/*
 * Lee and Lee 2021, section 4.2, send the answers of slow replicas from another, fast core, by a patch
 * to Redis that was not published. The I/O threads of an unmodified server do about the same: they
 * receive, parse, encode and send, and the main thread executes. Where they run can be told from
 * outside, thread by thread, by their names.
 *
 * In Redis before 8.0 and in Valkey 8.0 I/O threads spin while they wait for the main thread and it for
 * them: a slow main thread makes fast ones burn their core, and with fewer processors than threads
 * reads take twenty to fifty times as long. Redis 8.0 lets them sleep.
 */
/**
 * I/O threads of servers on processors that are always fast, while their main threads may be slow.
 * Immutable and thread safe.
 */
public final class ReadOffload {
  /** The name of the threads. */
  public static final String IO_THREADS = "io_thd_*";

  /** What their names begin with. */
  static final String IO_THREAD_PREFIX = "io_thd_";

  /** The name under which the fast processors are leased, beside those of nodes. */
  public static final String CLOCK = "read-offload";

  private static final int FIRST_MAJOR = 8;

  /** Beside a server's threads, one for what it talks to and one for everything else. */
  private static final int SPARE_PROCESSORS = 2;

  private final CpuSet cpus;

  private ReadOffload(CpuSet cpus) {
    this.cpus = cpus;
  }

  /**
   * Read off-load, if it can be.
   *
   * @param cpus where the I/O threads run; of no node
   * @param nodes the processors of all managed nodes, by name
   * @param servers what each of them runs
   * @param processors how many this machine has
   * @throws BadRequestException naming all that stands against it
   */
  public static ReadOffload of(
      CpuSet cpus, Map<String, CpuSet> nodes, Map<String, ServerBuild> servers, int processors) {
    List<String> reasons = new ArrayList<>();
    if (cpus.isEmpty()) {
      reasons.add("no processor is named for the I/O threads");
    }
    new TreeMap<>(nodes)
        .forEach(
            (node, own) -> {
              if (own.intersects(cpus)) {
                reasons.add(
                    "processors %s are those of %s too, and slow while it is a replica"
                        .formatted(cpus, node));
              }
              @Nullable ServerBuild server = servers.get(node);
              if (server == null) {
                reasons.add(node + ": what it runs is not known");
              } else {
                refusals(server, processors).forEach(why -> reasons.add(node + ": " + why));
              }
            });
    if (!reasons.isEmpty()) {
      throw new BadRequestException(
          "reads cannot be off-loaded: " + String.join("; ", reasons),
          "read off-load",
          "leave it off, or see docs/redis.md for what it needs");
    }
    return new ReadOffload(cpus);
  }

  /**
   * What stands against off-loading a server's reads; empty if nothing does.
   *
   * @param processors how many its machine has
   */
  public static List<String> refusals(ServerBuild server, int processors) {
    List<String> reasons = new ArrayList<>();
    if (server.product().equals(ServerBuild.VALKEY) || server.major() < FIRST_MAJOR) {
      reasons.add(
          "I/O threads of %s spin while they wait, which takes a core each; Redis 8.0 and newer do"
                  .formatted(server.describe())
              + " not");
    }
    if (server.ioThreads() == 0) {
      reasons.add("it does not tell its io-threads");
    } else if (server.ioThreads() == 1) {
      reasons.add("io-threads is 1: there are no I/O threads");
    } else if (processors < server.ioThreads() + SPARE_PROCESSORS) {
      reasons.add(
          "%d processors are too few for io-threads %d, which needs %d"
              .formatted(processors, server.ioThreads(), server.ioThreads() + SPARE_PROCESSORS));
    }
    if (server.pid() == 0) {
      reasons.add("it does not run on this machine, so its threads cannot be placed");
    }
    return reasons;
  }

  /** A node with its I/O threads there, in either role; its other threads stay on its own. */
  public ManagedNode apply(ManagedNode node) {
    return node.offloading(cpus);
  }

  /**
   * All processors to lease: a node's that is never told a clock keeps the highest, so the fast
   * ones are leased as one.
   */
  public Map<String, CpuSet> leased(Map<String, CpuSet> nodes) {
    Map<String, CpuSet> all = new TreeMap<>(nodes);
    all.put(CLOCK, cpus);
    return all;
  }
}
