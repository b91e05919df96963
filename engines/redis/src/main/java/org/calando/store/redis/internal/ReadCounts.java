package org.calando.store.redis.internal;

import java.util.Set;

/** Counts reads in what INFO commandstats says. Stateless. */
final class ReadCounts {
  /** Commands that read what users keep; those that monitors send are not among them. */
  private static final Set<String> READS =
      Set.of(
          "get",
          "mget",
          "getrange",
          "substr",
          "strlen",
          "getbit",
          "bitcount",
          "bitpos",
          "exists",
          "hget",
          "hmget",
          "hgetall",
          "hkeys",
          "hvals",
          "hlen",
          "hexists",
          "hscan",
          "hstrlen",
          "lrange",
          "lindex",
          "llen",
          "lpos",
          "smembers",
          "sismember",
          "smismember",
          "scard",
          "srandmember",
          "sscan",
          "sinter",
          "sunion",
          "sdiff",
          "zrange",
          "zrangebyscore",
          "zrevrange",
          "zrevrangebyscore",
          "zrangebylex",
          "zscore",
          "zmscore",
          "zcard",
          "zcount",
          "zrank",
          "zrevrank",
          "zscan",
          "xrange",
          "xrevrange",
          "xread",
          "xlen",
          "scan",
          "geosearch",
          "georadius_ro",
          "sort_ro",
          "eval_ro",
          "evalsha_ro",
          "fcall_ro");

  private ReadCounts() {}

  /** Reads since the server started or its statistics were reset. */
  static long of(String commandStats) {
    long sum = 0;
    for (String line : commandStats.lines().toList()) {
      int colon = line.indexOf(':');
      if (line.startsWith("cmdstat_") && colon > 0 && READS.contains(line.substring(8, colon))) {
        sum += calls(line.substring(colon + 1));
      }
    }
    return sum;
  }

  /** The number behind {@code calls=}. */
  private static long calls(String values) {
    if (!values.startsWith("calls=")) {
      return 0;
    }
    int end = values.indexOf(',');
    try {
      return Long.parseLong(values.substring(6, end < 0 ? values.length() : end));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
