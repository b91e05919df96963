package org.calando.store.redis.internal;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.calando.store.redis.internal.wire.RespCall;

/**
 * Commands that a server has carried out, by kind.
 *
 * @param writes how many change data
 * @param writeNanos time that carrying them out took
 * @param reads how many read data
 * @param readNanos likewise
 */
record CommandCounts(long writes, long writeNanos, long reads, long readNanos) {
  private static final String PREFIX = "cmdstat_";

  /** Which commands are of which kind, as the server itself says. */
  record Kinds(Set<String> writes, Set<String> reads) {
    /** Before the server was asked. */
    static final Kinds NONE = new Kinds(Set.of(), Set.of());

    /** Asks a server: {@code ACL CAT}, from version 6 on. */
    static Kinds of(RespCall call) {
      return NONE.withWrites(call.ask("ACL", "CAT", "write"))
          .withReads(call.ask("ACL", "CAT", "read"));
    }

    /** With the answer to {@code ACL CAT write}. */
    Kinds withWrites(Object reply) {
      return new Kinds(category(reply), reads);
    }

    /** With the answer to {@code ACL CAT read}. */
    Kinds withReads(Object reply) {
      return new Kinds(writes, category(reply));
    }

    private static Set<String> category(Object reply) {
      Set<String> commands = new HashSet<>();
      if (reply instanceof List<?> list) {
        list.forEach(command -> commands.add(String.valueOf(command)));
      }
      return commands;
    }

    /** Whether the server said so. */
    boolean known() {
      return !writes.isEmpty() && !reads.isEmpty();
    }
  }

  /** Counts lines such as {@code cmdstat_set:calls=3,usec=10,usec_per_call=3.33,...}. */
  static CommandCounts of(String commandStats, Kinds kinds) {
    long writes = 0;
    long writeMicros = 0;
    long reads = 0;
    long readMicros = 0;
    for (String line : commandStats.lines().toList()) {
      int colon = line.indexOf(':');
      if (!line.startsWith(PREFIX) || colon < 0) {
        continue;
      }
      String command = line.substring(PREFIX.length(), colon);
      long calls = value(line, "calls=");
      long micros = value(line, "usec=");
      // Some are of both kinds, such as GETSET: those change data.
      if (kinds.writes().contains(command)) {
        writes += calls;
        writeMicros += micros;
      } else if (kinds.reads().contains(command)) {
        reads += calls;
        readMicros += micros;
      }
    }
    return new CommandCounts(writes, writeMicros * 1_000, reads, readMicros * 1_000);
  }

  private static long value(String line, String name) {
    int begin = line.indexOf(name);
    if (begin < 0) {
      return 0;
    }
    int end = line.indexOf(',', begin);
    return Numbers.longOr(line.substring(begin + name.length(), end < 0 ? line.length() : end), 0);
  }
}
