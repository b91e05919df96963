package org.calando.engine.redis;

import java.util.ArrayList;
import java.util.List;
import org.calando.store.redis.ServerBuild;

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
/** Whether the I/O threads of a server can run on processors of their own. Stateless. */
public final class IoThreads {
  private static final int FIRST_MAJOR = 8;

  /** Beside a server's threads, one for what it talks to and one for everything else. */
  private static final int SPARE_PROCESSORS = 2;

  private IoThreads() {}

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
      reasons.add("it does not report its io-threads");
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
}
